import { afterEach, describe, expect, it } from 'vitest';
import {
  ApiWorld,
  type ApiWorldOptions,
  adminAddress,
  deployment,
  internalSecret,
  userAddress,
} from '../../../test/support/api-world.ts';

let world: ApiWorld;
afterEach(() => world.stop());

async function start(options: ApiWorldOptions = {}): Promise<string> {
  world = await ApiWorld.start({ objects: [deployment('shop', 'cart'), deployment('shop', 'web')], ...options });
  const token = await world.token(userAddress);
  await world.pass(60_000);
  return token;
}
const status = async (token: string) => (await world.call('hibernationStatus', {}, token)).json();
const at = '2026-01-05T10:00:00Z';
const night = Date.UTC(2026, 0, 5, 22);
const wake = {
  version: 1,
  kind: 'wake',
  id: 'wake-1',
  startedAt: at,
  trigger: { actor: adminAddress, cause: 'wake_override' },
  payload: {},
};

describe('the status', () => {
  it('of a wake that waits for a hosting cluster says for whom and until when', async () => {
    const until = Date.UTC(2026, 0, 5, 11, 5);
    const hosts = [{ cluster: 'hub', until, why: 'no answer came' }];
    const token = await start({ state: { transition: JSON.stringify({ ...wake, payload: { hosts } }) } });
    const told = [{ cluster: 'hub', until: '2026-01-05T11:05:00.000Z', why: 'no answer came' }];
    expect(await status(token)).toMatchObject({
      state: 'waking',
      sentence: 'Waking up, waiting for hosting cluster hub until 12:05 (Europe/Berlin), 2 of 2 up',
      transition: { id: 'wake-1', hosts: told },
    });
    const admin = await world.token(adminAddress);
    expect((await world.call('wakeStatus', {}, admin)).json()).toMatchObject({
      waking: true,
      transition: { hosts: told },
    });
  });

  it('of a cluster that never hibernated', async () => {
    const token = await start();
    expect(await status(token)).toEqual({
      now: '2026-01-05T11:01:00.000Z',
      clusterName: 'test',
      active: false,
      state: 'awake',
      sentence: 'Awake until 20:00 (Europe/Berlin), 2 of 2 up',
      wanted: 'awake',
      reason: {
        code: 'working_hours',
        text: 'Awake until 20:00 (Europe/Berlin): working hours of Monday 08:00-20:00',
      },
      nextChangeAt: '2026-01-05T19:00:00.000Z',
      timezone: 'Europe/Berlin',
      dryRun: false,
      standDown: null,
      causes: [],
      license: { verdict: 'licensed', acts: true, chip: null },
      wakeOverride: null,
      manualHibernation: null,
      unacted: {
        awake: true,
        text: 'Awake until 20:00 (Europe/Berlin): working hours of Monday 08:00-20:00',
        until: '2026-01-05T19:00:00.000Z',
      },
      transition: null,
      workloads: {
        managed: 2,
        up: 2,
        starting: 0,
        down: 0,
        hibernated: 0,
        wouldSleep: 2,
        excluded: expect.any(Number),
      },
    });
  });

  const rows: Readonly<Record<string, readonly [ApiWorldOptions, object]>> = {
    'that sleeps': [
      { startAt: night, state: { phase: JSON.stringify({ phase: 'hibernated', since: '2026-01-05T19:00:00Z' }) } },
      {
        active: true,
        state: 'hibernated',
        since: '2026-01-05T19:00:00.000Z',
        wanted: 'hibernated',
        sentence: 'Hibernated until Tuesday 08:00 (Europe/Berlin), 2 of 2 up',
      },
    ],
    'that is up in a dry run, though it would sleep: a time zone belongs to a time': [
      { startAt: night, config: { operations: { dryRun: true } } },
      { state: 'awake', wanted: 'hibernated', sentence: 'Awake, 2 of 2 up' },
    ],
    'that wakes': [
      { state: { transition: JSON.stringify(wake) } },
      {
        active: false,
        state: 'waking',
        transition: { kind: 'wake', id: 'wake-1', actor: adminAddress },
        sentence: 'Waking up, 2 of 2 up',
      },
    ],
    'that goes to sleep': [
      { state: { transition: JSON.stringify({ ...wake, kind: 'hibernation' }) } },
      { active: true, state: 'hibernating', sentence: 'Going to sleep, 2 of 2 up' },
    ],
    'that is stood down by the configuration': [
      { state: { stand_down: JSON.stringify({ configuration: { at } }) } },
      {
        standDown: {
          source: 'configuration',
          actor: 'configuration',
          at: '2026-01-05T10:00:00.000Z',
          configuration: true,
          handbackDone: false,
        },
        causes: ['stand_down'],
        wanted: 'handback',
      },
    ],
    'that is held awake': [
      { startAt: night, state: { wake_override: JSON.stringify({ until: '2026-01-06T02:00:00Z', by: 'ada', at }) } },
      {
        wanted: 'awake',
        wakeOverride: { until: '2026-01-06T02:00:00.000Z', by: 'ada' },
        reason: { code: 'wake_override' },
      },
    ],
    'whose wake override has run out': [
      { startAt: night, state: { wake_override: JSON.stringify({ until: '2026-01-05T21:00:00Z', by: 'ada', at }) } },
      { wanted: 'hibernated', wakeOverride: null },
    ],
    'that was kept awake and then put to sleep by hand: the later act counts, and is the one that is told': [
      {
        startAt: night,
        state: {
          wake_override: JSON.stringify({ until: '2026-01-06T02:00:00Z', by: 'ada', at }),
          manual_hibernation: JSON.stringify({ by: 'bob', at: '2026-01-05T20:00:00Z' }),
        },
      },
      { wanted: 'hibernated', wakeOverride: null, manualHibernation: { by: 'bob' } },
    ],
    'that was put to sleep by hand and then woken': [
      {
        startAt: night,
        state: {
          wake_override: JSON.stringify({ until: '2026-01-06T02:00:00Z', by: 'ada', at: '2026-01-05T20:00:00Z' }),
          manual_hibernation: JSON.stringify({ by: 'bob', at }),
        },
      },
      { wanted: 'awake', wakeOverride: { by: 'ada' }, manualHibernation: null },
    ],
    'without a license': [
      { authority: { publicKeys: [], verify: () => false } },
      {
        causes: ['license'],
        license: { verdict: 'unlicensed', acts: false, chip: { text: 'Not scaling - unlicensed' } },
      },
    ],
    'in dry run': [{ config: { operations: { dryRun: true } } }, { dryRun: true, standDown: null }],
    'with a cleared wake_override': [{ state: { wake_override: '' } }, { wakeOverride: null, state: 'awake' }],
  };
  for (const [name, [options, expected]] of Object.entries(rows)) {
    it(`of a cluster ${name}`, async () => {
      expect(await status(await start(options))).toMatchObject(expected);
    });
  }
});

