import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FaultEffect, RequestFacts } from '../../../embedded-cluster/faults.ts';
import { namespaceManifest, type WorkloadParts, workloadManifest } from '../../../test/support/builders/manifests.ts';
import { ControllerWorld, releaseNamespace } from '../../../test/support/controller-world.ts';
import type { AuditEntry } from '../../domain/audit/entry.ts';
import { readEntries } from '../../domain/audit/stored-entry.ts';

const minute = 60_000;
const hour = 60 * minute;
/** A monday, 19:55 in Berlin: five minutes before everything that is ours should sleep. */
const beforeNight = Date.UTC(2026, 0, 5, 18, 55);

const policy: FaultEffect = { kind: 'fail', status: 403, message: 'denied by the policy of the house' };
const webhook: FaultEffect = { kind: 'fail', status: 500, message: 'failed calling webhook "gate": no endpoints' };

const tiers = {
  hibernateOrdering: {
    tiers: [
      { name: 'apps', timeout: '2m', select: [{ namespace: 'shop' }] },
      { name: 'data', timeout: '2m', select: [{ namespace: 'data' }] },
    ],
  },
};

let world: ControllerWorld;
let writes: RequestFacts[];

beforeEach(() => {
  writes = [];
});
afterEach(() => world.stopController());

async function start(workloads: readonly WorkloadParts[], config: Record<string, unknown> = {}, at = beforeNight) {
  world = new ControllerWorld({ startAt: at, config });
  const namespaces = new Set(workloads.map(({ namespace }) => namespace!));
  world.cluster.apply([...[...namespaces].map((name) => namespaceManifest(name)), ...workloads.map(workloadManifest)]);
  world.cluster.api.faults.onRequest((facts) => {
    if (!['get', 'list', 'watch'].includes(facts.verb) && facts.resource !== 'events') writes.push(facts);
  });
  await world.startController();
}

const deployment = (name: string, namespace = 'shop', replicas = 2): WorkloadParts => ({
  kind: 'Deployment',
  namespace,
  name,
  replicas,
});

/** Every write of the controller on the workload meets this; the returned function ends it. */
function refuse(name: string, effect: FaultEffect): () => void {
  return world.cluster.api.faults.add({ match: (facts) => isWriteOf(facts, name), effect });
}

function isWriteOf({ verb, name, user }: RequestFacts, wanted: string): boolean {
  return verb === 'patch' && name === wanted && user.endsWith('svc-controller');
}

const writesOf = (name: string) => writes.filter((facts) => isWriteOf(facts, name)).length;
const stateWrites = () =>
  writes.filter(({ name, namespace }) => namespace === releaseNamespace && name === 'svc-state');
function lastEntry(): AuditEntry | undefined {
  const text = world.cluster.store.get('configmaps', releaseNamespace, 'svc-audit-0')?.['data'] as Record<
    string,
    string
  >;
  return readEntries(Object.values(text))
    .entries.toSorted((a, b) => a.at - b.at)
    .at(-1);
}

function isSuspended(name: string): boolean | undefined {
  const spec = world.cluster.store.get('cronjobs.batch', 'shop', name)?.spec as { suspend: boolean } | undefined;
  return spec?.suspend;
}

const titles = () => world.notices.map(({ title }) => title);

describe('a workload that may not be scaled down', () => {
  it.each([
    ['by a policy', policy],
    ['by a webhook whose backend is gone', webhook],
    [
      'by an apiserver that asks to slow down',
      { kind: 'fail', status: 429, message: 'slow down', retryAfterSeconds: 5 },
    ],
    ['by a connection that breaks', { kind: 'drop', when: 'before' }],
  ] as const)('all night, %s, is tried at a pace, and told of once', async (_, effect) => {
    await start([deployment('cart'), deployment('web')]);
    refuse('cart', effect);
    await world.clock.advance(10 * hour);
    expect(world.replicas('shop', 'web')).toBe(0);
    expect(world.replicas('shop', 'cart')).toBe(2);
    // From 19:55 to 05:55, and nine hours and 55 minutes of them asleep.
    expect(writesOf('cart')).toBeGreaterThan(1_000);
    expect(writesOf('cart')).toBeLessThan(1_500);
    expect(stateWrites().length).toBeLessThan(40);
    expect(titles().filter((title) => title !== 'Hibernation Complete - 1 workload failed')).toEqual([]);
    expect(titles()).toHaveLength(1);
  });

  it('goes down as soon as it may, and comes up with its count', async () => {
    await start([deployment('cart', 'shop', 3), deployment('web')]);
    const allow = refuse('cart', policy);
    await world.clock.advance(hour);
    allow();
    await world.clock.advance(minute);
    expect(world.replicas('shop', 'cart')).toBe(0);
    await world.clock.advance(12 * hour);
    expect(world.replicas('shop', 'cart')).toBe(3);
    expect(titles()).toEqual(['Hibernation Complete - 1 workload failed', 'Waking Up Resources', 'Wake Complete']);
  });

  it('holds up neither its own tier past the time-out nor the tiers after it', async () => {
    await start([deployment('cart'), deployment('postgres', 'data')], tiers);
    refuse('cart', webhook);
    await world.clock.advance(5 * minute + 3 * minute);
    expect(world.replicas('data', 'postgres')).toBe(0);
  });

  it('is told as not taken down when it came in the night', async () => {
    await start([deployment('web')]);
    await world.clock.advance(hour);
    refuse('late', policy);
    world.cluster.apply([workloadManifest(deployment('late'))]);
    await world.clock.advance(2 * hour);
    expect(world.replicas('shop', 'late')).toBe(2);
    const added = world.notices.filter(({ title }) => title === 'Resource Added');
    expect(added).toHaveLength(1);
    expect(added[0]).not.toHaveProperty('text');
    expect(added[0]?.casualties).toEqual([
      expect.stringContaining('svc could not scale it down: denied by the policy'),
    ]);
  });
});

