import type { Manifest } from '../../../embedded-cluster/apply-objects.ts';
import { namespaceManifest, serviceManifest, workloadManifest } from '../../support/builders/manifests.ts';
import { standDownIntent } from '../actors/state-intents.ts';
import { SimWorld } from '../world/sim-world.ts';

// The transitions into whose every write a fault is put.

export interface Scenario {
  readonly name: string;
  readonly config: Readonly<Record<string, unknown>>;
  /** From which the transition is set off: everything up, or everything asleep. */
  readonly from: 'awake' | 'asleep';
  trigger(world: SimWorld): Promise<void>;
  /** Where it has to end, whatever happened on the way. */
  readonly to: 'awake' | 'asleep';
}

const minute = 60_000;
const office = { workingHours: { timezone: 'UTC' } };
const tier = (name: string) => ({ name, timeout: '2m', select: [{ namespace: '*', labels: { tier: name } }] });

/** A Monday, five minutes before the office closes, and a Tuesday, five minutes before it opens. */
const evening = Date.UTC(2026, 0, 5, 19, 55);

const objects: readonly Manifest[] = [
  namespaceManifest('shop'),
  namespaceManifest('blog'),
  workloadManifest({ kind: 'Deployment', namespace: 'shop', name: 'cart', replicas: 3, labels: { tier: 'web' } }),
  workloadManifest({ kind: 'Deployment', namespace: 'blog', name: 'posts', replicas: 1, labels: { tier: 'web' } }),
  workloadManifest({ kind: 'Deployment', namespace: 'shop', name: 'parked', replicas: 0 }),
  workloadManifest({ kind: 'StatefulSet', namespace: 'shop', name: 'db', replicas: 2, labels: { tier: 'data' } }),
  workloadManifest({ kind: 'CronJob', namespace: 'shop', name: 'report' }),
  workloadManifest({ kind: 'CronJob', namespace: 'shop', name: 'resting', suspended: true }),
  workloadManifest({
    kind: 'Deployment',
    namespace: 'shop',
    name: 'excluded',
    replicas: 2,
    annotations: { 'svc.io/exclude': 'true' },
  }),
  serviceManifest('shop', 'cart', 'cart'),
  serviceManifest('blog', 'posts', 'posts'),
];

const fronts = [
  { namespace: 'shop', name: 'cart' },
  { namespace: 'blog', name: 'posts' },
];
const redirecting = { ...office, serviceRedirection: { enabled: true, services: fronts } };

export const scenarios: readonly Scenario[] = [
  { name: 'a hibernation', config: office, from: 'awake', trigger: (world) => world.advance(5 * minute), to: 'asleep' },
  { name: 'a wake', config: office, from: 'asleep', trigger: nextMorning, to: 'awake' },
  { name: 'a handback', config: office, from: 'asleep', trigger: standDown, to: 'awake' },
  {
    name: 'a tiered wake',
    config: { ...office, wakeOrdering: { tiers: [tier('data'), tier('web')] } },
    from: 'asleep',
    trigger: nextMorning,
    to: 'awake',
  },
  {
    name: 'a tiered hibernation',
    config: { ...office, hibernateOrdering: { tiers: [tier('web'), tier('data')] } },
    from: 'awake',
    trigger: (world) => world.advance(5 * minute),
    to: 'asleep',
  },
  {
    name: 'a redirect',
    config: redirecting,
    from: 'awake',
    trigger: (world) => world.advance(5 * minute),
    to: 'asleep',
  },
  { name: 'the end of a redirect', config: redirecting, from: 'asleep', trigger: nextMorning, to: 'awake' },
  { name: 'a handback of redirected services', config: redirecting, from: 'asleep', trigger: standDown, to: 'awake' },
];

async function nextMorning(world: SimWorld): Promise<void> {
  const opens = Date.UTC(2026, 0, 6, 8);
  await world.advance(opens - world.clock.now());
}

async function standDown(world: SimWorld): Promise<void> {
  await standDownIntent(world, { type: 'admin-stands-down', actor: 'ann@example.com' });
}

/** A world right before the transition, with the controller at rest. */
export async function before(scenario: Scenario): Promise<SimWorld> {
  const world = new SimWorld({ startAt: evening, config: scenario.config, objects });
  world.start();
  await world.advance(scenario.from === 'awake' ? 0 : 65 * minute);
  return world;
}
