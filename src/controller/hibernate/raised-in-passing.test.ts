import { afterEach, describe, expect, it } from 'vitest';
import type { Manifest } from '../../../embedded-cluster/apply-objects.ts';
import { namespaceManifest, workloadManifest } from '../../../test/support/builders/manifests.ts';
import { definitionOf, neighbour, storageOf } from '../../../test/support/builders/neighbours.ts';
import { deployment as deploymentOf, hibernated as hibernatedBy } from '../../../test/support/builders/workloads.ts';
import { ControllerWorld, releaseNamespace } from '../../../test/support/controller-world.ts';
import { readEntries } from '../../domain/audit/stored-entry.ts';
import { isReplicaRecord } from '../../domain/record/record.ts';
import { resourceStates } from '../../state/resource-states.ts';
import type { PacedReads } from '../act/paced-reads.ts';
import { freshly, whoRaised } from './raised-in-passing.ts';

const minute = 60_000;
const hour = 60 * minute;
/** Monday, 17:00 in Berlin: an hour before the night. */
const afternoon = Date.UTC(2026, 0, 5, 16);
const kinds = ['Kustomization'];
const config = {
  workingHours: { timezone: 'Europe/Berlin', schedule: { monday: '08:00-18:00', tuesday: '08:00-18:00' } },
  targeting: { kinds },
};
const flux = 'kustomize-controller';
const cartPath = 'apps/v1/namespaces/shop/deployments/cart';
const appsPath = 'kustomize.toolkit.fluxcd.io/v1/namespaces/flux-system/kustomizations/apps';

let world: ControllerWorld;
afterEach(() => world.stopController());

const appliedBy = (name: string) => ({
  'kustomize.toolkit.fluxcd.io/name': name,
  'kustomize.toolkit.fluxcd.io/namespace': 'flux-system',
});
const deployment = (name: string, labels: Record<string, string> = {}) =>
  workloadManifest({ kind: 'Deployment', namespace: 'shop', name, replicas: 2, labels });
const kustomization = (name: string, spec: object = {}, labels: Record<string, string> = {}): Manifest => {
  const manifest = neighbour('Kustomization', `flux-system/${name}`, { spec: { path: `./${name}`, ...spec } });
  return { ...manifest, metadata: { ...manifest.metadata, labels } };
};

async function started(objects: readonly Manifest[], more: Record<string, unknown> = {}): Promise<void> {
  world = new ControllerWorld({ startAt: afternoon, config: { ...config, ...more } });
  world.cluster.apply([definitionOf('Kustomization'), ...['shop', 'flux-system'].map(namespaceManifest), ...objects]);
  await world.startController();
}
const at = (ms: number) => world.clock.advance(afternoon + ms - world.clock.now());
const asleep = 70 * minute;

const count = (name: string) => world.replicas('shop', name);
const suspended = (name: string) => {
  const found = world.cluster.store.get(storageOf('Kustomization'), 'flux-system', name);
  return (found?.['spec'] as { suspend?: boolean } | undefined)?.suspend;
};
const audited = () => {
  const files = world.cluster.store.get('configmaps', releaseNamespace, 'svc-audit-0')?.['data'];
  return JSON.stringify(readEntries(Object.values(files as Readonly<Record<string, string>>)).entries);
};

const recordedCounts = (name: string) => {
  const decoded = resourceStates.decode(world.stateData()['resource_states']);
  const records = decoded.ok ? decoded.value.filter((record) => record.name === name) : [];
  return records.map((record) => isReplicaRecord(record) && record.replicas);
};

async function write(manager: string, path: string, spec: object): Promise<void> {
  const { status } = await world.cluster.api.transport().send({
    method: 'PATCH',
    path: `/apis/${path}?fieldManager=${manager}`,
    headers: { 'content-type': 'application/merge-patch+json' },
    body: JSON.stringify({ spec }),
  });
  expect(status).toBe(200);
}

interface Patch {
  readonly resource: string;
  readonly name: string;
  readonly verb: string;
  readonly user: string;
}
const isOurPatch = (resource: string, name: string) => (one: Patch) =>
  one.resource === resource && one.name === name && one.verb === 'patch' && one.user.includes('controller');

