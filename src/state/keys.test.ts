import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { calendarFeeds } from './access/calendar-feeds.ts';
import {
  allEndedBy,
  endedByPerson,
  endedSessions,
  mostEndedSessions,
  mostOfOnePerson,
  withEnded,
} from './access/ended-sessions.ts';
import { autoscalerProtection } from './autoscaler-protection.ts';
import type { StateCodec } from './codec/codec.ts';
import { databaseStates } from './database-states.ts';
import { epoch } from './epoch.ts';
import { externalWakeSessions } from './external-wake-sessions.ts';
import { ignoredResources } from './ignored-resources.ts';
import { manualHibernation } from './intents/manual-hibernation.ts';
import { scheduleOverrides } from './intents/schedule-overrides.ts';
import { wakeOverride } from './intents/wake-override.ts';
import { wakeRetries } from './intents/wake-retries.ts';
import { stateKeys, undecodableKeys } from './keys.ts';
import { licenseCheck } from './license-check.ts';
import { outbox } from './outbox.ts';
import { parameterSize } from './parameter-size.ts';
import { phase } from './phase.ts';
import { satellites } from './satellites.ts';
import { decodeState } from './snapshot.ts';
import { standDown } from './stand-down.ts';
import { transitionEnvelope } from './transition.ts';

const at = Date.parse('2026-11-13T19:00:00Z');
const later = at + 3_600_000;

interface Row {
  readonly codec: { readonly key: string; decode(text: string | undefined): unknown };
  readonly round: () => readonly [unknown, unknown];
  readonly stored: string;
  readonly encoded: string | undefined;
}

function row<T>(codec: StateCodec<T>, value: T, stored: string): Row {
  const encoded = codec.encode(value);
  return { codec, round: () => [codec.decode(encoded), { ok: true, value }], stored, encoded };
}

