import { describe, expect, it } from 'vitest';
import type { AuditEntry } from '../../../src/domain/audit/entry.ts';
import type { WorkloadParts } from '../../support/builders/manifests.ts';
import { minute, OfficeWorld } from '../office-world.ts';
import { controllerUser } from '../world/sim-world.ts';
import { cart } from './wake-scenario.ts';

type Kind = 'pods' | 'deployments.apps';
const reading = new Set(['list', 'watch', 'get']);

/** A sleeping cluster on its second morning, a second before the wake. */
async function beforeWake(workloads: readonly WorkloadParts[], config = {}): Promise<OfficeWorld> {
  const world = await new OfficeWorld({ workloads, config }).at(31, 59);
  world.watchesAtFault(true);
  return world;
}

/** The controller may no longer read the kind; the returned function gives the right back. */
function forbid(world: OfficeWorld, kind: Kind): () => void {
  const { faults } = world.cluster.api;
  const message = `${kind} is forbidden: User "${controllerUser}" cannot watch resource "${kind}" at the cluster scope`;
  const allow = faults.add({
    match: ({ user, verb, resource }) => user === controllerUser && resource === kind && reading.has(verb),
    effect: { kind: 'fail', status: 403, message },
  });
  breakWatches(world, kind);
  return allow;
}

function breakWatches(world: OfficeWorld, kind?: Kind): void {
  const ours = ({ user, resource }: { user: string; resource: string }) =>
    user === controllerUser && (kind === undefined || resource === kind);
  for (const { stream } of world.cluster.api.faults.openWatches(ours)) {
    stream.fail(Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }));
  }
}

const wakes = (world: OfficeWorld) => world.audit().filter(({ kind }) => kind === 'wake' || kind === 'wake-failed');

async function wakeEnded(world: OfficeWorld): Promise<AuditEntry> {
  await world.advance(50 * minute);
  const [entry] = wakes(world);
  if (entry === undefined) throw new Error(`No wake ended: ${world.stateData()['transition']}`);
  return entry;
}

const pulling = (seconds: number) => cart({ behaviour: { 'pull-seconds': String(seconds) } });

describe('pods that cannot be read', () => {
  it('do not hold back the scale-up, and a workload whose own status says it is up is up', async () => {
    const world = await beforeWake([cart({ replicas: 3 })]);
    forbid(world, 'pods');
    const entry = await wakeEnded(world);
    expect(world.level('Deployment shop/cart')).toBe(3);
    expect(entry).toMatchObject({ title: 'Wake Complete', result: 'success', details: { up: 1 } });
    expect(entry.durationMs).toBeLessThan(2 * minute);
  });

  it('leave a workload that does not come up with the only thing that is known: it could not be read', async () => {
    const world = await beforeWake([pulling(3_000), cart({ name: 'web' })]);
    forbid(world, 'pods');
    await world.at(32, 14);
    expect(wakes(world)).toEqual([]);
    expect(await wakeEnded(world)).toMatchObject({
      title: 'Wake Complete - 1 workload failed',
      result: 'failed',
      workloads_failed_detail: ['Deployment shop/cart could not be read'],
      details: { up: 1 },
    });
  });

  it('file the verdict at 15 minutes and not before', async () => {
    const world = await beforeWake([pulling(3_000)]);
    forbid(world, 'pods');
    const { durationMs } = await wakeEnded(world);
    expect(durationMs).toBe(15 * minute);
  });

  it('give no instant to measure a recovery from', async () => {
    const tier = (name: string) => ({ name, timeout: '2m', select: [{ namespace: 'shop', name }] });
    const slow = { 'pull-seconds': '3000' };
    const world = await beforeWake([pulling(960), cart({ name: 'web', behaviour: slow })], {
      wakeOrdering: { tiers: [tier('cart'), tier('web')] },
    });
    forbid(world, 'pods');
    expect(await wakeEnded(world)).toMatchObject({
      workloads_failed_detail: ['Deployment shop/web could not be read'],
      workloads_recovered_detail: ['Deployment shop/cart could not be read, came up after the service stopped waiting'],
    });
  });

  it('are judged as they are once they can be read again before the limit', async () => {
    const world = await beforeWake([pulling(3_000)]);
    const allow = forbid(world, 'pods');
    await world.at(32, 13);
    allow();
    expect(await wakeEnded(world)).toMatchObject({
      workloads_failed_detail: ['Deployment shop/cart was still pulling its image after 15 minutes'],
    });
  });
});

describe('a workload whose spec cannot be read', () => {
  it('gets the default budget and then: it could not be read', async () => {
    const startupProbe = { periodSeconds: 10, failureThreshold: 120 };
    const world = await beforeWake([cart({ startupProbe, behaviour: { 'start-seconds': '3000' } })]);
    await world.at(32, 1);
    forbid(world, 'deployments.apps');
    const entry = await wakeEnded(world);
    expect(entry).toMatchObject({ workloads_failed_detail: ['Deployment shop/cart could not be read'] });
    expect(Math.abs(entry.durationMs! - 10 * minute)).toBeLessThan(3_000);
  });

  it('is up when as many pods are ready as were recorded', async () => {
    const world = await beforeWake([cart({ replicas: 2, behaviour: { 'start-seconds': '300' } })]);
    await world.at(32, 1);
    forbid(world, 'deployments.apps');
    expect(await wakeEnded(world)).toMatchObject({ result: 'success', details: { up: 1 } });
  });
});

describe('a watch that only stumbles', () => {
  // In truth the container starts at 14:50, within the limit; a cache of 14:40 says that its image is being pulled.
  const started = () => pulling(890);
  const untouched = { result: 'success', workloads_failed_detail: [], workloads_recovered: 0, details: { up: 1 } };

  it.each([
    ['a refusal of 30 seconds', '403'],
    ['an apiserver that answers nobody', 'outage'],
  ])('over the limit makes no verdict: %s', async (_, kind) => {
    const world = await beforeWake([started()]);
    await world.at(32, 14);
    await world.advance(40_000);
    const allow = kind === '403' ? forbid(world, 'pods') : undefined;
    if (kind === 'outage') {
      world.faults.outage = true;
      breakWatches(world);
    }
    await world.advance(30_000);
    allow?.();
    world.faults.outage = false;
    expect(await wakeEnded(world)).toMatchObject(untouched);
  });

  it('nor does an outage of six minutes over the limit: the wake waits for the watch before it judges', async () => {
    const world = await beforeWake([started()]);
    await world.at(32, 14);
    world.faults.outage = true;
    breakWatches(world);
    await world.at(32, 20);
    world.faults.outage = false;
    expect(await wakeEnded(world)).toMatchObject(untouched);
  });

  it('does not say of a recovered workload that it is not ready again', async () => {
    const tier = (name: string) => ({ name, timeout: '2m', select: [{ namespace: 'shop', name }] });
    const world = await beforeWake([pulling(930), cart({ name: 'web', behaviour: { 'pull-seconds': '3000' } })], {
      wakeOrdering: { tiers: [tier('cart'), tier('web')] },
    });
    await world.at(32, 16);
    forbid(world, 'pods');
    forbid(world, 'deployments.apps');
    expect(await wakeEnded(world)).toMatchObject({
      workloads_recovered_detail: [
        'Deployment shop/cart was still pulling its image after 15 minutes, came up less than 1 minute after the service stopped waiting',
      ],
    });
  });
});
