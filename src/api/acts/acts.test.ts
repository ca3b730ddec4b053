import { afterEach, describe, expect, it } from 'vitest';
import { ApiWorld, adminAddress, userAddress } from '../../../test/support/api-world.ts';

let world: ApiWorld;
afterEach(() => world.stop());

const standDownKey = (parts: object) => ({ stand_down: JSON.stringify(parts) });
const byConfiguration = { configuration: { at: '2026-01-05T10:00:00Z' } };
const byAdmin = { admin: { actor: 'eve@example.com', at: '2026-01-05T10:00:00Z' } };

async function start(options: Parameters<typeof ApiWorld.start>[0] = {}): Promise<string> {
  world = await ApiWorld.start(options);
  return world.token(adminAddress);
}

const unlicensed = {
  authority: { publicKeys: [], verify: () => false },
};

describe('POST /api/v1/stand-down', () => {
  it('answers 200 with the summary', async () => {
    const token = await start();
    const at = new Date(world.clock.now()).toISOString();
    const answer = await world.call('standDown', { body: { reason: ' scaled \n what it must not ' } }, token);
    expect(answer.statusCode).toBe(200);
    expect(answer.json().standDown).toEqual({
      source: 'admin',
      actor: adminAddress,
      at: expect.stringMatching(at.slice(0, 10)),
      reason: 'scaled what it must not',
      configuration: false,
      handbackDone: false,
    });
  });

  const refusals = {
    'a reason that contains a URL': [
      { reason: 'see https://example.com' },
      400,
      'reason_contains_url',
      'The reason must not contain a URL.',
    ],
    'a reason of 51 characters': [
      { reason: 'x'.repeat(51) },
      400,
      'reason_too_long',
      'The reason has 51 characters; at most 50 are allowed.',
    ],
    'a reason that is no text': [{ reason: 5 }, 400, 'invalid_request', 'reason must be a text.'],
    'a field that is not known': [{ why: 'x' }, 400, 'invalid_request', 'why is not known here; known are reason.'],
  } as const;
  for (const [name, [body, status, code, message]] of Object.entries(refusals)) {
    it(`refuses ${name}, and writes nothing`, async () => {
      const token = await start();
      const answer = await world.call('standDown', { body }, token);
      expect([answer.statusCode, answer.json().code, answer.json().message]).toEqual([status, code, message]);
      expect(world.stateData()).toBeUndefined();
    });
  }

  it('takes 50 characters that are more than 50 UTF-16 units', async () => {
    const token = await start();
    expect((await world.call('standDown', { body: { reason: '😀'.repeat(50) } }, token)).statusCode).toBe(200);
  });

  it('is 401 without a sign-in and 403 for who is no admin', async () => {
    await start();
    const stranger = await world.call('standDown');
    expect([stranger.statusCode, stranger.json()]).toEqual([
      401,
      { code: 'unauthenticated', message: 'Sign in first.' },
    ]);
    const user = await world.call('standDown', {}, await world.token(userAddress));
    expect([user.statusCode, user.json()]).toEqual([403, { code: 'forbidden', message: 'Only an admin may do this.' }]);
  });

  it('is 409 already_stood_down while an admin stand-down holds', async () => {
    const token = await start({ state: standDownKey(byAdmin) });
    const answer = await world.call('standDown', {}, token);
    expect([answer.statusCode, answer.json()]).toEqual([
      409,
      { code: 'already_stood_down', message: 'An admin has already stood the service down.' },
    ]);
  });

  it.each([
    ['before anything was lowered', 0],
    ['after a life of the controller', 7],
    ['when a clock was ahead', 9_000_000_000_000],
  ])('makes every lowering that was decided before it an older one: %s', async (_, before) => {
    const token = await start({ state: { epoch: String(before) } });
    await world.call('standDown', {}, token);
    const after = Number(world.stateData()?.['epoch']);
    expect(after).toBeGreaterThan(before);
    expect(after).toBeGreaterThanOrEqual(Math.min(world.clock.now(), before + 1));
    await world.call('endStandDown', {}, token);
    expect(Number(world.stateData()?.['epoch'])).toBe(after);
  });

  it('does without that while the number cannot be decoded', async () => {
    const token = await start({ state: { epoch: 'spoilt' } });
    expect((await world.call('standDown', {}, token)).statusCode).toBe(200);
    expect(world.stateData()?.['epoch']).toBe('spoilt');
  });

  it('adds to a stand-down of the configuration', async () => {
    const token = await start({ state: standDownKey(byConfiguration) });
    const answer = await world.call('standDown', {}, token);
    expect(answer.json().standDown).toMatchObject({ source: 'admin', configuration: true });
  });
});

