import { afterEach, describe, expect, it } from 'vitest';
import type { RequestFacts } from '../../../embedded-cluster/faults.ts';
import { namespaceManifest, workloadManifest } from '../../../test/support/builders/manifests.ts';
import { ControllerWorld, controllerIdentity } from '../../../test/support/controller-world.ts';
import { oddConfig, oddServices } from '../../../test/support/odd-services.ts';
import { PausableProcess } from '../../../test/support/pausable-process.ts';
import { isHandedBack, standDown } from '../../../test/support/worlds/stood-down.ts';
import { annotations, configMaps } from '../../domain/names.ts';

const minute = 60_000;
/** A monday, 19:59 in Berlin: a minute before everything that is ours should sleep. */
const beforeNight = Date.UTC(2026, 0, 5, 18, 59);
const names = Array.from({ length: 120 }, (_, index) => `app-${index}`);

let world: ControllerWorld;
afterEach(() => world.stopController());

function prepare(): void {
  world = new ControllerWorld({ startAt: beforeNight });
  const workloads = names.map((name) => {
    return workloadManifest({ kind: 'Deployment', namespace: 'shop', name, replicas: 2 });
  });
  world.cluster.apply([namespaceManifest('shop'), ...workloads]);
}

const down = () => names.filter((name) => world.replicas('shop', name) === 0);

/** Nor does a controller that starts now hear of what happens to the state: its connection has died without a word. */
function silencedState(): () => void {
  return world.cluster.api.faults.add({
    match: ({ verb, resource }) => verb === 'watch' && resource === 'configmaps',
    effect: { kind: 'watch', mode: 'silent' },
  });
}

/** A controller that stops where it stands in the middle of a hibernation, after it has sent the given number of writes. */
async function pausedAfter(sent: number): Promise<PausableProcess> {
  prepare();
  const process = new PausableProcess(world.clock, world.cluster.transport(controllerIdentity));
  let seen = 0;
  const unsubscribe = world.cluster.api.faults.onRequest(({ verb, resource }) => {
    if (verb === 'patch' && resource === 'deployments.apps' && ++seen === sent) process.pause();
  });
  const silence = silencedState();
  await world.startController(process.transport, process.clock);
  await world.clock.advance(2 * minute);
  unsubscribe();
  silence();
  expect(down().length).toBeGreaterThan(0);
  expect(down().length).toBeLessThan(names.length);
  return process;
}

/** Names of what is lowered from now on. */
function lowerings(): readonly string[] {
  const lowered: string[] = [];
  world.cluster.api.faults.onWrite(({ resource, name, after }) => {
    if (resource !== 'deployments.apps') return;
    if ((after.spec as { replicas: number }).replicas === 0) lowered.push(name);
  });
  return lowered;
}

it('a controller lowers nothing that is spared while it asks whether the state still holds', async () => {
  prepare();
  await world.startController();
  const ofState = ({ verb, name }: RequestFacts) => verb === 'get' && name === configMaps.state;
  world.cluster.api.faults.add({ match: ofState, effect: { kind: 'delay', ms: 3_000 } });
  const lowered = lowerings();
  const spared = { targeting: { namespaces: { exclude: [{ exact: 'shop' }] } } };
  const unsubscribe = world.cluster.api.faults.onRequest((facts) => {
    if (!ofState(facts) || world.stateData()['resource_states'] === undefined) return;
    unsubscribe();
    world.clock.after(1_000, () => world.reconfigure(spared));
  });
  await world.clock.advance(5 * minute);
  expect(world.config.targeting.namespaces.exclude).toHaveLength(1);
  expect(lowered).toEqual([]);
});