const rows: readonly Row[] = [
  row(
    calendarFeeds,
    [{ id: 'a', name: 'phone', token: 'hash', owner: 'sealed', at }],
    '[\n{"id":"a","name":"phone","token":"hash","owner":"sealed","at":"2026-11-13T19:00:00Z"}\n]',
  ),
  row(epoch, 42, '42'),
  row(
    endedSessions,
    [{ session: 'hash', at, until: later }],
    '[\n{"session":"hash","at":"2026-11-13T19:00:00Z","until":"2026-11-13T20:00:00Z"}\n]',
  ),
  row(endedSessions, [{ session: 'hash', until: later }], '[\n{"session":"hash","until":"2026-11-13T20:00:00Z"}\n]'),
  row(
    wakeOverride,
    { until: later, by: 'ada@example.com', at },
    '{"until":"2026-11-13T20:00:00Z","by":"ada@example.com","at":"2026-11-13T19:00:00Z"}',
  ),
  row(
    manualHibernation,
    { by: 'ada@example.com', at, until: later },
    '{"by":"ada@example.com","at":"2026-11-13T19:00:00Z","until":"2026-11-13T20:00:00Z"}',
  ),
  row(manualHibernation, { by: 'ada', at }, '{"by":"ada","at":"2026-11-13T19:00:00Z"}'),
  row(
    parameterSize,
    { parameter: '/svc/dev/statistics', bytes: 3600 },
    '{"parameter":"/svc/dev/statistics","bytes":3600}',
  ),
  row(
    ignoredResources,
    [
      { kind: 'Deployment', namespace: 'shop', name: 'cart', reason: 'excluded' },
      { kind: 'Deployment', namespace: 'shop', name: 'web', reason: 'excluded' },
      { kind: 'StatefulSet', namespace: 'shop', name: 'db', reason: 'never scaled' },
    ],
    '[\n{"kind":"Deployment","namespace":"shop","names":["cart","web"],"reason":"excluded"},\n' +
      '{"kind":"StatefulSet","namespace":"shop","name":"db","reason":"never scaled"}\n]',
  ),
  row(
    externalWakeSessions,
    [
      {
        id: 's1',
        cluster: 'edge',
        resources: [{ namespace: 'shop', type: 'Deployment', name: 'cart' }, { namespace: 'bank' }],
        startedAt: at,
        expiresAt: later,
      },
      { id: 's2', cluster: 'edge', resources: [], startedAt: at, expiresAt: later, origins: ['far', 'edge'] },
    ],
    '[\n{"id":"s1","cluster":"edge","resources":[{"namespace":"shop","type":"Deployment","name":"cart"},{"namespace":"bank"}],' +
      '"startedAt":"2026-11-13T19:00:00Z","expiresAt":"2026-11-13T20:00:00Z"},\n' +
      '{"id":"s2","cluster":"edge","resources":[],"startedAt":"2026-11-13T19:00:00Z","expiresAt":"2026-11-13T20:00:00Z",' +
      '"origins":["far","edge"]}\n]',
  ),
  row(
    databaseStates,
    new Map([
      ['__proto__', { status: 'available', stoppedByUs: false, at }],
      [
        'carts',
        {
          status: 'stopped',
          stoppedByUs: true,
          at,
          address: { type: 'cluster', identifier: 'carts-1', region: 'eu-central-1', profile: 'ops' },
        },
      ],
      ['orders', { status: 'stopped', stoppedByUs: true, at }],
    ]),
    '{\n"__proto__":{"status":"available","stoppedByUs":false,"at":"2026-11-13T19:00:00Z"},\n' +
      '"carts":{"status":"stopped","stoppedByUs":true,"at":"2026-11-13T19:00:00Z",' +
      '"address":{"type":"cluster","identifier":"carts-1","region":"eu-central-1","profile":"ops"}},\n' +
      '"orders":{"status":"stopped","stoppedByUs":true,"at":"2026-11-13T19:00:00Z"}\n}',
  ),
  row(
    satellites,
    [{ namespace: 'shop', name: 'web', uid: 'u', selector: { app: 'web' }, at }],
    '[\n{"namespace":"shop","name":"web","uid":"u","selector":{"app":"web"},"at":"2026-11-13T19:00:00Z"}\n]',
  ),
  row(
    scheduleOverrides,
    [{ date: '2026-12-24', hours: '08:00-12:00,13:00-14:00', by: 'ada', at, reason: 'Christmas Eve' }],
    '[\n{"date":"2026-12-24","hours":"08:00-12:00,13:00-14:00","by":"ada","at":"2026-11-13T19:00:00Z","reason":"Christmas Eve"}\n]',
  ),
  row(
    wakeRetries,
    [{ kind: 'Deployment', namespace: 'shop', name: 'cart', by: 'ada', at }],
    '[\n{"kind":"Deployment","namespace":"shop","name":"cart","by":"ada","at":"2026-11-13T19:00:00Z"}\n]',
  ),
  row(autoscalerProtection, { since: at }, '{"since":"2026-11-13T19:00:00Z"}'),
  row(
    phase,
    { phase: 'hibernated', since: at, wakeAnsweredAt: later, stoppedHalfway: true },
    '{"phase":"hibernated","since":"2026-11-13T19:00:00Z","wakeAnsweredAt":"2026-11-13T20:00:00Z","stoppedHalfway":true}',
  ),
  row(
    licenseCheck,
    { lastLicensedAt: at, latestSeenAt: later },
    '{"lastLicensedAt":"2026-11-13T19:00:00Z","latestSeenAt":"2026-11-13T20:00:00Z"}',
  ),
  row(
    transitionEnvelope,
    { kind: 'wake', id: 't1', startedAt: at, trigger: { actor: 'schedule', cause: 'schedule' }, payload: { tier: 1 } },
    '{"version":1,"kind":"wake","id":"t1","startedAt":"2026-11-13T19:00:00Z",' +
      '"trigger":{"actor":"schedule","cause":"schedule"},"payload":{"tier":1}}',
  ),
  row(
    standDown,
    {
      admin: { actor: 'ada', at, reason: 'release' },
      configuration: { at: later },
      handbackDone: true,
      unannounced: [{ id: 'c1', act: 'stood-down', source: 'admin', actor: 'ada', at, reason: 'release' }],
    },
    '{"admin":{"actor":"ada","at":"2026-11-13T19:00:00Z","reason":"release"},"configuration":{"at":"2026-11-13T20:00:00Z"},' +
      '"handbackDone":true,"unannounced":[{"id":"c1","act":"stood-down","source":"admin","actor":"ada",' +
      '"at":"2026-11-13T19:00:00Z","reason":"release"}]}',
  ),
  row(
    standDown,
    { ended: { actor: 'ada', at }, handbackDone: false, unannounced: [] },
    '{"ended":{"actor":"ada","at":"2026-11-13T19:00:00Z"}}',
  ),
];