describe('DELETE /api/v1/stand-down', () => {
  const rows = {
    'ends the stand-down of an admin': [byAdmin, 200, { standDown: null }],
    'leaves the one of the configuration': [
      { ...byAdmin, ...byConfiguration },
      200,
      { standDown: { source: 'configuration', actor: 'configuration', configuration: true } },
    ],
    'cannot end the one of the configuration': [
      byConfiguration,
      409,
      {
        code: 'stand_down_by_configuration',
        message: 'The configuration holds the stand-down: only setting config.global.enabled to true ends it.',
      },
    ],
    'is refused when none holds': [{}, 409, { code: 'not_stood_down', message: 'The service is not stood down.' }],
  } as const;
  for (const [name, [held, status, body]] of Object.entries(rows)) {
    it(name, async () => {
      const token = await start({ state: standDownKey(held) });
      const answer = await world.call('endStandDown', {}, token);
      expect(answer.statusCode).toBe(status);
      expect(answer.json()).toMatchObject(body);
    });
  }
});

describe('acts that would scale', () => {
  const stops = {
    'an admin stand-down': [{ state: standDownKey(byAdmin) }, 'stood_down', ['stand_down']],
    'a stand-down of the configuration': [{ state: standDownKey(byConfiguration) }, 'stood_down', ['stand_down']],
    'a stand-down and the license': [
      { state: standDownKey(byAdmin), ...unlicensed },
      'stood_down',
      ['stand_down', 'license'],
    ],
    'the license alone': [unlicensed, 'unlicensed', undefined],
  } as const;
  for (const [name, [options, code, causes]] of Object.entries(stops)) {
    it(`are refused by ${name}, before any write`, async () => {
      const token = await start(options);
      const before = world.stateData();
      for (const id of ['triggerHibernation', 'wakeUp', 'resumeSchedule'] as const) {
        const answer = await world.call(id, {}, token);
        expect([id, answer.statusCode, answer.json().code]).toEqual([id, 409, code]);
        expect(answer.json().details?.causes).toEqual(causes);
      }
      expect(world.stateData()).toEqual(before);
    });
  }

  it('leave external wakes, reads and changes of the schedule alone', async () => {
    const token = await start({
      state: standDownKey(byAdmin),
      config: { externalWake: { enabled: true, localClusterName: 'test', clusters: [] } },
      features: { externalWake: { verify: async () => ({ ok: true, cluster: 'dependent' }) } },
    });
    expect((await world.call('externalWake')).statusCode).toBe(200);
    expect((await world.call('hibernationStatus', {}, token)).json().standDown.actor).toBe('eve@example.com');
    const override = { params: { date: '2026-01-06' }, body: { hours: 'off' } };
    expect((await world.call('setScheduleOverride', override, token)).statusCode).toBe(200);
  });

  it('write one intent each, with who and an entry for the audit log', async () => {
    const token = await start({
      state: { phase: JSON.stringify({ phase: 'hibernated', since: '2026-01-05T01:00:00Z' }) },
    });
    await world.call('wakeUp', { body: { duration: '2h' } }, token);
    const override = JSON.parse(world.stateData()?.['wake_override'] ?? '');
    expect(Date.parse(override.until) - Date.parse(override.at)).toBeGreaterThan(7_100_000);
    await world.call('triggerHibernation', {}, token);
    const manual = JSON.parse(world.stateData()?.['manual_hibernation'] ?? '');
    expect(Date.parse(manual.at)).toBeGreaterThan(Date.parse(override.at) - 1);
    const audit = await world.call('audit', {}, token);
    expect(audit.json().entries.map(({ title, actor }: Record<string, string>) => [title, actor])).toEqual([
      ['Manual Hibernation Requested', adminAddress],
      ['Wake Requested', adminAddress],
    ]);
    const resumed = await world.call('resumeSchedule', {}, token);
    expect(resumed.json().message).toBe('The schedule decides again.');
    expect(world.stateData()).not.toHaveProperty('wake_override');
    expect(world.stateData()).not.toHaveProperty('manual_hibernation');
  });

  it('a wake of a running cluster moves the expiry forward and leaves the entry to the controller', async () => {
    const token = await start();
    const first = (await world.call('wakeUp', { body: { duration: '6h' } }, token)).json();
    const second = (await world.call('wakeUp', { body: { duration: '1h' } }, token)).json();
    expect([first.renewal, second.renewal]).toEqual([true, true]);
    expect(second.wakeOverride.until).toBe(first.wakeOverride.until);
    expect(world.stateData()).not.toHaveProperty('outbox');
    expect([first.keptEnd, second.keptEnd]).toEqual([false, true]);
    expect([first.awakeUntil, second.message]).toEqual([
      '2026-01-05T19:00:00.000Z',
      'The cluster already runs; it stays awake until 2026-01-05T17:00:00.000Z. It is up after that too, by itself, until 2026-01-05T19:00:00.000Z. An earlier wake lasts longer, and is not shortened; name a time (`until`) to set the end.',
    ]);
  });

  it('a wake after a hibernation by hand does not bring the end of the wake before it back', async () => {
    const token = await start();
    await world.call('wakeUp', { body: { duration: '12h' } }, token);
    await world.call('triggerHibernation', { body: {} }, token);
    await world.clock.advance(60_000);
    const { wakeOverride, keptEnd } = (await world.call('wakeUp', { body: { duration: '9h' } }, token)).json();
    expect([wakeOverride.until, keptEnd]).toEqual(['2026-01-05T20:01:00.000Z', false]);
  });

  it.each([
    ['wakeUp', { body: { duration: '1h' } }],
    ['triggerHibernation', { body: {} }],
    ['resumeSchedule', {}],
    ['setScheduleOverride', { params: { date: '2026-01-06' }, body: { hours: 'on' } }],
  ] as const)('%s goes through while the outbox cannot be decoded, which is moved aside', async (id, parts) => {
    const phase = JSON.stringify({ phase: 'hibernated', since: '2026-01-04T20:00:00Z' });
    const wakeOverride = { until: '2026-01-05T20:00:00Z', by: 'eve@example.com', at: '2026-01-05T10:00:00Z' };
    const spoilt = { outbox: '{broken', phase, wake_override: JSON.stringify(wakeOverride) };
    const token = await start({ state: spoilt });
    const answer = await world.call(id, parts, token);
    expect([answer.statusCode, answer.json().code]).toEqual([200, undefined]);
    expect(world.stateData()).toMatchObject({
      outbox: expect.stringContaining(adminAddress),
      outbox_set_aside: '{broken',
    });
    const said = world.log.filter(({ message }) => message.startsWith('The outbox cannot be decoded'));
    expect(said.map(({ level, fields }) => [level, fields['key']])).toEqual([['error', 'outbox']]);
  });

  const badInput = {
    'a time that has passed': [
      'wakeUp',
      { until: '2026-01-01T00:00:00Z' },
      'until is 2026-01-01T00:00:00.000Z, which has passed: it is 2026-01-05T11:00:00.000Z now; give a later time.',
    ],
    'a time that is none': ['wakeUp', { until: 'tomorrow' }, 'until must be a time such as 2026-12-24T18:00:00Z.'],
    'more than a week': [
      'wakeUp',
      { duration: '169h' },
      'duration is more than 168h away; change the schedule instead.',
    ],
    'a duration without unit': ['wakeUp', { duration: '4' }, 'duration "4" has no unit; write "4s" for seconds.'],
    'both at once': [
      'wakeUp',
      { duration: '4h', until: '2026-01-06T00:00:00Z' },
      'until and duration cannot both be given.',
    ],
    'a hibernation until yesterday': [
      'triggerHibernation',
      { until: '2026-01-04T00:00:00Z' },
      'until is 2026-01-04T00:00:00.000Z, which has passed: it is 2026-01-05T11:00:00.000Z now; give a later time.',
    ],
  } as const;
  for (const [name, [id, body, message]] of Object.entries(badInput)) {
    it(`refuse ${name}`, async () => {
      const token = await start();
      const answer = await world.call(id, { body }, token);
      expect([answer.statusCode, answer.json().code, answer.json().message]).toEqual([400, 'invalid_request', message]);
    });
  }
});
