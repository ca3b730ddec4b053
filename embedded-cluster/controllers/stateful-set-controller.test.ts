import { describe, expect, it } from 'vitest';
import { ClusterFixture, podTemplate, workload } from '../cluster-fixture.ts';

const names = (fixture: ClusterFixture) => fixture.pods().map((pod) => pod.metadata.name);
const status = (fixture: ClusterFixture) => fixture.store.get('statefulsets.apps', 'shop', 'db')!.status;
const claim = {
  metadata: { name: 'data' },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
};

describe('a StatefulSet', () => {
  it('brings its pods up one after the other', async () => {
    const fixture = new ClusterFixture();
    fixture.apply(workload('StatefulSet', 'db', { replicas: 3, behaviour: { 'start-seconds': '10' } }));
    const seen: string[] = [];
    for (const seconds of [10, 2, 10, 12]) {
      await fixture.pass(seconds);
      seen.push(`${names(fixture).join(' ')}: ${status(fixture)?.readyReplicas}`);
    }
    expect(seen).toEqual(['db-0: 0', 'db-0 db-1: 1', 'db-0 db-1 db-2: 2', 'db-0 db-1 db-2: 3']);
    expect(status(fixture)).toMatchObject({
      replicas: 3,
      currentReplicas: 3,
      updatedReplicas: 3,
      availableReplicas: 3,
    });
    expect(fixture.pods()[1]!.metadata.labels).toMatchObject({
      'apps.kubernetes.io/pod-index': '1',
      'statefulset.kubernetes.io/pod-name': 'db-1',
      'controller-revision-hash': status(fixture)?.updateRevision,
    });
  });

  it('takes them down from the last, each after the one above is gone', async () => {
    const fixture = new ClusterFixture();
    fixture.apply(workload('StatefulSet', 'db', { replicas: 3, behaviour: { 'terminate-seconds': '5' } }));
    await fixture.pass(30);
    fixture.edit('statefulsets.apps', 'db', { replicas: 0 });
    const seen: string[] = [];
    for (const seconds of [4, 5, 5, 5]) {
      await fixture.pass(seconds);
      seen.push(names(fixture).join(' '));
    }
    expect(seen).toEqual(['db-0 db-1 db-2', 'db-0 db-1', 'db-0', '']);
    expect(status(fixture)).toMatchObject({ replicas: 0, readyReplicas: 0, availableReplicas: 0 });
  });

  it('in parallel brings all up at once', async () => {
    const fixture = new ClusterFixture();
    const spec = { podManagementPolicy: 'Parallel' };
    fixture.apply(workload('StatefulSet', 'db', { replicas: 3, spec, behaviour: { 'start-seconds': '10' } }));
    await fixture.pass(12);
    expect(status(fixture)?.readyReplicas).toBe(3);
  });

  it('keeps the volumes of pods that are gone, and gives them back', async () => {
    const fixture = new ClusterFixture();
    fixture.apply(workload('StatefulSet', 'db', { replicas: 2, spec: { volumeClaimTemplates: [claim] } }));
    await fixture.pass(30);
    const volumes = () =>
      fixture.store.list('persistentvolumeclaims', 'shop').map((one) => `${one.metadata.name} ${one.metadata.uid}`);
    const before = volumes();
    expect(before.map((one) => one.split(' ')[0])).toEqual(['data-db-0', 'data-db-1']);
    fixture.edit('statefulsets.apps', 'db', { replicas: 0 });
    await fixture.pass(30);
    expect(volumes()).toEqual(before);
    fixture.edit('statefulsets.apps', 'db', { replicas: 2 });
    await fixture.pass(30);
    expect(volumes()).toEqual(before);
    expect(fixture.pods()[0]!.spec.volumes).toEqual([
      { name: 'data', persistentVolumeClaim: { claimName: 'data-db-0' } },
    ]);
  });

  it('destroys them when its policy says so', async () => {
    const fixture = new ClusterFixture();
    const spec = { volumeClaimTemplates: [claim], persistentVolumeClaimRetentionPolicy: { whenScaled: 'Delete' } };
    fixture.apply(workload('StatefulSet', 'db', { replicas: 2, spec }));
    await fixture.pass(30);
    fixture.edit('statefulsets.apps', 'db', { replicas: 1 });
    await fixture.pass(30);
    expect(fixture.store.list('persistentvolumeclaims', 'shop').map((one) => one.metadata.name)).toEqual(['data-db-0']);
  });

  it('updates from the last pod down to the partition', async () => {
    const fixture = new ClusterFixture();
    const spec = { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 1 } } };
    fixture.apply(workload('StatefulSet', 'db', { replicas: 3, spec }));
    await fixture.pass(30);
    fixture.edit('statefulsets.apps', 'db', { template: podTemplate('db', { image: 'db:2' }) });
    await fixture.pass(30);
    const images = () => fixture.pods().map((pod) => pod.spec.containers[0]!.image);
    expect(images()).toEqual(['db:1', 'db:2', 'db:2']);
    expect(status(fixture)).toMatchObject({ currentReplicas: 1, updatedReplicas: 2 });
    const zero = fixture.pods()[0]!;
    fixture.store.delete('pods', zero);
    await fixture.pass(30);
    expect(images()).toEqual(['db:1', 'db:2', 'db:2']);
    fixture.edit('statefulsets.apps', 'db', { updateStrategy: { type: 'RollingUpdate' } });
    await fixture.pass(30);
    expect(images()).toEqual(['db:2', 'db:2', 'db:2']);
    expect(status(fixture)?.currentRevision).toBe(status(fixture)?.updateRevision);
  });
});
