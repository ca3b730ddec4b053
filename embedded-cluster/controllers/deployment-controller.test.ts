import { describe, expect, it } from 'vitest';
import { ClusterFixture, podTemplate, workload } from '../cluster-fixture.ts';
import { isReady } from './machinery/pod-state.ts';

const figures = (fixture: ClusterFixture) => {
  const { status } = fixture.store.get('deployments.apps', 'shop', 'web')!;
  return [
    status?.replicas ?? 0,
    status?.updatedReplicas ?? 0,
    status?.readyReplicas ?? 0,
    status?.availableReplicas ?? 0,
    status?.unavailableReplicas ?? 0,
  ];
};
const condition = (fixture: ClusterFixture, type: string) => {
  const { status } = fixture.store.get('deployments.apps', 'shop', 'web')!;
  const found = status?.conditions?.find((one) => one.type === type);
  return found === undefined ? 'none' : `${found.status} ${found.reason}: ${found.message}`;
};
const sets = (fixture: ClusterFixture) =>
  fixture.store
    .list('replicasets.apps', 'shop')
    .map((set) => `${set.metadata.annotations?.['deployment.kubernetes.io/revision']}: ${set.spec.replicas}`)
    .sort();

describe('a Deployment', () => {
  it('becomes a ReplicaSet, pods, and an available Deployment', async () => {
    const fixture = new ClusterFixture();
    fixture.apply(workload('Deployment', 'web', { replicas: 2, behaviour: { 'start-seconds': '10' } }));
    await fixture.pass(10);
    expect(figures(fixture)).toEqual([2, 2, 0, 0, 2]);
    expect(condition(fixture, 'Available')).toBe(
      'False MinimumReplicasUnavailable: Deployment does not have minimum availability.',
    );
    await fixture.pass(1);
    expect(figures(fixture)).toEqual([2, 2, 2, 2, 0]);
    const [set] = fixture.store.list('replicasets.apps', 'shop');
    const name = set!.metadata.name;
    expect(name).toBe(`web-${set!.metadata.labels!['pod-template-hash']}`);
    expect(condition(fixture, 'Available')).toBe('True MinimumReplicasAvailable: Deployment has minimum availability.');
    expect(condition(fixture, 'Progressing')).toBe(
      `True NewReplicaSetAvailable: ReplicaSet "${name}" has successfully progressed.`,
    );
    const { metadata, status } = fixture.store.get('deployments.apps', 'shop', 'web')!;
    expect(metadata.annotations).toEqual({ 'deployment.kubernetes.io/revision': '1' });
    expect(status?.observedGeneration).toBe(metadata.generation);
  });

  it('goes to zero and comes back with the same ReplicaSet', async () => {
    const fixture = new ClusterFixture();
    fixture.apply(workload('Deployment', 'web', { replicas: 3, behaviour: { 'terminate-seconds': '5' } }));
    await fixture.pass(60);
    fixture.edit('deployments.apps', 'web', { replicas: 0 });
    await fixture.pass(4);
    expect(fixture.pods()).toHaveLength(3);
    expect(figures(fixture)).toEqual([0, 0, 0, 0, 0]);
    await fixture.pass(2);
    expect(fixture.pods()).toHaveLength(0);
    fixture.edit('deployments.apps', 'web', { replicas: 3 });
    await fixture.pass(5);
    expect(figures(fixture)).toEqual([3, 3, 3, 3, 0]);
    expect(sets(fixture)).toEqual(['1: 3']);
  });

  it('rolls within maxSurge and maxUnavailable', async () => {
    const fixture = new ClusterFixture();
    const rolling = { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 1 } } };
    fixture.apply(workload('Deployment', 'web', { replicas: 4, spec: rolling, behaviour: { 'start-seconds': '10' } }));
    await fixture.pass(30);
    fixture.edit('deployments.apps', 'web', {
      template: podTemplate('web', { image: 'web:2', behaviour: { 'start-seconds': '10' } }),
    });
    let [fewestReady, mostPods] = [4, 4];
    for (let second = 0; second < 60; second++) {
      await fixture.pass(1);
      const living = fixture.pods().filter((pod) => pod.metadata.deletionTimestamp === undefined);
      fewestReady = Math.min(fewestReady, living.filter(isReady).length);
      mostPods = Math.max(mostPods, living.length);
    }
    expect([fewestReady, mostPods]).toEqual([3, 5]);
    expect(figures(fixture)).toEqual([4, 4, 4, 4, 0]);
    expect(sets(fixture)).toEqual(['1: 0', '2: 4']);
    expect(fixture.pods().map((pod) => pod.spec.containers[0]!.image)).toEqual(['web:2', 'web:2', 'web:2', 'web:2']);
  });

  it('with Recreate starts the new pods when the old ones are gone', async () => {
    const fixture = new ClusterFixture();
    const shape = { replicas: 2, spec: { strategy: { type: 'Recreate' } }, behaviour: { 'terminate-seconds': '20' } };
    fixture.apply(workload('Deployment', 'web', shape));
    await fixture.pass(30);
    fixture.edit('deployments.apps', 'web', { template: podTemplate('web', { ...shape, image: 'web:2' }) });
    await fixture.pass(19);
    expect(fixture.pods().map((pod) => pod.spec.containers[0]!.image)).toEqual(['web:1', 'web:1']);
    await fixture.pass(5);
    expect(fixture.pods().map((pod) => pod.spec.containers[0]!.image)).toEqual(['web:2', 'web:2']);
  });

  it('while paused scales but does not roll', async () => {
    const fixture = new ClusterFixture();
    fixture.apply(workload('Deployment', 'web', { replicas: 1 }));
    await fixture.pass(30);
    fixture.edit('deployments.apps', 'web', {
      paused: true,
      replicas: 3,
      template: podTemplate('web', { image: 'web:2' }),
    });
    await fixture.pass(30);
    expect(sets(fixture)).toEqual(['1: 3']);
    expect(condition(fixture, 'Progressing')).toBe('Unknown DeploymentPaused: Deployment is paused');
    fixture.edit('deployments.apps', 'web', { paused: false });
    await fixture.pass(60);
    expect(sets(fixture)).toEqual(['1: 0', '2: 3']);
  });

  it('says after its deadline that it does not progress, and takes it back when it does', async () => {
    const fixture = new ClusterFixture();
    fixture.apply(
      workload('Deployment', 'web', { spec: { progressDeadlineSeconds: 60 }, behaviour: { 'start-seconds': '200' } }),
    );
    await fixture.pass(59);
    expect(condition(fixture, 'Progressing')).toMatch(/^True /);
    await fixture.pass(2);
    expect(condition(fixture, 'Progressing')).toMatch(
      /^False ProgressDeadlineExceeded: ReplicaSet "web-\w+" has timed out progressing\.$/,
    );
    await fixture.pass(150);
    expect(condition(fixture, 'Progressing')).toMatch(/^True NewReplicaSetAvailable/);
  });

  it('shows the refusal of a quota, and goes on when there is room', async () => {
    const fixture = new ClusterFixture();
    fixture.apply(
      {
        apiVersion: 'v1',
        kind: 'ResourceQuota',
        metadata: { name: 'few', namespace: 'shop' },
        spec: { hard: { pods: '1' } },
      },
      workload('Deployment', 'web', { replicas: 2 }),
    );
    await fixture.pass(30);
    expect(figures(fixture)).toEqual([1, 1, 1, 1, 1]);
    expect(condition(fixture, 'ReplicaFailure')).toMatch(
      /^True FailedCreate: pods "web-\w+-\w{5}" is forbidden: exceeded quota: few, requested: pods=1, used: pods=1, limited: pods=1$/,
    );
    expect(fixture.events('FailedCreate')[0]).toMatch(/^Error creating: pods "web-/);
    fixture.edit('resourcequotas', 'few', { hard: { pods: '5' } });
    await fixture.pass(60);
    expect(figures(fixture)).toEqual([2, 2, 2, 2, 0]);
    expect(condition(fixture, 'ReplicaFailure')).toBe('none');
  });

  it('goes back to an earlier template as a new revision', async () => {
    const fixture = new ClusterFixture();
    fixture.apply(workload('Deployment', 'web'));
    await fixture.pass(30);
    const { template } = fixture.store.get('deployments.apps', 'shop', 'web')!.spec;
    fixture.edit('deployments.apps', 'web', { template: podTemplate('web', { image: 'web:2' }) });
    await fixture.pass(30);
    fixture.edit('deployments.apps', 'web', { template });
    await fixture.pass(30);
    expect(sets(fixture)).toEqual(['2: 0', '3: 1']);
  });

  it('lets pods of one workload differ', async () => {
    const fixture = new ClusterFixture();
    fixture.apply(
      workload('Deployment', 'web', { replicas: 3, behaviour: { 'pull.0': 'fail', 'crash-after-seconds.1': '5' } }),
    );
    await fixture.pass(30);
    const states = fixture.pods().map((pod) => {
      const { state } = pod.status!.containerStatuses![0]!;
      return state?.waiting?.reason ?? (isReady(pod) ? 'ready' : 'running');
    });
    expect(states.sort()).toEqual(['CrashLoopBackOff', 'ImagePullBackOff', 'ready']);
  });
});
