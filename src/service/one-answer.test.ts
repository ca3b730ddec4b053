import { afterEach, describe, expect, it } from 'vitest';
import { deployment } from '../../test/support/api-world.ts';
import { HouseWorld } from '../../test/support/house-world.ts';
import { communityLicense } from '../domain/license/community.ts';
import type { Databases } from '../ports/databases.ts';

let house: HouseWorld;
afterEach(() => house.stop());

/** Noon in Berlin on Christmas Day, a Friday. */
const christmasNoon = Date.UTC(2026, 11, 25, 11);
const objects = [
  { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } } as const,
  deployment('shop', 'cart'),
];
const inWords = 'Hibernated until Monday 08:00 (Europe/Berlin): holiday Christmas Day (DE)';

describe('a public holiday that is acted on', () => {
  const config = { holidays: { regions: ['DE'], act: true } };

  it('is a day off for the controller, the api and the command line alike', async () => {
    house = await HouseWorld.start({ startAt: christmasNoon, objects, config });
    await house.until(() => house.replicas('shop', 'cart') === 0);
    await house.clock.advance(60_000);
    expect((await house.ask('hibernationStatus')).reason.text).toBe(inWords);
    expect(await house.svc('status')).toContain(`Why: ${inWords}`);
    const [today] = (await house.ask('schedule')).plan.days;
    expect(today).toMatchObject({ date: '2026-12-25', hours: 'off', source: 'holiday', label: 'Christmas Day (DE)' });
    expect(today).toMatchObject({ holidays: [{ name: 'Christmas Day', region: 'DE' }] });
    expect(await house.svc('plan')).toMatch(/^2026-12-25 +friday +off +holiday +Christmas Day \(DE\)/m);
  });

  it('is one from a reload on', async () => {
    house = await HouseWorld.start({ startAt: christmasNoon, objects });
    await house.clock.advance(60_000);
    expect(house.replicas('shop', 'cart')).toBe(2);
    house.configure(config);
    await house.until(() => house.replicas('shop', 'cart') === 0);
    await house.clock.advance(60_000);
    expect((await house.ask('hibernationStatus')).reason.text).toBe(inWords);
    expect(await house.svc('status')).toContain(inWords);
  });
});

describe('a public holiday that is only shown', () => {
  it('is named in the calendar of the api and the command line, and changes no hours', async () => {
    const config = { holidays: { regions: ['DE', 'DE-BY'] } };
    house = await HouseWorld.start({ startAt: christmasNoon, objects, config });
    await house.clock.advance(60_000);
    expect(house.replicas('shop', 'cart')).toBe(2);
    const [today, , , monday] = (await house.ask('schedule')).plan.days;
    expect(today).toMatchObject({
      hours: '08:00-20:00',
      source: 'schedule',
      holidays: [
        { name: 'Christmas Day', region: 'DE' },
        { name: 'Christmas Day', region: 'DE-BY' },
      ],
    });
    expect(monday).toMatchObject({ holidays: [] });
    expect(await house.svc('plan')).toMatch(
      /^2026-12-25 +friday +08:00-20:00 +schedule +Working hours; Christmas Day \(DE, DE-BY\)/m,
    );
  });
});

describe('a license that is gone while a database is still stopped', () => {
  it('is handing everything back, in the same words for the controller, the api and the command line', async () => {
    const started: string[] = [];
    const databases: Databases = {
      read: async () => ({ condition: 'stopped' }),
      stop: async () => ({ outcome: 'done' }),
      async start(name) {
        started.push(name);
        return { outcome: 'refused', status: 403, message: 'not authorized' };
      },
    };
    const orders = { provider: 'aws', type: 'instance', identifier: 'orders', region: 'eu-west-1' };
    house = await HouseWorld.start({
      startAt: Date.UTC(2026, 0, 5, 11),
      objects,
      config: { databases: { orders } },
      license: 'not a license',
      state: {
        database_states: JSON.stringify({
          orders: { status: 'stopped', stoppedByUs: true, at: '2026-01-04T20:00:00Z' },
        }),
      },
      databases,
    });
    await house.until(() => started.length > 0);
    expect(house.log.some(({ message }) => message.startsWith('Handback not finished'))).toBe(true);
    const words = 'Handing everything back: unlicensed';
    expect((await house.ask('hibernationStatus')).reason.text).toBe(words);
    expect(await house.svc('status')).toContain(`Why: ${words}`);
  });
});