describe('the stored form', () => {
  for (const { codec, stored, encoded, round } of rows) {
    it(`of ${codec.key} is exact and decodes to the same value: ${stored.slice(0, 50)}`, () => {
      expect(encoded).toBe(stored);
      const [decoded, expected] = round();
      expect(decoded).toEqual(expected);
    });
  }

  it('of an empty value is no key for objects, and an empty array or object otherwise', () => {
    expect(wakeOverride.encode(null)).toBeUndefined();
    expect(standDown.encode(standDown.empty)).toBeUndefined();
    expect(licenseCheck.encode({})).toBeUndefined();
    expect(outbox.encode([])).toBeUndefined();
    expect(ignoredResources.encode([])).toBe('[]');
    expect(databaseStates.encode(new Map())).toBe('{}');
  });
});

describe('ended sessions', () => {
  const one = (session: string, until: number, ended = at) => ({ session, at: ended, until });
  const many = (count: number) =>
    Array.from({ length: count }, (_, index) => one(`s${index}`, later + index, at + index));

  it('are kept until their tokens have expired, each once', () => {
    expect(withEnded([one('a', later), one('gone', at)], [one('a', later + 1), one('b', later)], at)).toEqual([
      one('b', later),
      one('a', later + 1),
    ]);
  });

  it('make room by what has expired first: a full list of those is empty', () => {
    const full = many(mostEndedSessions);
    expect(withEnded(full, [one('new', later + 10_000)], later + mostEndedSessions)).toEqual([
      one('new', later + 10_000),
    ]);
  });

  it('that are too many end with everything that was issued by then, and never live again', () => {
    const kept = withEnded([], many(mostEndedSessions + 5), at);
    expect(kept).toHaveLength(mostEndedSessions + 1);
    expect(kept.slice(0, 2)).toEqual([one('*', later + 4, at + 4), one('s5', later + 5, at + 5)]);
    expect(allEndedBy(kept)).toBe(at + 4);
    const next = withEnded(kept, [one('new', later + 10_000, at + 10_000)], at);
    expect([next.length, next[0], next[1]?.session]).toEqual([
      mostEndedSessions + 1,
      one('*', later + 5, at + 5),
      's6',
    ]);
    // Read back, added to what ends meanwhile, and past its own time.
    expect(endedSessions.decode(endedSessions.encode(next))).toEqual({ ok: true, value: next });
    expect(withEnded(next, kept, at)).toEqual(next);
    expect(withEnded(next, [], later + 5)[0]?.session).toBe('s6');
  });

  const his = (index: number) => ({ ...one(`h${index}`, later + 5_000 + index, at + index), of: 'him' });

  it('of one person are told apart to a number, and beyond it end with what was issued to that person alone', () => {
    let kept: ReturnType<typeof withEnded> = [one('mine', later)];
    for (let index = 0; index < 1_000; index++) kept = withEnded(kept, [his(index)], at);
    const [most] = mostOfOnePerson;
    expect(kept).toHaveLength(1 + most);
    expect(kept.map(({ session }) => session)).toEqual(expect.arrayContaining(['mine', '*', 'h999', 'h981']));
    const until = 999 - (most - 1);
    expect([allEndedBy(kept), [...endedByPerson(kept)]]).toEqual([0, [['him', at + until]]]);
    expect(endedSessions.decode(endedSessions.encode(kept))).toEqual({ ok: true, value: kept });
    expect(withEnded(kept, kept, at)).toEqual(kept);
  });

  it('of people who have many each make room among their own before it reaches everybody', () => {
    const crowd = Array.from({ length: 100 }, (_, person) =>
      Array.from({ length: 20 }, (_, index) => ({ ...his(20 * person + index), of: `one${person}` })),
    ).flat();
    const kept = withEnded([one('mine', later)], crowd, at);
    expect(kept.length).toBeLessThanOrEqual(mostEndedSessions);
    expect([allEndedBy(kept), kept[0], endedByPerson(kept).size]).toEqual([0, one('mine', later), 100]);
  });

  it('of an older release that are too many end with everything until now', () => {
    const old = many(mostEndedSessions + 1).map(({ session, until }) => ({ session, until }));
    expect(withEnded([], old, at + 7)[0]).toEqual(one('*', later, at + 7));
  });
});

