import { afterEach, describe, expect, it } from 'vitest';
import type { Manifest } from '../../../embedded-cluster/apply-objects.ts';
import { storageOf } from '../../../test/support/builders/neighbours.ts';
import { deployment as deploymentOf, hibernated as hibernatedBy } from '../../../test/support/builders/workloads.ts';
import {
  appliedBy,
  appsPath,
  cartPath,
  deployment,
  flux,
  isOurPatch,
  kustomization,
  NeighbourNight,
} from '../../../test/support/worlds/neighbour-night.ts';
import { isReplicaRecord } from '../../domain/record/record.ts';
import type { PacedReads } from '../act/paced-reads.ts';
import { freshly, whoRaised } from './raised-in-passing.ts';

const hour = 3_600_000;

let night: NeighbourNight;
afterEach(() => night.world.stopController());

const cart = deployment('cart', { labels: appliedBy('apps') });
const hibernateOrdering = { tiers: [{ name: 'last', select: [{ namespace: 'shop', name: 'other' }] }] };

async function started(objects: readonly Manifest[], more: Record<string, unknown> = {}): Promise<void> {
  night = new NeighbourNight(['Kustomization'], objects, more);
  await night.start();
}

const recordedCounts = (name: string) =>
  night.records().flatMap((record) => (record.name === name && isReplicaRecord(record) ? [record.replicas] : []));

describe('what was raised in passing', () => {
  it('and may not be lowered again holds up neither its tier nor those after it', async () => {
    await started([kustomization('apps'), cart, deployment('other')], { hibernateOrdering });
    let raised: Promise<void> | undefined;
    night.world.cluster.api.faults.onWrite(({ resource, name, after }) => {
      if (resource !== 'deployments.apps' || name !== 'cart') return;
      if (raised !== undefined || (after['spec'] as { replicas: number }).replicas !== 0) return;
      raised = night.write(flux, cartPath, { replicas: 4 });
      night.world.cluster.api.faults.add({
        match: isOurPatch('deployments.apps', 'cart'),
        effect: { kind: 'fail', status: 403, message: 'admission webhook "policy" denied the request' },
      });
    });
    await night.night();
    await raised;
    await night.wait(240);
    let reads = 0;
    night.world.cluster.api.faults.onRequest(({ resource, verb, name }) => {
      if (resource === 'deployments.apps' && verb === 'get' && name === 'cart') reads++;
    });
    await night.wait(10);
    expect([night.count('other'), night.world.stateData()['transition']]).toEqual([0, undefined]);
    expect(reads).toBeLessThan(50);
  });

  it('has its new count on record before it is lowered again', async () => {
    await started([kustomization('apps'), cart, deployment('other')], { hibernateOrdering });
    const recorded: number[] = [];
    let raised: Promise<void> | undefined;
    night.onceLowered(() => {
      recorded.push(...recordedCounts('cart'));
      raised ??= night.write(flux, cartPath, { replicas: 4 });
    });
    await night.night();
    await raised;
    await night.wait(60);
    expect([recorded, night.count('cart')]).toEqual([[2, 4], 0]);
  });

  it('and is another object by the time it is read answers for nothing', async () => {
    const raised = deploymentOf({ replicas: 4 });
    const read = (uid: string): PacedReads['read'] => {
      const workload = { ...raised, uid };
      return () => Promise.resolve({ read: true, workload });
    };
    const found = (uid: string) => freshly({ reads: { read: read(uid) }, signal: AbortSignal.timeout(hour) }, [raised]);
    expect([(await found(raised.uid)).size, (await found('made-anew')).size]).toEqual([1, 0]);
  });

  it('and is down again by the time it is read was raised by nobody else', async () => {
    const raised = hibernatedBy(2, { replicas: 4 });
    const workload = hibernatedBy(2);
    const found = await whoRaised(
      {
        reads: { read: () => Promise.resolve({ read: true, workload }) },
        signal: AbortSignal.timeout(hour),
        snapshot: { workloads: [] },
      },
      [raised],
    );
    expect(found).toEqual({ inPassing: [workload], byUs: [], byOthers: [] });
  });

  it('is lowered again though what brought it could not be quieted again at once', async () => {
    await started([kustomization('fleet'), kustomization('apps', { suspend: false }, appliedBy('fleet')), cart]);
    await night.night();
    const isSuspending = isOurPatch(storageOf('Kustomization'), 'apps');
    night.world.cluster.api.faults.add({
      match: isSuspending,
      effect: { kind: 'fail', status: 409, message: 'the object has been modified' },
      times: 1,
    });
    let raised: Promise<void> | undefined;
    night.world.cluster.api.faults.onRequest((request) => {
      if (isSuspending(request)) raised ??= night.write(flux, cartPath, { replicas: 4 });
    });
    await night.write(flux, appsPath, { suspend: false });
    await night.wait(5);
    await raised;
    await night.wait(5);
    expect([night.suspended('apps'), night.count('cart')]).toEqual([true, 0]);
  });

  it.each([
    ['by its owner', 'kubectl-scale'],
    ['under the name of what is quiet', flux],
  ])('once, and %s a second time: it stays up, and that is told', async (_, manager) => {
    await started([kustomization('apps'), cart]);
    await night.night();
    await night.write(flux, cartPath, { replicas: 4 });
    await night.wait(5);
    expect(night.count('cart')).toBe(0);
    await night.write(manager, cartPath, { replicas: 4 });
    await night.wait(60);
    expect(night.count('cart')).toBe(4);
    expect(night.told(`Deployment shop/cart is raised by ${manager}`)).toBe(1);
  });
});

describe('what is raised by another hand while others are still on their way down', () => {
  it('is left up and told with the name of who did it', async () => {
    await started([deployment('cart'), deployment('other')], { hibernateOrdering });
    let raised: Promise<void> | undefined;
    night.world.cluster.api.faults.onWrite(({ resource, name, user }) => {
      const isOurs = resource === 'deployments.apps' && name === 'cart' && user.includes('svc-controller');
      if (isOurs) raised ??= night.write('kubectl-scale', cartPath, { replicas: 3 });
    });
    await night.night();
    await raised;
    await night.wait(60);
    expect([night.count('cart'), night.count('other')]).toEqual([3, 0]);
    expect(night.told('Deployment shop/cart is raised by kubectl-scale: it was 2')).toBe(1);
  });
});
