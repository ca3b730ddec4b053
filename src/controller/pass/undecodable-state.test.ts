import { afterEach, describe, expect, it } from 'vitest';
import type { Manifest } from '../../../embedded-cluster/apply-objects.ts';
import { ControllerWorld, releaseNamespace } from '../../../test/support/controller-world.ts';
import { RecordingLogger } from '../../../test/support/recording-logger.ts';
import { configMaps } from '../../domain/names.ts';

const hour = 3_600_000;
const minute = 60_000;
/** A monday noon; the cluster sleeps from 20:00 to 08:00 in Berlin, which is one hour ahead of UTC. */
const noon = Date.UTC(2026, 0, 5, 12);
const broken = '{broken';

type Data = Record<string, string>;

let world: ControllerWorld;
let log: RecordingLogger;
afterEach(async () => {
  await world.stopController();
  world.cluster.stop();
});

function deployment(name: string, replicas: number): Manifest {
  const labels = { app: name };
  const template = { metadata: { labels }, spec: { containers: [{ name: 'main', image: `${name}:1` }] } };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace: 'shop' },
    spec: { replicas, selector: { matchLabels: labels }, template },
  } as Manifest;
}

/** A cluster that went to sleep in the evening; it is ten at night in Berlin. */
async function asleep(): Promise<void> {
  log = new RecordingLogger();
  world = new ControllerWorld({ startAt: noon, logger: log, config: redirected, redirects: true });
  const shop = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } } as Manifest;
  const service = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'cart', namespace: 'shop' },
    spec: { selector: { app: 'cart' }, ports: [{ port: 80 }] },
  } as Manifest;
  world.cluster.apply([shop, service, deployment('cart', 3), deployment('web', 2)]);
  await world.startController();
  await world.clock.advance(9 * hour);
  expect(levels()).toEqual([0, 0]);
}

const redirected = { serviceRedirection: { enabled: true, services: [{ namespace: 'shop', name: 'cart' }] } };
const selector = () =>
  (world.cluster.store.get('services', 'shop', 'cart')?.['spec'] as Partial<Record<string, unknown>> | undefined)?.[
    'selector'
  ];

const levels = () => ['cart', 'web'].map((name) => world.replicas('shop', name));

function edit(changes: Data): void {
  const metadata = { name: configMaps.state, namespace: releaseNamespace };
  world.cluster.apply([{ apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { ...world.stateData(), ...changes } }]);
}

const stoodDown = () => ({
  stand_down: JSON.stringify({
    admin: { actor: 'ada@example.com', at: new Date(world.clock.now()).toISOString() },
    unannounced: [
      {
        id: 'c1',
        act: 'stood-down',
        source: 'admin',
        actor: 'ada@example.com',
        at: new Date(world.clock.now()).toISOString(),
      },
    ],
  }),
});

const handbackDone = () => JSON.parse(world.stateData()['stand_down'] ?? '{}').handbackDone === true;

const alerts = () =>
  new Set(world.notices.filter(({ title }) => title === 'State Cannot Be Decoded').map(({ text }) => text ?? ''));

const named = (key: string) =>
  log.lines.filter(({ level, fields }) => level === 'error' && JSON.stringify(fields).includes(`The value of ${key} `));

const audited = () =>
  world.cluster.store
    .list('configmaps', releaseNamespace)
    .filter(({ metadata }) => metadata.name?.startsWith('svc-audit-'))
    .flatMap((file) => (file['data'] as Data)['entries']!.trim().split('\n'))
    .map((line) => JSON.parse(line).title as string);

/** What only some of the service stands on. */
const minor = [
  'external_wake_sessions',
  'database_states',
  'schedule_overrides',
  'license_check',
  'manual_hibernation',
  'ignored_resources',
  'satellites',
  'autoscaler_protection',
  'phase',
];
/** While these cannot be read nobody knows whether everything is back. */
const handedBackLater = ['database_states', 'satellites'];

