import { afterEach, describe, expect, it } from 'vitest';
import { namespaceManifest, workloadManifest } from '../../../test/support/builders/manifests.ts';
import { ControllerWorld, releaseNamespace } from '../../../test/support/controller-world.ts';
import type { HibernationProgress } from '../../domain/hibernate/progress.ts';
import { configMaps } from '../../domain/names.ts';
import { silentLogger } from '../../platform/silent-logger.ts';
import type { ClusterView } from '../../ports/cluster.ts';

const second = 1_000;
const minute = 60 * second;
/** A monday, 19:59 in Berlin: a minute before everything that is ours should sleep. */
const beforeNight = Date.UTC(2026, 0, 5, 18, 59);

let world: ControllerWorld;
let lines: string[];
afterEach(() => world.stopController());

async function start(): Promise<void> {
  lines = [];
  const hear = (message: string) => void lines.push(message);
  world = new ControllerWorld({ startAt: beforeNight, logger: { ...silentLogger, info: hear, warn: hear } });
  const names = ['cart', 'stock', 'web'];
  world.cluster.apply([
    namespaceManifest('shop'),
    ...names.map((name) => workloadManifest({ kind: 'Deployment', namespace: 'shop', name, replicas: 2 })),
  ]);
  await world.startController();
}

const replicas = () => ['cart', 'stock', 'web'].map((name) => world.replicas('shop', name));

function standDown(): void {
  const stored = world.cluster.store.get('configmaps', releaseNamespace, configMaps.state)!;
  const admin = { actor: 'ann@example.org', at: new Date(world.clock.now()).toISOString() };
  const data = { ...(stored['data'] as object), stand_down: JSON.stringify({ admin, handbackDone: false }) };
  world.cluster.apply([{ ...stored, data }]);
}

describe('the snapshot of a pass', () => {
  it('is read once a pass, however much a pass has to do', async () => {
    await start();
    const { view, metrics } = world.ports;
    let reads = 0;
    const counted: ClusterView = {
      synced: () => view.synced(),
      renew: () => view.renew(),
      renewing: () => view.renewing(),
      workloads() {
        reads++;
        return view.workloads();
      },
      workload: () => expect.unreachable('a step asks the caches past the snapshot'),
      scalingFacts: () => view.scalingFacts(),
      inStep: (kind) => view.inStep(kind),
      pods: (workload) => view.pods(workload),
      watchPods: (wanted) => view.watchPods(wanted),
      onChange: (listener) => view.onChange(listener),
    };
    Object.assign(world.ports, { view: counted });
    const passes = async () => (await metrics.passes.get()).values.reduce((sum, { value }) => sum + value, 0);
    const before = await passes();
    await world.clock.advance(13 * 60 * minute);
    expect(replicas()).toEqual([2, 2, 2]);
    expect(lines).toContain('Wake finished');
    expect(reads).toBe((await passes()) - before);
  });

  it('is taken anew at once by the pass after one that wrote', async () => {
    await start();
    // The watches ask for a pass no sooner than a second after the last one.
    await world.clock.advance(minute + 100);
    expect(replicas()).toEqual([0, 0, 0]);
    const told = world.frames.filter(({ kind }) => kind === 'transition');
    const left = told.map(({ payload }) => (payload as { progress: HibernationProgress }).progress.toLower);
    // Three workloads: while they are recorded, when the lowering begins, and once all are down.
    expect(left).toEqual([3, 3, 0]);
  });

  it('is taken anew at once after the upkeep of a sleeping cluster too', async () => {
    await start();
    await world.clock.advance(5 * minute);
    const metadata = { name: 'shop', annotations: { 'svc.io/exclude': 'true' } };
    world.cluster.apply([{ apiVersion: 'v1', kind: 'Namespace', metadata }]);
    await world.clock.advance(500);
    expect([replicas(), world.stateData()['resource_states']]).toEqual([[2, 2, 2], '[]']);
  });

  it('does not make a handback complain of what it has only now raised', async () => {
    await start();
    await world.clock.advance(5 * minute);
    standDown();
    await world.clock.advance(minute);
    expect(replicas()).toEqual([2, 2, 2]);
    expect(lines.filter((line) => line.startsWith('Handback'))).toEqual([
      'Handback finished: everything that was scaled down is back',
    ]);
  });
});