/** Tuesday, five minutes before the day begins, after a night asleep. */
async function asleepUntilMorning(workloads: readonly WorkloadParts[], config: Record<string, unknown> = {}) {
  await start(workloads, config);
  await world.clock.advance(12 * hour);
  writes.length = 0;
  world.notices.length = 0;
}

describe('a workload that may not be scaled up', () => {
  it('is tried again while the wake runs, and comes up as soon as it may', async () => {
    await asleepUntilMorning([deployment('cart'), deployment('web')]);
    const allow = refuse('cart', policy);
    await world.clock.advance(5 * minute + 20_000);
    allow();
    await world.clock.advance(20_000);
    expect(world.replicas('shop', 'cart')).toBe(2);
  });

  it('by a webhook whose backend is gone is named with the words of the cluster, and not hammered', async () => {
    await asleepUntilMorning([deployment('cart'), deployment('web')]);
    refuse('cart', webhook);
    await world.clock.advance(5 * minute + hour);
    const ended = world.notices.find(({ title }) => title.startsWith('Wake Complete'));
    expect(ended?.title).toBe('Wake Complete - 1 workload failed');
    expect(ended?.casualties).toEqual([
      'Deployment shop/cart: svc could not scale it up: failed calling webhook "gate": no endpoints',
    ]);
    expect(writesOf('cart')).toBeLessThan(150);
  });

  it('for a while because the apiserver asks to slow down has failed at nothing', async () => {
    await asleepUntilMorning([deployment('cart'), deployment('web')]);
    const allow = refuse('cart', { kind: 'fail', status: 429, message: 'slow down', retryAfterSeconds: 1 });
    await world.clock.advance(5 * minute + 20_000);
    allow();
    await world.clock.advance(hour);
    expect(world.replicas('shop', 'cart')).toBe(2);
    expect(titles()).toEqual(['Waking Up Resources', 'Wake Complete']);
    expect(lastEntry()).toMatchObject({ kind: 'wake', result: 'success' });
    expect(lastEntry()?.workloads_recovered_detail ?? []).toEqual([]);
  });

  it('keeps no CronJob from being resumed', async () => {
    const report: WorkloadParts = { kind: 'CronJob', namespace: 'shop', name: 'report' };
    await asleepUntilMorning([deployment('cart'), report]);
    refuse('cart', policy);
    await world.clock.advance(5 * minute + 2 * minute);
    expect(isSuspended('report')).toBe(false);
  });
});

describe('CronJobs that may not be resumed', () => {
  const jobs = Array.from({ length: 12 }, (_, index): WorkloadParts => {
    return { kind: 'CronJob', namespace: 'shop', name: `job-${index}` };
  });

  it('make no wake a success', async () => {
    await asleepUntilMorning([deployment('web'), ...jobs]);
    refuse('job-3', policy);
    await world.clock.advance(5 * minute + hour);
    const ended = world.notices.find(({ title }) => title.startsWith('Wake Complete'));
    expect(ended?.title).toBe('Wake Complete - 1 workload failed');
    expect(ended?.casualties).toEqual([
      'CronJob shop/job-3: svc could not scale it up: denied by the policy of the house',
    ]);
  });

  it('bring no pass before they are due again, while the wake waits for others', async () => {
    const slow: WorkloadParts = { ...deployment('slow'), behaviour: { 'start-seconds': '480' } };
    await asleepUntilMorning([slow, ...jobs]);
    refuse('job-3', policy);
    let reads = 0;
    world.cluster.api.faults.onRequest(({ verb, name }) => {
      if (verb === 'get' && name === 'svc-state') reads++;
    });
    await world.clock.advance(5 * minute + 7 * minute);
    expect(titles()).toEqual(['Waking Up Resources']);
    expect(reads).toBeLessThan(150);
  });

  it('by the hundred are resumed in steps, and the wake is told', async () => {
    const many = Array.from({ length: 500 }, (_, index): WorkloadParts => {
      return { kind: 'CronJob', namespace: 'shop', name: `job-${index}` };
    });
    await asleepUntilMorning([deployment('web'), ...many]);
    await world.clock.advance(5 * minute + 10 * minute);
    expect(titles()).toEqual(['Waking Up Resources', 'Wake Complete']);
    expect(lastEntry()).toMatchObject({ kind: 'wake', result: 'success' });
    const suspended = many.filter(({ name }) => isSuspended(name));
    expect(suspended).toEqual([]);
  });
});