describe('a session of another cluster, after hours', () => {
  it('keeps the cluster up, in the same words for the controller, the api and the command line', async () => {
    const startAt = Date.UTC(2026, 0, 5, 21);
    const session = {
      id: 'branch-1',
      cluster: 'branch',
      resources: [],
      startedAt: '2026-01-05T20:30:00.000Z',
      expiresAt: '2026-01-06T01:00:00.000Z',
    };
    house = await HouseWorld.start({
      startAt,
      objects,
      state: { external_wake_sessions: JSON.stringify([session]) },
    });
    await house.clock.advance(60_000);
    expect(house.replicas('shop', 'cart')).toBe(2);
    const { reason, wanted } = await house.ask('hibernationStatus');
    expect([wanted, reason.text]).toEqual(['awake', expect.stringContaining('branch')]);
    expect(await house.svc('status')).toContain(`Why: ${reason.text}`);
  });
});

describe('a key that could say that the cluster is to stay up, and cannot be decoded', () => {
  const wakePayload = {
    kind: 'wake',
    version: 1,
    id: 'w1',
    startedAt: '2026-01-05T20:50:00.000Z',
    payload: { tiers: [null] },
  };
  const trigger = { actor: 'schedule', cause: 'working_hours' };
  const spoilt: readonly (readonly [string, string])[] = [
    ['external_wake_sessions', 'not JSON'],
    ['transition', JSON.stringify({ ...wakePayload, trigger })],
  ];

  it.each(spoilt)(
    'holds the cluster up for the controller, the api and the command line alike: %s',
    async (key, text) => {
      house = await HouseWorld.start({ startAt: Date.UTC(2026, 0, 5, 21), objects, state: { [key]: text } });
      await house.clock.advance(120_000);
      expect(house.replicas('shop', 'cart')).toBe(2);
      const { reason } = await house.ask('hibernationStatus');
      expect(reason).toMatchObject({
        code: 'state_undecodable',
        text: expect.stringContaining(`${key} cannot be decoded`),
      });
      expect(await house.svc('status')).toContain(`Why: ${reason.text}`);
      const held = house.log.filter(({ message }) => message.startsWith('Nothing is scaled until'));
      expect(held.at(-1)?.fields).toMatchObject({ wanted: 'hibernated', held: [key], reason: reason.text });
    },
  );
});

describe('a license that is gone while the databases cannot be read', () => {
  it('is handing back for as long as nobody can tell that all of them run', async () => {
    house = await HouseWorld.start({
      startAt: Date.UTC(2026, 0, 5, 11),
      objects,
      license: 'not a license',
      state: { database_states: 'not JSON' },
    });
    await house.clock.advance(60_000);
    expect(house.log.some(({ message }) => message.startsWith('Handback not finished'))).toBe(true);
    const words = 'Handing everything back: unlicensed';
    expect((await house.ask('hibernationStatus')).reason.text).toBe(words);
    expect(await house.svc('status')).toContain(`Why: ${words}`);
  });
});

