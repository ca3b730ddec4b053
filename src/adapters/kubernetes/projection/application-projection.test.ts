import { describe, expect, it } from 'vitest';
import { type KindEntry, kindTable } from '../../../domain/kinds/kind-table.ts';
import { StringPool } from '../json/string-pool.ts';
import { healedBy } from './application-projection.ts';

const healing = { automated: { selfHeal: true } };
const here = { server: 'https://kubernetes.default.svc', namespace: 'shop' };
const resources = [
  { group: 'apps', version: 'v1', kind: 'Deployment', namespace: 'shop', name: 'cart' },
  { group: 'batch', version: 'v1', kind: 'CronJob', namespace: 'shop', name: 'report' },
  { version: 'v1', kind: 'Service', namespace: 'shop', name: 'cart' },
  { group: 'example.com', version: 'v1', kind: 'Deployment', namespace: 'shop', name: 'other' },
];
const both = ['Deployment shop/cart', 'CronJob shop/report'];
const described: KindEntry = {
  kind: 'Pool',
  group: 'example.com',
  version: 'v1',
  plural: 'pools',
  field: { pointer: '/spec/paused', value: true },
};

const healed = (spec: object, status: object = { resources }) =>
  healedBy(
    { spec: { destination: here, syncPolicy: healing, ...spec }, status },
    kindTable([described]),
    new StringPool(),
  );
const ignoring = (...ignoreDifferences: object[]) => healed({ ignoreDifferences });

describe('what an Application of Argo CD heals', () => {
  it('is the workloads that it lists', () => {
    expect(healed({})).toEqual(both);
  });

  it('is also what applies others', () => {
    const listed = [
      { group: 'argoproj.io', kind: 'Application', namespace: 'argocd', name: 'child' },
      { group: 'kustomize.toolkit.fluxcd.io', kind: 'Kustomization', namespace: 'flux-system', name: 'apps' },
      { group: 'kustomize.config.k8s.io', kind: 'Kustomization', namespace: 'flux-system', name: 'another' },
    ];
    expect(healed({}, { resources: listed })).toEqual(['Application argocd/child', 'Kustomization flux-system/apps']);
  });

  it('is also what the configuration describes, of its own group alone', () => {
    const listed = ['example.com', 'example.org'].map((group) => ({
      group,
      kind: 'Pool',
      namespace: 'shop',
      name: group,
    }));
    expect(healed({}, { resources: listed })).toEqual(['Pool shop/example.com']);
    const ignoreDifferences = [{ group: 'example.com', kind: 'Pool', jsonPointers: ['/spec/paused'] }];
    expect(healed({ ignoreDifferences }, { resources: listed })).toEqual([]);
  });

  it.each([
    ['it is synced by hand', { syncPolicy: {} }],
    ['it has no policy', { syncPolicy: undefined }],
    ['it is automated without self-heal', { syncPolicy: { automated: { prune: true } } }],
    ['its automation is switched off', { syncPolicy: { automated: { enabled: false, selfHeal: true } } }],
    ['it is for another cluster by address', { destination: { server: 'https://10.0.0.1' } }],
    ['it is for another cluster by name', { destination: { name: 'production' } }],
  ])('is nothing while %s', (_, spec) => {
    expect(healed(spec)).toEqual([]);
  });

  it('is the same for the cluster by its name', () => {
    expect(healed({ destination: { name: 'in-cluster' } })).toEqual(both);
  });

  it('is nothing before Argo CD has looked', () => {
    expect([healed({}, {}), healed({}, { resources: null })]).toEqual([[], []]);
  });

  it.each([
    ['a pointer', { group: 'apps', kind: 'Deployment', jsonPointers: ['/spec/replicas'] }],
    ['an expression', { group: 'apps', kind: 'Deployment', jqPathExpressions: ['.spec.replicas'] }],
    ['our field manager, for everything', { group: 'apps', kind: '*', managedFieldsManagers: ['svc-controller'] }],
    ['its name', { group: 'apps', kind: 'Deployment', name: 'cart', jsonPointers: ['/spec/replicas'] }],
    ['any group', { group: '*', kind: 'Deployment', jsonPointers: ['/spec/replicas'] }],
  ])('leaves out what it ignores by %s', (_, rule) => {
    expect(ignoring(rule)).toEqual(['CronJob shop/report']);
  });

  it.each([
    ['another place', { group: 'apps', kind: 'Deployment', jsonPointers: ['/spec/template'] }],
    ['another kind', { group: 'apps', kind: 'StatefulSet', jsonPointers: ['/spec/replicas'] }],
    ['another group', { kind: 'Deployment', jsonPointers: ['/spec/replicas'] }],
    ['another name', { group: 'apps', kind: 'Deployment', name: 'web', jsonPointers: ['/spec/replicas'] }],
    ['another namespace', { group: 'apps', kind: 'Deployment', namespace: 'x', jsonPointers: ['/spec/replicas'] }],
  ])('does not leave out what it ignores of %s', (_, rule) => {
    expect(ignoring(rule)).toEqual(both);
  });
});
