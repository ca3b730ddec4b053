import { describe, expect, it } from 'vitest';
import { compileSelector, selectorProblems, workloadKindOf } from './workload-selector.ts';

describe('a type', () => {
  it.each([
    ['Deployment', 'Deployment'],
    ['deployment', 'Deployment'],
    ['DEPLOYMENTS', 'Deployment'],
    ['StatefulSet', 'StatefulSet'],
    ['statefulsets', 'StatefulSet'],
    ['CronJob', 'CronJob'],
    ['cronjobs', 'CronJob'],
    ['deploy', 'Deployment'],
    ['sts', 'StatefulSet'],
    ['HR', 'HelmRelease'],
    ['ReplicaSet', undefined],
    ['', undefined],
    ['constructor', undefined],
  ])('%s means %s', (text, kind) => {
    expect(workloadKindOf(text)).toBe(kind);
  });
});

describe('selectorProblems', () => {
  it('finds none in a selector with every field', () => {
    const selector = { namespace: 'a*', type: 'cronjob', name: 'b?', labels: { a: 'b' }, annotations: { c: 'd' } };
    expect(selectorProblems(selector)).toEqual([]);
  });

  it('names every field that is wrong', () => {
    expect(selectorProblems({ namespace: '', type: 'ReplicaSet', name: '' })).toEqual([
      { field: 'namespace', message: 'is required: write a name or a pattern such as shop-*' },
      {
        field: 'type',
        message:
          '"ReplicaSet" is not a type: write Deployment, StatefulSet, CronJob, ScaledObject, ScaledJob, Rollout, Cluster, postgresql, Prometheus, KafkaConnect, KafkaBridge, KafkaMirrorMaker2, AutoscalingRunnerSet, DaemonSet, HorizontalPodAutoscaler, Kustomization, HelmRelease or Application',
      },
      { field: 'name', message: 'is empty: write a name or a pattern, or leave it out to mean every name' },
    ]);
  });

  it('are thrown by a compilation that was not validated', () => {
    expect(() => compileSelector({ namespace: 'a', type: 'Pod' })).toThrow(
      'type: "Pod" is not a type: write Deployment, StatefulSet, CronJob, ScaledObject, ScaledJob, Rollout, Cluster, postgresql, Prometheus, KafkaConnect, KafkaBridge, KafkaMirrorMaker2, AutoscalingRunnerSet, DaemonSet, HorizontalPodAutoscaler, Kustomization, HelmRelease or Application',
    );
  });
});