describe('a controller that was paused in the middle of a hibernation', () => {
  it.each([1, 7, 55, 90])('after %i writes lowers nothing under a stand-down when it comes back', async (sent) => {
    const late = await pausedAfter(sent);
    standDown(world);
    await world.startController();
    await world.clock.advance(5 * minute);
    expect([down(), isHandedBack(world)]).toEqual([[], true]);
    const lowered = lowerings();
    late.continue();
    await world.clock.advance(minute);
    expect([lowered, down()]).toEqual([[], []]);
  });

  it('lowers nothing when it comes back by day', async () => {
    const late = await pausedAfter(55);
    await world.startController();
    await world.clock.advance(13 * 60 * minute);
    expect(down()).toEqual([]);
    const lowered = lowerings();
    late.continue();
    await world.clock.advance(minute);
    expect(lowered).toEqual([]);
  });
});

describe('a lowering that lands after everything was handed back', () => {
  it('opens the handback again, and is raised', async () => {
    prepare();
    await world.startController();
    await world.clock.advance(5 * minute);
    standDown(world);
    await world.clock.advance(5 * minute);
    expect([down(), isHandedBack(world)]).toEqual([[], true]);
    const one = world.cluster.store.get('deployments.apps', 'shop', 'app-7')!;
    const marks = { [annotations.hibernatedReplicas]: '2', [annotations.markedUid]: one.metadata.uid };
    const spec = { ...(one.spec as object), replicas: 0 };
    world.cluster.apply([{ ...one, metadata: { ...one.metadata, annotations: marks }, spec }]);
    await world.clock.advance(minute);
    expect(down()).toEqual([]);
    expect(isHandedBack(world)).toBe(true);
  });
});

describe('two controllers at once', () => {
  it('do not take turns at the state all night over a workload that may not be taken down', async () => {
    prepare();
    world.cluster.api.faults.add({
      match: ({ verb, resource, name }) => verb === 'patch' && resource === 'deployments.apps' && name === 'app-7',
      effect: { kind: 'fail', status: 403, message: 'denied by policy' },
    });
    const other = new PausableProcess(world.clock, world.cluster.transport(controllerIdentity));
    await world.startController(other.transport, other.clock);
    await world.startController();
    await world.clock.advance(30 * minute);
    expect(down()).toHaveLength(names.length - 1);
    let writes = 0;
    world.cluster.api.faults.onWrite(({ name }) => {
      if (name === configMaps.state) writes++;
    });
    await world.clock.advance(60 * minute);
    other.pause();
    // Each counts itself anew before it tries, which is every 35 seconds or so.
    expect(writes).toBeLessThan(300);
  });
});

describe('a controller that was paused while it redirected services', () => {
  const redirects = () =>
    [...world.cluster.store.list('services')]
      .filter(({ metadata }) => metadata.labels?.['svc.io/redirected'] === 'true')
      .map(({ metadata }) => metadata.name);

  it.each([1, 9, 17])('after %i reads of them redirects none under a stand-down', async (reads) => {
    world = new ControllerWorld({ startAt: beforeNight, config: oddConfig, redirects: true });
    world.cluster.apply(oddServices);
    const late = new PausableProcess(world.clock, world.cluster.transport(controllerIdentity));
    let seen = 0;
    const unsubscribe = world.cluster.api.faults.onRequest(({ verb, resource }) => {
      if (verb === 'get' && resource === 'services' && ++seen === reads) late.pause();
    });
    const silence = silencedState();
    await world.startController(late.transport, late.clock);
    await world.clock.advance(2 * minute);
    unsubscribe();
    silence();
    expect(seen).toBeGreaterThanOrEqual(reads);
    standDown(world);
    await world.startController();
    await world.clock.advance(5 * minute);
    expect([redirects(), isHandedBack(world)]).toEqual([[], true]);
    const redirected: string[] = [];
    world.cluster.api.faults.onWrite(({ resource, name, after }) => {
      if (resource === 'services' && after.metadata.labels?.['svc.io/redirected'] === 'true') redirected.push(name);
    });
    late.continue();
    await world.clock.advance(minute);
    expect(redirected).toEqual([]);
  });
});