describe('a value of the state that cannot be decoded fails alone', () => {
  it.each(minor)('%s: the cluster wakes in the morning; the key is named and never overwritten', async (key) => {
    await asleep();
    edit({ [key]: broken });
    await world.clock.advance(11 * hour);
    expect(levels()).toEqual([3, 2]);
    expect(world.stateData()[key]).toBe(broken);
    const message = `The value of ${key} in ConfigMap svc-state cannot be decoded: it is not valid JSON.`;
    expect([...alerts()]).toEqual([message]);
    expect(named(key)).not.toEqual([]);
    expect(audited()).toContain('Wake Complete');
    expect(world.stateData()['transition']).toBeUndefined();
  });

  it.each(minor)('%s: a stand-down hands everything back', async (key) => {
    await asleep();
    edit({ [key]: broken });
    await world.clock.advance(minute);
    edit(stoodDown());
    await world.clock.advance(30 * minute);
    expect(levels()).toEqual([3, 2]);
    expect(world.stateData()[key]).toBe(broken);
    expect([...alerts()][0]).toContain(key);
    expect(audited()).toContain('Stood Down');
    expect(handbackDone()).toBe(!handedBackLater.includes(key));
  });

  it('outbox: the cluster wakes in the morning; the key is named, and moved aside for what is to be told then', async () => {
    await asleep();
    edit({ outbox: broken });
    await world.clock.advance(9 * hour);
    expect(world.stateData()['outbox']).toBe(broken);
    expect([...alerts()]).toEqual([
      'The value of outbox in ConfigMap svc-state cannot be decoded: it is not valid JSON.',
    ]);
    await world.clock.advance(2 * hour);
    expect(levels()).toEqual([3, 2]);
    expect(world.stateData()).toMatchObject({ outbox_set_aside: broken });
    expect(world.stateData()).not.toHaveProperty('outbox');
    expect(log.said('The outbox cannot be decoded: it is set aside')).toHaveLength(1);
    expect(audited()).toContain('Wake Complete');
  });

  it.each([
    ['a text that is no list', broken],
    ['sent that is no list', '[{"id":"x","at":1,"sent":5}]'],
    ['a card that is none', '[{"id":"x","at":1,"notice":null,"audit":{"id":"x","at":1,"title":"T"}}]'],
  ])('outbox, %s: a stand-down hands everything back and is told; the key is named', async (_name, spoilt) => {
    await asleep();
    edit({ outbox: spoilt });
    await world.clock.advance(minute);
    edit(stoodDown());
    await world.clock.advance(30 * minute);
    expect([levels(), handbackDone()]).toEqual([[3, 2], true]);
    expect(named('outbox')).not.toEqual([]);
    expect(audited()).toContain('Stood Down');
    expect(log.said('A pass failed')).toEqual([]);
    expect(world.stateData()).not.toHaveProperty('outbox');
  });

  it('database_states: the handback says what it cannot know, and finishes once the key is repaired', async () => {
    await asleep();
    edit({ database_states: broken, ...stoodDown() });
    await world.clock.advance(10 * minute);
    const pending = log.said('Handback not finished').at(-1)?.fields['pending'];
    expect(pending).toEqual(['database_states, which cannot be decoded']);
    edit({ database_states: '{}' });
    await world.clock.advance(minute);
    expect(handbackDone()).toBe(true);
  });

  it('phase: repaired to the sleep that a stand-down has ended, it says awake, and the cluster goes to sleep when that ends', async () => {
    await asleep();
    const slept = world.stateData()['phase']!;
    edit({ phase: broken, ...stoodDown() });
    await world.clock.advance(30 * minute);
    expect([levels(), handbackDone()]).toEqual([[3, 2], true]);
    edit({ phase: slept });
    await world.clock.advance(minute);
    expect(JSON.parse(world.stateData()['phase']!)).toMatchObject({ phase: 'awake' });
    expect(handbackDone()).toBe(true);
    edit({ stand_down: '' });
    await world.clock.advance(10 * minute);
    expect(levels()).toEqual([0, 0]);
    expect(audited().filter((title) => title === 'Hibernation Complete')).toHaveLength(2);
  });

  it.each(['external_wake_sessions', 'schedule_overrides', 'phase', 'transition', 'stand_down', 'wake_override'])(
    '%s: nothing is lowered, because it may be what keeps the cluster up',
    async (key) => {
      await asleep();
      await world.clock.advance(14 * hour);
      expect(levels()).toEqual([3, 2]);
      edit({ [key]: broken });
      await world.clock.advance(10 * hour);
      expect(levels()).toEqual([3, 2]);
      expect(world.stateData()[key]).toBe(broken);
      edit({ [key]: key.endsWith('s') ? '[]' : '' });
      await world.clock.advance(minute);
      expect(levels()).toEqual([0, 0]);
    },
  );

  it.each(['database_states', 'license_check', 'manual_hibernation', 'ignored_resources'])(
    '%s: the cluster goes to sleep without it',
    async (key) => {
      await asleep();
      await world.clock.advance(14 * hour);
      edit({ [key]: broken });
      await world.clock.advance(10 * hour);
      expect(levels()).toEqual([0, 0]);
      expect(world.stateData()[key]).toBe(broken);
    },
  );

  it('wake_override: nothing is scaled by the schedule, and a stand-down hands everything back', async () => {
    await asleep();
    edit({ wake_override: broken });
    await world.clock.advance(11 * hour);
    expect(levels()).toEqual([0, 0]);
    edit(stoodDown());
    await world.clock.advance(10 * minute);
    expect(levels()).toEqual([3, 2]);
    expect(handbackDone()).toBe(true);
  });

  it('resource_states: no count is guessed, not even for a stand-down, which holds and says so until it is repaired', async () => {
    await asleep();
    const records = world.stateData()['resource_states']!;
    edit({ resource_states: broken, ...stoodDown() });
    await world.clock.advance(30 * minute);
    expect(levels()).toEqual([0, 0]);
    expect(handbackDone()).toBe(false);
    expect(selector()).toEqual({ app: 'cart' });
    expect(audited()).toContain('Stood Down');
    const pending = log.said('Handback not finished').at(-1)?.fields['pending'];
    expect(pending).toEqual(['resource_states, which cannot be decoded']);
    expect(world.stateData()['resource_states']).toBe(broken);
    edit({ resource_states: records });
    await world.clock.advance(minute);
    expect(levels()).toEqual([3, 2]);
    await world.clock.advance(10 * minute);
    expect(handbackDone()).toBe(true);
  });

  it('stand_down: a stop by the configuration still hands everything back', async () => {
    await asleep();
    edit({ stand_down: broken });
    world.reconfigure({ ...redirected, global: { enabled: false } });
    await world.clock.advance(10 * minute);
    expect(levels()).toEqual([3, 2]);
    expect(world.stateData()['stand_down']).toBe(broken);
  });

  it('stand_down: the cluster wakes in the morning', async () => {
    await asleep();
    edit({ stand_down: broken });
    await world.clock.advance(11 * hour);
    expect(levels()).toEqual([3, 2]);
  });
});

