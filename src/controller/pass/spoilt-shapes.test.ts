import { afterEach, describe, expect, it } from 'vitest';
import type { Manifest } from '../../../embedded-cluster/apply-objects.ts';
import { ControllerWorld, releaseNamespace } from '../../../test/support/controller-world.ts';
import { RecordingLogger } from '../../../test/support/recording-logger.ts';
import { configMaps } from '../../domain/names.ts';
import { stateKeys } from '../../state/keys.ts';

/** A monday noon in Berlin; the cluster is awake. */
const noon = Date.UTC(2026, 0, 5, 11);
const at = '2026-01-05T10:00:00Z';
const later = '2026-01-05T23:00:00Z';
const workload = { kind: 'Deployment', namespace: 'shop', name: 'cart' };

const announcement = {
  id: 'x',
  at: 1,
  audit: {
    id: 'x',
    at: 1,
    kind: 'wake',
    title: 'T',
    actor: 'a',
    details: { a: ['b'], n: 1 },
    workloads_failed_detail: ['s'],
    workloads_recovered_detail: [],
  },
  event: { where: 'default', type: 'Normal', reason: 'R', message: 'm' },
  notice: {
    id: 'x',
    key: 'standDown',
    at: 1,
    title: 't',
    color: 'red',
    facts: [{ name: 'a', value: 'b' }],
    casualties: ['s'],
    recoveries: [],
  },
  log: { level: 'info', message: 'm', fields: { a: ['b'] } },
  sent: ['abc'],
};

const hibernation = {
  tier: 'a',
  tierStartedAt: 1,
  tiersDone: ['b'],
  tiersTimedOut: ['c'],
  respected: ['d'],
  failed: { 'Deployment shop/cart': 'no' },
  only: ['Deployment shop/cart'],
};

/** A whole value of every key; every shape below is one of them with one place of it changed. */
const whole: Readonly<Record<string, unknown>> = {
  resource_states: [{ ...workload, uid: 'u', replicas: 2, at }],
  wake_override: { until: later, by: 'ada@example.com', at },
  ignored_resources: [{ ...workload, reason: 'r' }],
  external_wake_sessions: [
    { id: 'a', cluster: 'other', resources: [{ namespace: 'shop' }], startedAt: at, expiresAt: later, origins: ['o'] },
  ],
  database_states: { orders: { status: 'stopped', stoppedByUs: true, at } },
  stand_down: {
    admin: { actor: 'ada@example.com', at, reason: 'r' },
    configuration: { at },
    handbackDone: false,
    unannounced: [{ id: 'c', act: 'stood-down', source: 'admin', actor: 'ada@example.com', at }],
  },
  manual_hibernation: { by: 'ada@example.com', at, until: later },
  transition: {
    version: 1,
    kind: 'hibernation',
    id: 't',
    startedAt: at,
    trigger: { actor: 'a', cause: 'schedule' },
    payload: hibernation,
  },
  satellites: [{ namespace: 'shop', name: 'web', uid: 'u', selector: { app: 'web' }, at }],
  schedule_overrides: [{ date: '2026-01-06', hours: 'off', by: 'a', at, reason: 'r' }],
  autoscaler_protection: { since: at },
  license_check: { lastLicensedAt: at, latestSeenAt: at },
  phase: { phase: 'awake', since: at, wakeAnsweredAt: at, stoppedHalfway: true },
  outbox: [announcement],
  parameter_size: { parameter: 'p', bytes: 10 },
  epoch: 3,
  ended_sessions: [{ session: 'hash', until: later }],
  external_wake_starts: [at],
  calendar_feeds: [{ id: 'a', name: 'phone', token: 'hash', owner: 'sealed', at }],
  continued: { resource_states: ['svc-state-1'] },
  wake_retries: [{ ...workload, by: 'a', at }],
};

const others: readonly unknown[] = [null, 5, 'zz', [], {}, true, [null], -1];

function* shapes(value: unknown): Generator<unknown> {
  yield* others;
  if (Array.isArray(value)) {
    for (const [index, one] of value.entries()) for (const shape of shapes(one)) yield value.with(index, shape);
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, one] of Object.entries(value)) {
      for (const shape of shapes(one)) yield { ...value, [name]: shape };
      const { [name]: _, ...rest } = value as Record<string, unknown>;
      yield rest;
    }
  }
}

let world: ControllerWorld;
afterEach(async () => {
  await world.stopController();
  world.cluster.stop();
});

describe('a state of any shape', () => {
  it('has a whole value of every key here', () => {
    world = new ControllerWorld();
    expect(Object.keys(whole).toSorted()).toEqual(stateKeys.map(({ key }) => key).toSorted());
    for (const { key, decode } of stateKeys) {
      expect(decode(JSON.stringify(whole[key])), key).toEqual({ ok: true, value: expect.anything() });
    }
  });

  it('fails no pass, whichever place of whichever key is spoilt', async () => {
    const log = new RecordingLogger();
    world = new ControllerWorld({ startAt: noon, logger: log });
    const labels = { app: 'cart' };
    const template = { metadata: { labels }, spec: { containers: [{ name: 'main', image: 'cart:1' }] } };
    world.cluster.apply([
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } } as Manifest,
      {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name: 'cart', namespace: 'shop' },
        spec: { replicas: 2, selector: { matchLabels: labels }, template },
      } as Manifest,
    ]);
    await world.startController();
    await world.clock.advance(60_000);
    const base = world.stateData();
    const failed: string[] = [];
    let tried = 0;
    for (const [key, value] of Object.entries(whole)) {
      for (const text of new Set([...shapes(value)].map((shape) => JSON.stringify(shape)))) {
        const metadata = { name: configMaps.state, namespace: releaseNamespace };
        world.cluster.apply([{ apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { ...base, [key]: text } }]);
        const from = log.lines.length;
        await world.clock.advance(1_500);
        tried++;
        const lines = log.lines.slice(from).filter(({ message, fields }) => isFailure(message, JSON.stringify(fields)));
        for (const { message, fields } of lines) failed.push(`${key} ${text}: ${message} ${JSON.stringify(fields)}`);
      }
    }
    expect(failed).toEqual([]);
    expect(tried).toBeGreaterThan(1_000);
  });
});

function isFailure(message: string, fields: string): boolean {
  return message === 'A pass failed' || /TypeError|is not a function|not iterable|Cannot read prop/.test(fields);
}
