import { beforeEach, describe, expect, it } from 'vitest';
import { configMap, EmbeddedApiFixture, MERGE } from './api/embedded-api-fixture.ts';
import type { WriteRecord } from './faults.ts';

const PATH = '/api/v1/namespaces/default/configmaps';

describe('faults', () => {
  let fixture: EmbeddedApiFixture;

  beforeEach(async () => {
    fixture = new EmbeddedApiFixture();
    await fixture.ask('POST', PATH, configMap('a'));
  });

  const put = (value: string) => fixture.ask('PATCH', `${PATH}/a`, { data: { k: value } }, MERGE);
  const stored = () => fixture.store.get('configmaps', 'default', 'a')?.['data'];

  it.each([409, 429, 500, 503, 504])('fail with %i and do nothing', async (status) => {
    fixture.api.faults.add({ match: ({ verb }) => verb === 'patch', effect: { kind: 'fail', status } });
    const answer = await put('v');
    expect([answer.status, answer.body['code'], stored()]).toEqual([status, status, {}]);
    expect(answer.headers['retry-after']).toBe(status === 429 ? '1' : undefined);
  });

  it('strike only the n-th match, or only so many times', async () => {
    const { faults } = fixture.api;
    const effect = { kind: 'fail', status: 500 } as const;
    const disarm = faults.add({ match: ({ name }) => name === 'a', effect, nth: 2 });
    expect([(await put('1')).status, (await put('2')).status, (await put('3')).status]).toEqual([200, 500, 200]);
    disarm();
    faults.add({ match: ({ resource }) => resource === 'configmaps', effect, times: 1 });
    expect([(await put('4')).status, (await put('5')).status]).toEqual([500, 200]);
  });

  it('delay by the clock', async () => {
    fixture.api.faults.add({ match: () => true, effect: { kind: 'delay', ms: 5_000 } });
    let done = false;
    const answer = put('v').then(() => {
      done = true;
    });
    await fixture.clock.advance(4_999);
    expect([done, stored()]).toEqual([false, {}]);
    await fixture.clock.advance(1);
    await answer;
    expect(stored()).toEqual({ k: 'v' });
  });

  it.each([
    ['before', {}],
    ['after', { k: 'v' }],
  ] as const)('drop the connection %s the write', async (when, expected) => {
    fixture.api.faults.add({ match: () => true, effect: { kind: 'drop', when } });
    await expect(put('v')).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(stored()).toEqual(expected);
  });

  it('crash the writer after its n-th write, which is done but never answered', async () => {
    const crashes: WriteRecord[] = [];
    fixture.api.faults.crashAfterWrite(
      2,
      (record) => crashes.push(record),
      ({ resource }) => resource === 'configmaps',
    );
    expect((await put('1')).status).toBe(200);
    await expect(put('2')).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect((await put('3')).status).toBe(200);
    expect(crashes.map(({ before, after, verb }) => [verb, before?.['data'], after['data']])).toEqual([
      ['patch', { k: '1' }, { k: '2' }],
    ]);
  });

  it('silence a watch, which stays open', async () => {
    const watch = await fixture.watch(`${PATH}?watch=true&resourceVersion=${fixture.store.version}&timeoutSeconds=60`);
    for (const { stream } of fixture.api.faults.openWatches()) stream.mute();
    await put('v');
    const next = Promise.race([watch.next(), fixture.clock.advance(120_000).then(() => 'nothing')]);
    expect(await next).toBe('nothing');
  });

  it('break a watch after a while', async () => {
    fixture.api.faults.add({
      match: ({ verb }) => verb === 'watch',
      effect: { kind: 'watch', mode: 'break', afterMs: 1_000 },
    });
    const watch = await fixture.watch(`${PATH}?watch=true&resourceVersion=${fixture.store.version}`);
    const next = watch.next().catch((error: unknown) => error);
    await fixture.clock.advance(1_000);
    expect(await next).toMatchObject({ code: 'ECONNRESET' });
  });

  it('hold a watch back, in order', async () => {
    fixture.api.faults.add({
      match: ({ verb }) => verb === 'watch',
      effect: { kind: 'watch', mode: 'hold', ms: 10_000 },
    });
    const watch = await fixture.watch(`${PATH}?watch=true&resourceVersion=${fixture.store.version}`);
    await fixture.ask('POST', PATH, configMap('b'));
    await fixture.ask('POST', PATH, configMap('c'));
    let seen: readonly string[] = [];
    const taken = watch.take(2).then((events) => {
      seen = events;
    });
    await fixture.clock.advance(9_999);
    expect(seen).toEqual([]);
    await fixture.clock.advance(1);
    await taken;
    expect(seen).toEqual(['ADDED b', 'ADDED c']);
  });

  it('tell observers of every request and of every change with both states, the user and the body', async () => {
    const requests: string[] = [];
    const writes: WriteRecord[] = [];
    fixture.api.faults.onRequest(({ verb, resource, name, user }) =>
      requests.push(`${user} ${verb} ${resource}/${name}`),
    );
    fixture.api.faults.onWrite((record) => writes.push(record));
    await put('v');
    await put('v');
    expect(requests).toEqual(Array(2).fill('kubernetes-admin patch configmaps/a'));
    expect(writes).toHaveLength(1);
    expect(writes[0]).toMatchObject({
      type: 'MODIFIED',
      before: { data: {} },
      after: { data: { k: 'v' } },
      body: '{"data":{"k":"v"}}',
    });
    expect(fixture.api.faults.requests.get('patch')).toBe(2);
  });
});
