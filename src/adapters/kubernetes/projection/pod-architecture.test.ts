import type { PodSpec } from 'kubernetes-types/core/v1.d.ts';
import { describe, expect, it } from 'vitest';
import { StringPool } from '../json/string-pool.ts';
import { architectureOf } from './pod-architecture.ts';
import { projectScalable } from './workload-projection.ts';

const arch = (...values: string[]) => ({
  matchExpressions: [{ key: 'kubernetes.io/arch', operator: 'In', values }],
});
const affinity = (...nodeSelectorTerms: object[]): Partial<PodSpec> => ({
  affinity: {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: nodeSelectorTerms },
    },
  },
});

describe('the kind of node that a template asks for', () => {
  const rows: Record<string, [Partial<PodSpec>, string | undefined]> = {
    'says nothing': [{}, undefined],
    'selects a node': [{ nodeSelector: { 'kubernetes.io/arch': 'arm64' } }, 'arm64'],
    'selects something else': [{ nodeSelector: { disk: 'fast' } }, undefined],
    'selects a kind that has no figure': [{ nodeSelector: { 'kubernetes.io/arch': 's390x' } }, undefined],
    'requires one': [affinity(arch('amd64')), 'amd64'],
    'requires the same one in every term': [affinity(arch('arm64'), arch('arm64')), 'arm64'],
    'takes either': [affinity(arch('amd64', 'arm64')), undefined],
    'takes either, in two terms': [affinity(arch('arm64'), arch('amd64')), undefined],
    'takes any in one of the terms': [affinity(arch('arm64'), { matchExpressions: [] }), undefined],
    'requires not to run on one': [
      affinity({ matchExpressions: [{ key: 'kubernetes.io/arch', operator: 'NotIn', values: ['arm64'] }] }),
      undefined,
    ],
    'has an affinity without terms': [affinity(), undefined],
  };
  it.each(Object.entries(rows))('%s', (_, [spec, expected]) => {
    expect(architectureOf(spec as PodSpec)).toBe(expected);
  });

  it('stays with the workload, and costs one that asks for none no field', () => {
    const project = projectScalable('Deployment', new StringPool());
    const of = (spec: Partial<PodSpec>) =>
      project({ spec: { selector: {}, template: { spec: { containers: [], ...spec } } } });
    expect(of({ nodeSelector: { 'kubernetes.io/arch': 'arm64' } }).architecture).toBe('arm64');
    expect('architecture' in of({})).toBe(false);
  });
});