describe('a running wake whose payload cannot be decoded', () => {
  const running = (tiers: unknown) =>
    JSON.stringify({
      version: 1,
      kind: 'wake',
      id: 'wake-1',
      startedAt: '2026-01-05T21:00:00Z',
      trigger: { actor: 'ada@example.com (stand-down)', cause: 'stand-down' },
      payload: { wake: { id: 'wake-1', startedAt: noon, failOpenMs: 1, tiers, writeOffs: {} }, refused: {} },
    });
  const message =
    'The value of transition in ConfigMap svc-state cannot be decoded: ' +
    'field payload, field wake, field tiers, entry 1 must be an object, not null.';

  it('under a stand-down is named, told, kept for a person to read, and the handback finishes', async () => {
    await asleep();
    edit({ transition: running([null]), ...stoodDown() });
    await world.clock.advance(10 * minute);
    expect(levels()).toEqual([3, 2]);
    expect(handbackDone()).toBe(true);
    expect(named('transition').map(({ fields }) => fields['error'])).toContain(message);
    expect(world.notices.filter(({ text }) => text?.includes(message))).not.toEqual([]);
    expect(world.stateData()['transition_set_aside']).toBe(running([null]));
    expect(log.lines.filter(({ fields }) => JSON.stringify(fields).includes('TypeError'))).toEqual([]);
    expect(audited().filter((title) => title === 'Wake Complete')).toHaveLength(1);
  });

  it('in the morning does not keep the cluster from waking', async () => {
    await asleep();
    edit({ transition: running([null]) });
    await world.clock.advance(9 * hour);
    expect(levels()).toEqual([0, 0]);
    expect(world.stateData()['transition']).toBe(running([null]));
    await world.clock.advance(2 * hour);
    expect(levels()).toEqual([3, 2]);
    expect(world.stateData()).not.toHaveProperty('transition');
  });
});

describe('a wake that cannot be noted as done, because phase cannot be decoded', () => {
  it('is one wake, and what it left down is tried again without another', async () => {
    await asleep();
    edit({ phase: broken });
    const allow = world.cluster.api.faults.add({
      match: ({ verb, resource, name }) => verb === 'patch' && resource === 'deployments.apps' && name === 'web',
      effect: { kind: 'fail', status: 403, message: 'denied by policy' },
    });
    await world.clock.advance(11 * hour);
    const wakes = audited().filter((title) => title.startsWith('Wake'));
    expect([levels(), wakes]).toEqual([[3, 0], ['Wake Complete - 1 workload failed']]);
    allow();
    await world.clock.advance(10 * minute);
    expect([levels(), audited().filter((title) => title.startsWith('Wake')).length]).toEqual([[3, 2], 1]);
  });
});
