import { describe, expect, it } from 'vitest';
import { cronJob, deployment } from '../../../test/support/builders/workloads.ts';
import type { Workload } from '../workload.ts';
import { inWaves } from './waves.ts';

const appliedBy = (name: string) => ({
  'kustomize.toolkit.fluxcd.io/name': name,
  'kustomize.toolkit.fluxcd.io/namespace': 'flux-system',
});
const kustomization = (name: string, labels = {}): Workload =>
  cronJob({ kind: 'Kustomization', namespace: 'flux-system', name, labels });
const cart = deployment({ name: 'cart', labels: appliedBy('apps') });
const chain = [kustomization('fleet'), cart, kustomization('apps', appliedBy('fleet'))];

const namesOf = (act: string, ...workloads: readonly Workload[]) =>
  inWaves(workloads.map((workload) => ({ act, workload }))).map((wave) => wave.map(({ workload }) => workload.name));

describe('acts that may be done at once', () => {
  it('are all, where nothing applies others', () => {
    expect(namesOf('lower', cart, deployment({ name: 'web' }))).toEqual([['cart', 'web']]);
  });
  it('go down from what applies most', () => {
    expect(namesOf('suspend', ...chain)).toEqual([['fleet'], ['apps'], ['cart']]);
  });
  it.each(['raise', 'resume', 'disown'])('come up to it: %s', (act) => {
    expect(namesOf(act, ...chain)).toEqual([['cart'], ['apps'], ['fleet']]);
  });
  it('are those of what lists others after them, itself aside', () => {
    const root = { ...cronJob({ kind: 'Application', namespace: 'argocd', name: 'root' }) };
    const heals = ['Application argocd/root', 'Kustomization flux-system/fleet'];
    expect(namesOf('resume', { ...root, heals }, ...chain)).toEqual([['cart'], ['apps'], ['fleet'], ['root']]);
  });
  it('are none of nothing', () => {
    expect(namesOf('raise').flat()).toEqual([]);
  });
});