describe('a license that not everybody can read', () => {
  const startAt = Date.UTC(2026, 0, 5, 11);
  const day = 86_400_000;
  const cases = [
    ['nobody, for a while', ['svc-controller', 'svc-api'], 0, 'unverified'],
    ['nobody, for 15 days', ['svc-controller', 'svc-api'], 15, 'check_failed'],
    ['all but the controller, for a while', ['svc-controller'], 0, 'unverified'],
    ['all but the controller, for 15 days', ['svc-controller'], 15, 'check_failed'],
    ['all but the api, for 15 days', ['svc-api'], 15, 'licensed'],
  ] as const;

  it.each(cases)('is one verdict: %s', async (_name, accounts, days, verdict) => {
    house = await HouseWorld.start({ startAt, objects });
    await house.clock.advance(20_000);
    for (const account of accounts) house.forbid(account, 'configmaps');
    house.clock.jumpWallClock(days * day);
    // Longer than the controller waits between two looks.
    await house.clock.advance(3_600_000);
    await house.signIn();
    const acts = verdict !== 'check_failed';
    const api = await house.ask('license');
    expect([api.verdict, api.acts]).toEqual([verdict, acts]);
    expect(await house.svc('license')).toContain(verdict);
    expect(await house.figure('svc_license_acts')).toBe(acts ? 1 : 0);
    const { reason } = await house.ask('hibernationStatus');
    expect(await house.svc('status')).toContain(`Why: ${reason.text}`);
    expect(reason.text.includes('license')).toBe(!acts);
    expect(await house.act('triggerHibernation')).toEqual(acts ? [200, undefined] : [409, 'unlicensed']);
  });

  it('is judged without an earlier check by both in a dry run, which writes nothing down', async () => {
    house = await HouseWorld.start({ startAt, objects, config: { operations: { dryRun: true } } });
    await house.clock.advance(20_000);
    for (const account of ['svc-controller', 'svc-api']) house.forbid(account, 'configmaps');
    await house.clock.advance(3_600_000);
    await house.signIn();
    expect((await house.ask('license')).verdict).toBe('check_failed');
    expect(await house.figure('svc_license_acts')).toBe(0);
  });

  it('is good for all once a good one is set in a dry run, which renews nothing that was written down before', async () => {
    house = await HouseWorld.start({ startAt, objects, license: 'not a license' });
    await house.clock.advance(20_000);
    expect((await house.ask('license')).verdict).toBe('unlicensed');
    house.configure({ operations: { dryRun: true } });
    await house.clock.advance(20_000);
    house.setLicense(communityLicense);
    await house.clock.advance(60_000);
    expect(await house.figure('svc_license_acts')).toBe(1);
    expect((await house.ask('license')).verdict).toBe('licensed');
    expect(await house.svc('license')).not.toContain('unlicensed');
    expect((await house.ask('hibernationStatus')).reason.text).not.toContain('unlicensed');
    expect(await house.svc('status')).not.toContain('unlicensed');
  });
});

describe('a configuration that is refused', () => {
  const spoilt: readonly (readonly [string, Readonly<Record<string, unknown>>, string])[] = [
    ['a key that is not known', { workingHour: 1 }, 'workingHour'],
    ['a time zone that is none', { workingHours: { timezone: 'Mars/Olympus' } }, 'workingHours.timezone'],
    ['working hours of no shape', { workingHours: { schedule: [1, null] } }, 'workingHours.schedule'],
    ['no name of the cluster', { clusterName: '' }, 'clusterName'],
    [
      'everything wrong',
      { databases: 7, targeting: 'x', operations: [], auth: null, holidays: { regions: ['XX'] } },
      'targeting',
    ],
  ];

  it.each(spoilt)('keeps nobody from stopping everything by the command line: %s', async (_name, config, named) => {
    house = await HouseWorld.start({ startAt: Date.UTC(2026, 0, 5, 21), objects });
    await house.until(() => house.replicas('shop', 'cart') === 0);
    house.configure(config);
    await house.clock.advance(60_000);
    const out = await house.svc('stand-down', '--reason', 'incident');
    expect(out).toMatch(/^invalid configuration: /);
    expect(out).toContain(named);
    expect(out).toContain('The service goes on with its last good configuration');
    expect(await house.svc('state', 'verify')).toContain(named);
    await house.until(() => house.replicas('shop', 'cart') === 2);
  });
});
