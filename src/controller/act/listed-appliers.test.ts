import { afterEach, describe, expect, it } from 'vitest';
import { namespaceManifest, workloadManifest } from '../../../test/support/builders/manifests.ts';
import { definitionOf, type NeighbourKind, neighbour, storageOf } from '../../../test/support/builders/neighbours.ts';
import { ControllerWorld } from '../../../test/support/controller-world.ts';

const minute = 60_000;
/** Monday, 17:00 in Berlin: an hour before the night. */
const afternoon = Date.UTC(2026, 0, 5, 16);
const config = {
  workingHours: { timezone: 'Europe/Berlin', schedule: { monday: '08:00-18:00', tuesday: '08:00-18:00' } },
  targeting: { kinds: ['Kustomization', 'Application'] },
};
const skip = 'argocd.argoproj.io/skip-reconcile';

let world: ControllerWorld;
afterEach(() => world.stopController());

const cart = workloadManifest({
  kind: 'Deployment',
  namespace: 'shop',
  name: 'cart',
  replicas: 2,
  labels: { 'kustomize.toolkit.fluxcd.io/name': 'apps', 'kustomize.toolkit.fluxcd.io/namespace': 'flux-system' },
});
const application = neighbour('Application', 'argocd/fleet', {
  spec: {
    destination: { server: 'https://kubernetes.default.svc' },
    syncPolicy: { automated: { selfHeal: true } },
  },
});
const listing = {
  resources: [{ group: 'kustomize.toolkit.fluxcd.io', kind: 'Kustomization', namespace: 'flux-system', name: 'apps' }],
};
const stored = (kind: NeighbourKind, namespace: string, name: string) =>
  world.cluster.store.get(storageOf(kind), namespace, name);

describe('an Application that lists a Kustomization', () => {
  it.each([
    ['is quieted before it where that says that it is not suspended', { suspend: false }, ['fleet', 'apps'], 'true'],
    ['is left alone where that says nothing', {}, ['apps'], undefined],
  ])('%s', async (_, spec, order, skipped) => {
    world = new ControllerWorld({ startAt: afternoon, config });
    world.cluster.apply([
      ...(['Kustomization', 'Application'] as const).map(definitionOf),
      ...['shop', 'flux-system', 'argocd'].map(namespaceManifest),
      cart,
      neighbour('Kustomization', 'flux-system/apps', { spec: { path: './apps', ...spec } }),
      application,
    ]);
    // As Argo CD's controller writes it, which a request that creates it cannot.
    world.cluster.store.update(storageOf('Application'), {
      ...stored('Application', 'argocd', 'fleet')!,
      status: listing,
    });
    await world.startController();
    await world.clock.advance(5 * minute);
    const written: string[] = [];
    world.cluster.api.faults.onWrite(({ name, user }) => {
      if (user.includes('svc-controller') && ['fleet', 'apps'].includes(name)) written.push(name);
    });
    await world.clock.advance(65 * minute);
    const { annotations = {} } = stored('Application', 'argocd', 'fleet')?.metadata ?? {};
    expect([written, annotations[skip], world.replicas('shop', 'cart')]).toEqual([order, skipped, 0]);
    await world.clock.advance(15 * 60 * minute);
    expect(world.replicas('shop', 'cart')).toBe(2);
    expect(stored('Application', 'argocd', 'fleet')?.metadata.annotations?.[skip]).toBeUndefined();
    expect(stored('Kustomization', 'flux-system', 'apps')?.['spec']).toEqual({ path: './apps', ...spec });
  });
});