describe('what was raised in passing', () => {
  it('and may not be lowered again holds up neither its tier nor those after it', async () => {
    const tiers = [{ name: 'last', select: [{ namespace: 'shop', name: 'other' }] }];
    await started([kustomization('apps'), deployment('cart', appliedBy('apps')), deployment('other')], {
      hibernateOrdering: { tiers },
    });
    let raised: Promise<void> | undefined;
    world.cluster.api.faults.onWrite(({ resource, name, after }) => {
      if (resource !== 'deployments.apps' || name !== 'cart') return;
      if (raised !== undefined || (after['spec'] as { replicas: number }).replicas !== 0) return;
      raised = write(flux, cartPath, { replicas: 4 });
      world.cluster.api.faults.add({
        match: isOurPatch('deployments.apps', 'cart'),
        effect: { kind: 'fail', status: 403, message: 'admission webhook "policy" denied the request' },
      });
    });
    await at(asleep);
    await raised;
    await world.clock.advance(4 * hour);
    let reads = 0;
    world.cluster.api.faults.onRequest(({ resource, verb, name }) => {
      if (resource === 'deployments.apps' && verb === 'get' && name === 'cart') reads++;
    });
    await world.clock.advance(10 * minute);
    expect([count('other'), world.stateData()['transition']]).toEqual([0, undefined]);
    expect(reads).toBeLessThan(50);
  });

  it('has its new count on record before it is lowered again', async () => {
    const tiers = [{ name: 'last', select: [{ namespace: 'shop', name: 'other' }] }];
    await started([kustomization('apps'), deployment('cart', appliedBy('apps')), deployment('other')], {
      hibernateOrdering: { tiers },
    });
    const recorded: (number | false)[] = [];
    let raised: Promise<void> | undefined;
    world.cluster.api.faults.onWrite(({ resource, name, after, user }) => {
      if (resource !== 'deployments.apps' || name !== 'cart' || !user.includes('svc-controller')) return;
      if ((after['spec'] as { replicas: number }).replicas !== 0) return;
      recorded.push(...recordedCounts('cart'));
      raised ??= write(flux, cartPath, { replicas: 4 });
    });
    await at(asleep);
    await raised;
    await world.clock.advance(hour);
    expect([recorded, count('cart')]).toEqual([[2, 4], 0]);
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
    expect(found).toEqual({ inPassing: [workload], byOthers: [] });
  });

  it('is lowered again though what brought it could not be quieted again at once', async () => {
    await started([
      kustomization('fleet'),
      kustomization('apps', { suspend: false }, appliedBy('fleet')),
      deployment('cart', appliedBy('apps')),
    ]);
    await at(asleep);
    const isSuspending = isOurPatch(storageOf('Kustomization'), 'apps');
    world.cluster.api.faults.add({
      match: isSuspending,
      effect: { kind: 'fail', status: 409, message: 'the object has been modified' },
      times: 1,
    });
    let raised: Promise<void> | undefined;
    world.cluster.api.faults.onRequest((request) => {
      if (isSuspending(request)) raised ??= write(flux, cartPath, { replicas: 4 });
    });
    await write(flux, appsPath, { suspend: false });
    await world.clock.advance(5 * minute);
    await raised;
    await world.clock.advance(5 * minute);
    expect([suspended('apps'), count('cart')]).toEqual([true, 0]);
  });

  it.each([
    ['by its owner', 'kubectl-scale'],
    ['under the name of what is quiet', flux],
  ])('once, and %s a second time: it stays up, and that is told', async (_, manager) => {
    await started([kustomization('apps'), deployment('cart', appliedBy('apps'))]);
    await at(asleep);
    await write(flux, cartPath, { replicas: 4 });
    await world.clock.advance(5 * minute);
    expect(count('cart')).toBe(0);
    await write(manager, cartPath, { replicas: 4 });
    await world.clock.advance(hour);
    expect(count('cart')).toBe(4);
    expect(audited().split(`Deployment shop/cart is raised by ${manager}`)).toHaveLength(2);
  });
});

describe('what is raised by another hand while others are still on their way down', () => {
  it('is left up and told with the name of who did it', async () => {
    const tiers = [{ name: 'last', select: [{ namespace: 'shop', name: 'other' }] }];
    await started([deployment('cart'), deployment('other')], { hibernateOrdering: { tiers } });
    let raised: Promise<void> | undefined;
    world.cluster.api.faults.onWrite(({ resource, name, user }) => {
      const isOurs = resource === 'deployments.apps' && name === 'cart' && user.includes('svc-controller');
      if (isOurs) raised ??= write('kubectl-scale', cartPath, { replicas: 3 });
    });
    await at(asleep);
    await raised;
    await world.clock.advance(hour);
    expect([count('cart'), count('other')]).toEqual([3, 0]);
    expect(audited().split('Deployment shop/cart is raised by kubectl-scale: it was 2')).toHaveLength(2);
  });
});

describe('what has left our scope in the night', () => {
  it('gets its count before what applies it goes on, however long that takes', async () => {
    await started([kustomization('apps'), deployment('cart', appliedBy('apps'))]);
    await at(asleep);
    const order: string[] = [];
    world.cluster.api.faults.onWrite(({ resource, name, user }) => {
      const isOurs = user.includes('svc-controller') && !resource.endsWith('/status');
      if (isOurs && ['cart', 'apps'].includes(name)) order.push(name);
    });
    world.cluster.api.faults.add({
      match: isOurPatch('deployments.apps', 'cart'),
      effect: { kind: 'delay', ms: 400 },
    });
    const exclude = ['shop', 'flux-system'].map((exact) => ({ exact }));
    world.reconfigure({ ...config, targeting: { kinds, namespaces: { exclude } } });
    await world.clock.advance(10 * minute);
    expect([order, count('cart'), suspended('apps')]).toEqual([['cart', 'apps'], 2, undefined]);
  });
});
