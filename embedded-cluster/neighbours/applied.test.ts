import { describe, expect, it } from 'vitest';
import { workload } from '../cluster-fixture.ts';
import { ApplicationController } from './argo-cd.ts';
import { KustomizeController } from './flux.ts';
import { NeighbourFixture } from './neighbour-fixture.ts';

const cart = workload('Deployment', 'cart', { replicas: 2 });
const skip = 'argocd.argoproj.io/skip-reconcile';
const healing = { syncPolicy: { automated: { selfHeal: true } } };

function flux(spec: object = { interval: '5m' }): NeighbourFixture {
  const fixture = new NeighbourFixture('Kustomization');
  fixture.custom('Kustomization', 'flux-system/apps', spec);
  new KustomizeController(fixture.options, new Map([['flux-system/apps', [cart]]])).start();
  return fixture;
}

function argo(spec: object): NeighbourFixture {
  const fixture = new NeighbourFixture('Application');
  fixture.custom('Application', 'argocd/shop', spec);
  new ApplicationController(fixture.options, new Map([['argocd/shop', [cart]]])).start();
  return fixture;
}

const generation = (fixture: NeighbourFixture) =>
  fixture.store.get('deployments.apps', 'shop', 'cart')?.metadata.generation;

describe("Flux's kustomize-controller", () => {
  it('applies what it holds with its labels, and puts the count back at its interval', async () => {
    const fixture = flux();
    await fixture.pass(1);
    expect(fixture.store.get('deployments.apps', 'shop', 'cart')?.metadata.labels).toEqual({
      'kustomize.toolkit.fluxcd.io/name': 'apps',
      'kustomize.toolkit.fluxcd.io/namespace': 'flux-system',
    });
    fixture.scale('cart', 0);
    await fixture.pass(290);
    expect(fixture.replicas('cart')).toBe(0);
    await fixture.pass(20);
    expect([fixture.replicas('cart'), fixture.scaledBy('cart')]).toEqual([2, ['kustomize-controller']]);
  });

  it('changes nothing that is as it should be', async () => {
    const fixture = flux();
    await fixture.pass(1);
    const before = generation(fixture);
    await fixture.pass(3_600);
    expect(generation(fixture)).toBe(before);
  });

  it('does nothing while it is suspended, and all of it once it is resumed', async () => {
    const fixture = flux();
    await fixture.pass(1);
    fixture.change('Kustomization', 'flux-system/apps', 'spec', { suspend: true });
    fixture.scale('cart', 0);
    await fixture.pass(12 * 3_600);
    expect(fixture.replicas('cart')).toBe(0);
    fixture.change('Kustomization', 'flux-system/apps', 'spec', { suspend: undefined });
    await fixture.pass(1);
    expect(fixture.replicas('cart')).toBe(2);
  });
});

describe("Argo CD's application controller", () => {
  it('heals within seconds, and lists what it holds', async () => {
    const fixture = argo(healing);
    await fixture.pass(1);
    expect(fixture.stored('Application', 'argocd/shop')['status']).toMatchObject({
      resources: [{ group: 'apps', kind: 'Deployment', namespace: 'shop', name: 'cart' }],
    });
    const before = generation(fixture);
    await fixture.pass(600);
    expect(generation(fixture)).toBe(before);
    fixture.scale('cart', 0);
    await fixture.pass(10);
    expect([fixture.replicas('cart'), fixture.scaledBy('cart')]).toEqual([2, ['argocd-controller']]);
  });

  it.each([
    ['without self-heal', { syncPolicy: { automated: {} } }],
    ['with its automation off', { syncPolicy: { automated: { enabled: false, selfHeal: true } } }],
    [
      'that ignores the count',
      { ...healing, ignoreDifferences: [{ kind: 'Deployment', jsonPointers: ['/spec/replicas'] }] },
    ],
  ])('leaves the count of an Application %s', async (_, spec) => {
    const fixture = argo(spec);
    await fixture.pass(1);
    fixture.scale('cart', 0);
    await fixture.pass(3_600);
    expect(fixture.replicas('cart')).toBe(0);
  });

  it('does not look at one that is to be skipped, and heals once the annotation is gone', async () => {
    const fixture = argo(healing);
    await fixture.pass(1);
    fixture.change('Application', 'argocd/shop', 'annotations', { [skip]: 'true' });
    await fixture.pass(1);
    fixture.scale('cart', 0);
    await fixture.pass(3_600);
    expect(fixture.replicas('cart')).toBe(0);
    fixture.change('Application', 'argocd/shop', 'annotations', { [skip]: undefined });
    await fixture.pass(1);
    expect(fixture.replicas('cart')).toBe(2);
  });
});
