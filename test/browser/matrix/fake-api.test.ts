import { afterEach, expect, it } from 'vitest';
import { type Behaviour, conditionCookie, FakeApi } from './fake-api.ts';

// What the matrix would otherwise not notice: a page that asks for something nobody thought of.

let api: FakeApi;
afterEach(() => api.stop());

async function ask(path: string, behaviour: Partial<Behaviour> = {}): Promise<readonly [number, readonly string[]]> {
  api = await FakeApi.start({ one: { answers: {}, admin: true, ...behaviour } });
  const { status } = await fetch(`${api.url}/api/v1${path}`, { headers: { cookie: `${conditionCookie}=one` } });
  return [status, api.takeProblems('one')];
}

it('names an endpoint that has no answer', async () => {
  expect(await ask('/insights/fleet')).toEqual([
    500,
    ['there is no answer for the endpoint fleet (GET /api/v1/insights/fleet)'],
  ]);
});

it('names a path that is no endpoint', async () => {
  expect(await ask('/insights/moon')).toEqual([404, ['GET /api/v1/insights/moon is no endpoint of the contract']]);
});

it('notes who asks for what is for admins', async () => {
  expect(await ask('/preview', { admin: false, answers: { preview: {} } })).toEqual([
    403,
    ['the browser of somebody who is no admin asked for the endpoint preview'],
  ]);
});

it('has nothing to say of what is answered, and ends a session where that is the fault', async () => {
  expect(await ask('/license', { answers: { license: {} } })).toEqual([200, []]);
  await api.stop();
  expect(await ask('/license', { answers: { license: {} }, fault: 'unauthenticated' })).toEqual([401, []]);
});
