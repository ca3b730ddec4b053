import { describe, expect, it } from 'vitest';
import { exampleDeployment, exampleStatefulSet } from '../../../test/support/examples/workload-examples.ts';
import type { WorkloadKind } from '../kinds/kinds.ts';
import type { SkipCode } from '../targeting/targeting.ts';
import { workloadKey } from '../workload.ts';
import { wouldAdd } from './would-add.ts';

type Seen = Parameters<typeof wouldAdd>[0]['workloads'][number];

const left = (workload: Seen['workload'], code: SkipCode): Seen => ({ workload, skipped: { code, text: 'why' } });
const scaled = (name: string) => left(exampleDeployment({ name }), 'scaled_object');
const ownedBy = (apiVersion: string, kind: string) =>
  left(exampleStatefulSet({ controlledBy: { apiVersion, kind, name: 'main' } }), 'operator');
const prometheus = ownedBy('monitoring.coreos.com/v1', 'Prometheus');
const applied = exampleDeployment({
  name: 'web',
  labels: { 'kustomize.toolkit.fluxcd.io/name': 'apps', 'kustomize.toolkit.fluxcd.io/namespace': 'flux-system' },
});
const tracked = exampleDeployment({ annotations: { 'argocd.argoproj.io/tracking-id': 'shop:apps/Deployment:a/b' } });

function texts(workloads: readonly Seen[], named: readonly WorkloadKind[] = [], quieted: readonly string[] = []) {
  return wouldAdd({ workloads, on: named, quieted: new Set(quieted) }).map(({ text }) => text);
}

describe('switching a kind on would add', () => {
  const rows: Record<string, [found: string[], expected: string[]]> = {
    'nothing where everything is ours': [texts([{ workload: exampleDeployment() }]), []],
    'one that a ScaledObject drives': [
      texts([scaled('a')]),
      ['With ScaledObject in config.targeting.kinds 1 workload more would sleep'],
    ],
    'several, and each kind by itself, in the order of the table': [
      texts([prometheus, ...Array.from({ length: 37 }, (_, at) => scaled(`w${at}`))]),
      [
        'With ScaledObject in config.targeting.kinds 37 workloads more would sleep',
        'With Prometheus in config.targeting.kinds 1 workload more would sleep',
      ],
    ],
    'one that an autoscaler may raise from zero': [
      texts([left(exampleDeployment(), 'autoscaler_from_zero')]),
      ['With HorizontalPodAutoscaler in config.targeting.kinds 1 workload more would sleep'],
    ],
    'nothing for a kind that is named already': [texts([scaled('a'), prometheus], ['ScaledObject', 'Prometheus']), []],
    'nothing for an operator whose kind the table does not have': [texts([ownedBy('example.com/v1', 'Widget')]), []],
    'nothing for a kind of the same name in another group': [texts([ownedBy('cluster.x-k8s.io/v1', 'Cluster')]), []],
    'nothing for what is left alone for another reason': [
      texts([left(prometheus.workload, 'namespace_excluded'), left(applied, 'excluded_by_annotation')]),
      [],
    ],
    'nothing for what a workload that is on drives': [texts([left(exampleDeployment(), 'operator')]), []],
    'rest for one that Flux may raise': [
      texts([{ workload: applied }]),
      [
        'With Kustomization in config.targeting.kinds 1 workload that is managed by one could no longer be raised in the night',
      ],
    ],
    'rest for those that Argo CD may raise': [
      texts([{ workload: tracked }, { workload: { ...tracked, name: 'other' } }]),
      [
        'With Application in config.targeting.kinds 2 workloads that are managed by one could no longer be raised in the night',
      ],
    ],
    'no rest for what is quieted already': [texts([{ workload: applied }], [], [workloadKey(applied)]), []],
  };

  it.each(Object.entries(rows))('%s', (_, [found, expected]) => {
    expect(found).toEqual(expected);
  });

  it('says how many beside the sentence', () => {
    expect(wouldAdd({ workloads: [scaled('a'), scaled('b')], on: [], quieted: new Set() })).toMatchObject([
      { kind: 'ScaledObject', workloads: 2 },
    ]);
  });
});