describe('what counts as empty', () => {
  for (const { key, decode } of stateKeys) {
    it(`an absent ${key}`, () => expect(decode(undefined)).toMatchObject({ ok: true }));
  }
  for (const text of ['', ' \n', '{}']) {
    it(`${JSON.stringify(text)} as wake_override`, () =>
      expect(wakeOverride.decode(text)).toEqual({ ok: true, value: null }));
    it(`${JSON.stringify(text)} as stand_down`, () =>
      expect(standDown.decode(text)).toEqual({ ok: true, value: { handbackDone: false, unannounced: [] } }));
  }
});

const session = '"id":"s","cluster":"c","resources":[],"startedAt":"2026-11-13T19:00:00Z"';
const envelope = '"kind":"wake","id":"t","startedAt":"2026-11-13T19:00:00Z","trigger":{"actor":"a","cause":"c"}';
const override = '"by":"ada","at":"2026-11-13T19:00:00Z"';

const refused: readonly (readonly [string, string, string])[] = [
  ['wake_override', '[]', 'it must be an object, not an array.'],
  ['wake_override', 'null', 'it must be an object, not null.'],
  ['wake_override', '{"until":"soon"}', 'field until must be a UTC time such as 2026-01-31T18:00:00Z, not "soon".'],
  [
    'wake_override',
    `{"until":"2026-11-13T20:00:00Z","by":"","at":1}`,
    'field by must be a text that is not empty, not "".',
  ],
  ['manual_hibernation', '{"by":"ada"}', 'field at must be a UTC time such as 2026-01-31T18:00:00Z, not absent.'],
  ['ignored_resources', '', 'it is blank.'],
  ['ignored_resources', '{"a":1}', 'it must be an array, not an object.'],
  [
    'ignored_resources',
    '[{"kind":"Deployment","namespace":"shop","names":["a","a"],"reason":"r"}]',
    'Deployment shop/a is there twice.',
  ],
  [
    'ignored_resources',
    '[{"kind":"Deployment","namespace":"shop","names":["a",7],"reason":"r"}]',
    'entry 1, field names, entry 2 must be a Kubernetes name, not 7.',
  ],
  ['external_wake_sessions', '[1]', 'entry 1 must be an object, not 1.'],
  ['external_wake_sessions', `[{${session},"expiresAt":"2026-11-13T18:00:00Z"}]`, 'entry 1 expires before it starts.'],
  [
    'external_wake_sessions',
    `[{${session},"expiresAt":"2026-11-13T20:00:00Z"},{${session},"expiresAt":"2026-11-13T20:00:00Z"}]`,
    'session s is there twice.',
  ],
  ['database_states', '[]', 'it must be an object, not an array.'],
  ['database_states', '{"orders":"stopped"}', 'database orders must be an object, not "stopped".'],
  [
    'database_states',
    '{"orders":{"status":"stopped"}}',
    'database orders, field stoppedByUs must be true or false, not absent.',
  ],
  [
    'database_states',
    '{"orders":{"status":"stopped","stoppedByUs":true,"at":"2026-11-13T19:00:00Z","address":{"type":"table"}}}',
    'database orders, field address, field type must be one of instance, cluster, not "table".',
  ],
  ['database_states', '{"":{}}', 'a database must have a name that is not empty.'],
  ['stand_down', '{"admin":true}', 'field admin must be an object, not true.'],
  ['stand_down', '{"admin":{"at":"x"}}', 'field admin, field actor must be a text that is not empty, not absent.'],
  ['stand_down', '{"handbackDone":"yes"}', 'field handbackDone must be true or false, not "yes".'],
  ['stand_down', '{"unannounced":{}}', 'field unannounced must be an array, not an object.'],
  ['transition', `{"version":2,${envelope},"payload":{}}`, 'field version is 2, and this release reads version 1.'],
  ['transition', `{"version":1,${envelope}}`, 'field payload is absent.'],
  [
    'transition',
    `{"version":1,${envelope.replace('wake', 'nap')},"payload":{}}`,
    'field kind must be one of hibernation, wake, not "nap".',
  ],
  [
    'satellites',
    '[{"namespace":"shop","name":"web","uid":"u","selector":{"app":1},"at":"2026-11-13T19:00:00Z"}]',
    'entry 1, field selector, label app must be a text, not 1.',
  ],
  [
    'schedule_overrides',
    `[{"date":"2026-02-30","hours":"off",${override}}]`,
    'entry 1, field date must be a date such as 2026-12-24, not "2026-02-30".',
  ],
  [
    'schedule_overrides',
    `[{"date":"2026-02-28","hours":"8:00-20:00",${override}}]`,
    'entry 1, field hours must be on, off or ranges such as 08:00-20:00, not "8:00-20:00".',
  ],
  [
    'schedule_overrides',
    `[{"date":"2026-02-28","hours":"off",${override}},{"date":"2026-02-28","hours":"on",${override}}]`,
    'date 2026-02-28 is there twice.',
  ],
  ['autoscaler_protection', 'true', 'it must be an object, not true.'],
  ['phase', '{"phase":"asleep"}', 'field phase must be one of awake, hibernated, not "asleep".'],
  ['outbox', '{}', 'it must be an array, not an object.'],
  ['ended_sessions', '[{}]', 'entry 1, field session must be a text that is not empty, not absent.'],
  ['license_check', '{"latestSeenAt":5}', 'field latestSeenAt must be a UTC time such as 2026-01-31T18:00:00Z, not 5.'],
];