describe('the status for visitors', () => {
  it('names no person, workload or namespace', async () => {
    await start({
      state: { transition: JSON.stringify(wake), stand_down: JSON.stringify({ admin: { actor: adminAddress, at } }) },
    });
    const progress = {
      id: 'wake-1',
      up: 1,
      total: 2,
      tiers: [{ name: 'data', workloads: [{ workload: 'Deployment shop/cart' }] }],
    };
    await world.call('frames', { body: { kind: 'transition', payload: { kind: 'wake', progress } } }, internalSecret);
    const answer = await world.call('publicHibernationStatus');
    expect(answer.json()).toEqual({
      now: '2026-01-05T11:01:00.000Z',
      clusterName: 'test',
      active: false,
      state: 'waking',
      timezone: 'Europe/Berlin',
      progress: { up: 1, total: 2 },
    });
    for (const name of ['ada', 'shop', 'cart', 'data']) expect(answer.body).not.toContain(name);
  });

  it('names the key that cannot be decoded, and nothing of what is in it', async () => {
    const twice = { kind: 'Deployment', namespace: 'shop', name: 'cart', replicas: 1, uid: 'u', at };
    await start({
      config: { dashboardApi: { enabled: true } },
      state: { resource_states: JSON.stringify([twice, twice]) },
    });
    const token = await world.token(adminAddress);
    expect((await world.call('hibernationStatus', {}, token)).body).toContain('shop/cart is there twice');
    for (const id of ['publicHibernationStatus', 'dashboardStatus'] as const) {
      const answer = await world.call(id);
      expect([answer.statusCode, answer.json()]).toEqual([
        503,
        {
          code: 'managed_state_unavailable',
          message: 'The value of resource_states in ConfigMap svc-state cannot be decoded.',
          details: { key: 'resource_states' },
        },
      ]);
    }
  });

  it('shows no progress of another wake, nor of a frame that is none', async () => {
    await start({ state: { transition: JSON.stringify(wake) } });
    for (const payload of [
      { progress: { id: 'wake-0', up: 1, total: 2 } },
      'x',
      null,
      { progress: { id: 'wake-1', up: -1 } },
    ]) {
      await world.call('frames', { body: { kind: 'transition', payload } }, internalSecret);
      expect((await world.call('publicHibernationStatus')).json()).not.toHaveProperty('progress');
    }
  });
});