describe('a value that cannot be decoded', () => {
  for (const [key, text, why] of refused) {
    it(`${key}: ${text.slice(0, 70)}`, () => {
      const message = `The value of ${key} in ConfigMap svc-state cannot be decoded: ${why}`;
      expect(stateKeys.find((codec) => codec.key === key)?.decode(text)).toEqual({ ok: false, message });
    });
  }

  it('never makes a codec throw, whatever the text', () => {
    const someJson = fc.json();
    const almost = fc
      .constantFrom(...rows.map(({ stored }) => stored))
      .chain((stored) =>
        fc
          .record({ index: fc.nat(stored.length - 1), by: fc.constantFrom('', '0', '"', '{', '}', '[', ',', '-') })
          .map(({ index, by }) => stored.slice(0, index) + by + stored.slice(index + 1)),
      );
    fc.assert(
      fc.property(fc.constantFrom(...stateKeys), fc.oneof(fc.string(), someJson, almost), ({ key, decode }, text) => {
        const decoded = decode(text);
        if (!decoded.ok) {
          expect(decoded.message.startsWith(`The value of ${key} in ConfigMap svc-state cannot be decoded: `)).toBe(
            true,
          );
          expect(decoded.message.length).toBeLessThan(600);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it('is listed with every other one, in the order of the keys', () => {
    const snapshot = decodeState({ wake_override: '7', resource_states: '7', ignored_resources: '[]', other: '7' });
    expect(undecodableKeys(snapshot)).toEqual([
      'The value of resource_states in ConfigMap svc-state cannot be decoded: it must be an array, not 7.',
      'The value of wake_override in ConfigMap svc-state cannot be decoded: it must be an object, not 7.',
    ]);
  });
});