describe('the wake status', () => {
  it('carries the progress that the controller told', async () => {
    await start({ state: { transition: JSON.stringify(wake) } });
    const token = await world.token(adminAddress);
    const payload = { kind: 'wake', progress: { id: 'wake-1', up: 1, total: 2 } };
    await world.call('frames', { body: { kind: 'transition', payload } }, internalSecret);
    expect((await world.call('wakeStatus', {}, token)).json()).toMatchObject({
      waking: true,
      transition: { id: 'wake-1' },
      wakeOverride: null,
      progress: payload,
    });
  });
});

describe('the status while another cluster needs a part', () => {
  it('says in one voice until when the cluster sleeps: the end of the session changes nothing of that', async () => {
    const session = {
      id: 's',
      cluster: 'shop-dev',
      resources: [{ namespace: 'shop' }],
      startedAt: '2026-01-05T20:30:00Z',
      expiresAt: '2026-01-05T23:00:00Z',
    };
    await start({
      startAt: Date.UTC(2026, 0, 5, 21),
      state: {
        phase: JSON.stringify({ phase: 'hibernated', since: '2026-01-05T19:00:00Z' }),
        external_wake_sessions: JSON.stringify([session]),
      },
    });
    const answer = (await world.call('hibernationStatus', {}, await world.token(adminAddress))).json();
    expect(answer.sentence.split(',')[0]).toBe(answer.reason.text.split(':').slice(0, 2).join(':'));
    expect(answer.keptUp).toEqual([{ cluster: 'shop-dev', until: '2026-01-05T23:00:00.000Z', workloads: 2 }]);
    expect(answer.nextChangeAt).toBe('2026-01-05T23:00:00.000Z');
  });
});

describe('the dashboard', () => {
  it('counts resources, sessions and databases', async () => {
    const session = { id: 's', cluster: 'a', resources: [], startedAt: at, expiresAt: '2026-01-06T10:00:00Z' };
    await start({
      config: {
        dashboardApi: { enabled: true },
        externalWake: { enabled: true, localClusterName: 'x' },
        databases: {
          orders: { provider: 'aws', type: 'instance', identifier: 'orders', region: 'eu-central-1' },
          users: { provider: 'aws', type: 'cluster', identifier: 'users', region: 'eu-central-1' },
        },
      },
      state: {
        external_wake_sessions: JSON.stringify([session, { ...session, id: 'old', expiresAt: at }]),
        ignored_resources: JSON.stringify([{ kind: 'Deployment', namespace: 'a', name: 'b', reason: 'c' }]),
        database_states: JSON.stringify({ orders: { status: 'stopped', stoppedByUs: true, at } }),
      },
    });
    expect((await world.call('dashboardStatus')).json()).toMatchObject({
      resources: { managed: 2, up: 2, hibernated: 0, excluded: 1 },
      externalWake: { enabled: true, activeSessions: 1 },
      databases: { configured: 2, statuses: { orders: 'stopped' } },
    });
  });
});
