import { describe, expect, it } from 'vitest';
import type { KubeObject, ResourceType } from '../../src/adapters/kubernetes/client/resource-type.ts';
import { resources } from '../../src/adapters/kubernetes/client/resource-type.ts';
import { cronJob, deployment, statefulSet } from './objects.ts';
import { eventually, type Subject } from './subject.ts';

const claims: ResourceType<KubeObject> = {
  group: '',
  version: 'v1',
  plural: 'persistentvolumeclaims',
  kind: 'PersistentVolumeClaim',
  namespaced: true,
};

export function controllerCases(subject: () => Subject): void {
  const {
    deployments,
    statefulSets,
    replicaSets,
    pods,
    cronJobs,
    jobs,
    services,
    horizontalPodAutoscalers,
    namespaces,
    nodes,
  } = resources;
  const getDeployment = (namespace: string, name = 'web') => subject().client.get(deployments, { namespace, name });
  const podsOf = async (namespace: string) => (await subject().client.list(pods, { namespace })).items;
  const scale = (type: ResourceType<KubeObject>, namespace: string, name: string, replicas: number) =>
    subject().client.patch(type, { namespace, name }, { type: 'merge', body: { spec: { replicas } } });

  describe('a Deployment', () => {
    it('becomes a ReplicaSet that becomes pods, each owned by the one before', async () => {
      const namespace = await subject().namespace();
      const made = await subject().client.create(deployments, namespace, deployment('web', 2));
      await eventually(
        () => getDeployment(namespace),
        (one) => one.status?.readyReplicas === 2,
      );
      const [set] = (await subject().client.list(replicaSets, { namespace })).items;
      expect(set?.metadata?.ownerReferences?.[0]).toMatchObject({
        kind: 'Deployment',
        name: 'web',
        uid: made.metadata?.uid,
        controller: true,
      });
      for (const pod of await podsOf(namespace)) {
        expect(pod.metadata?.ownerReferences?.[0]).toMatchObject({
          kind: 'ReplicaSet',
          name: set?.metadata?.name,
          controller: true,
        });
        expect(set?.metadata?.name).toBe(`web-${pod.metadata?.labels?.['pod-template-hash']}`);
      }
    });

    it('reports ready, updated and available replicas and the generation it has seen', async () => {
      const namespace = await subject().namespace();
      await subject().client.create(deployments, namespace, deployment('web', 3));
      const { status } = await eventually(
        () => getDeployment(namespace),
        (one) => one.status?.availableReplicas === 3,
      );
      expect(status).toMatchObject({ replicas: 3, readyReplicas: 3, updatedReplicas: 3, observedGeneration: 1 });
      const conditions = Object.fromEntries((status?.conditions ?? []).map((one) => [one.type, one.status]));
      expect(conditions).toMatchObject({ Available: 'True', Progressing: 'True' });
    });

    it('at zero has no pods and no replicas in its status, and comes back', async () => {
      const namespace = await subject().namespace();
      await subject().client.create(deployments, namespace, deployment('web', 2));
      await eventually(
        () => getDeployment(namespace),
        (one) => one.status?.readyReplicas === 2,
      );
      await scale(deployments, namespace, 'web', 0);
      await eventually(
        () => podsOf(namespace),
        (all) => all.length === 0,
      );
      const down = await eventually(
        () => getDeployment(namespace),
        (one) => (one.status?.replicas ?? 0) === 0,
      );
      expect(down.status?.readyReplicas ?? 0).toBe(0);
      await scale(deployments, namespace, 'web', 2);
      await eventually(
        () => getDeployment(namespace),
        (one) => one.status?.readyReplicas === 2,
      );
    });

    it('rolls to a new template without losing its count', async () => {
      const namespace = await subject().namespace();
      await subject().client.create(deployments, namespace, deployment('web', 2));
      await eventually(
        () => getDeployment(namespace),
        (one) => one.status?.readyReplicas === 2,
      );
      const template = { spec: { template: { metadata: { annotations: { revision: '2' } } } } };
      await subject().client.patch(deployments, { namespace, name: 'web' }, { type: 'merge', body: template });
      const after = await eventually(
        () => getDeployment(namespace),
        (one) =>
          one.status?.observedGeneration === 2 &&
          one.status?.updatedReplicas === 2 &&
          one.status?.replicas === 2 &&
          one.status?.readyReplicas === 2,
      );
      expect(after.spec?.replicas).toBe(2);
      expect((await subject().client.list(replicaSets, { namespace })).items).toHaveLength(2);
    });

    it('takes its ReplicaSets and pods with it when it is deleted', async () => {
      const namespace = await subject().namespace();
      await subject().client.create(deployments, namespace, deployment('web', 1));
      await eventually(
        () => getDeployment(namespace),
        (one) => one.status?.readyReplicas === 1,
      );
      await subject().client.delete(deployments, { namespace, name: 'web' }, { propagationPolicy: 'Background' });
      await eventually(
        () => podsOf(namespace),
        (all) => all.length === 0,
      );
      await eventually(
        async () => (await subject().client.list(replicaSets, { namespace })).items,
        (all) => all.length === 0,
      );
    });

    it('whose pod is deleted gets another', async () => {
      const namespace = await subject().namespace();
      await subject().client.create(deployments, namespace, deployment('web', 1));
      await eventually(
        () => getDeployment(namespace),
        (one) => one.status?.readyReplicas === 1,
      );
      const [first] = await podsOf(namespace);
      await subject().client.delete(pods, { namespace, name: first?.metadata?.name ?? '' });
      await eventually(
        () => podsOf(namespace),
        (all) => all.length === 1 && all[0]?.metadata?.uid !== first?.metadata?.uid,
      );
    });
  });

  describe('a pod', () => {
    it('is scheduled, started and ready, and says since when', async () => {
      const namespace = await subject().namespace();
      await subject().client.create(deployments, namespace, deployment('web', 1));
      const [pod] = await eventually(
        () => podsOf(namespace),
        (all) => all[0]?.status?.containerStatuses?.[0]?.ready === true,
      );
      const conditions = Object.fromEntries((pod?.status?.conditions ?? []).map((one) => [one.type, one.status]));
      expect(conditions).toMatchObject({
        PodScheduled: 'True',
        Initialized: 'True',
        ContainersReady: 'True',
        Ready: 'True',
      });
      expect(pod?.status?.containerStatuses?.[0]).toMatchObject({
        name: 'main',
        started: true,
        restartCount: 0,
        state: { running: { startedAt: expect.any(String) } },
      });
      expect(pod?.status?.phase).toBe('Running');
    });

    it('that no node can take is Unschedulable, in the words of the scheduler', async () => {
      const namespace = await subject().namespace();
      const web = deployment('web', 1);
      web.spec!.template.spec!.nodeSelector = { 'sim.svc.io/nowhere': 'true' };
      await subject().client.create(deployments, namespace, web);
      const [pod] = await eventually(
        () => podsOf(namespace),
        (all) =>
          all[0]?.status?.conditions?.some((one) => one.type === 'PodScheduled' && one.status === 'False') ?? false,
      );
      const condition = pod?.status?.conditions?.find((one) => one.type === 'PodScheduled');
      expect(condition?.reason).toBe('Unschedulable');
      expect(condition?.message).toMatch(
        /^0\/\d+ nodes are available: \d+ node\(s\) didn't match Pod's node affinity\/selector\./,
      );
    });

    it('of a scheduler that nobody runs stays Pending with no node and no condition', async () => {
      const namespace = await subject().namespace();
      const web = deployment('web', 1);
      web.spec!.template.spec!.schedulerName = 'nobody';
      await subject().client.create(deployments, namespace, web);
      const [pod] = await eventually(
        () => podsOf(namespace),
        (all) => all.length === 1,
      );
      expect([pod?.status?.phase, pod?.spec?.nodeName, pod?.status?.conditions ?? []]).toEqual([
        'Pending',
        undefined,
        [],
      ]);
    });

    it("whose image cannot be pulled waits with the kubelet's reason", async () => {
      const namespace = await subject().namespace();
      await subject().client.create(deployments, namespace, deployment('web', 1, { 'sim.svc.io/pull': 'fail' }));
      const [pod] = await eventually(
        () => podsOf(namespace),
        (all) =>
          /ErrImagePull|ImagePullBackOff/.test(all[0]?.status?.containerStatuses?.[0]?.state?.waiting?.reason ?? ''),
      );
      expect(pod?.status?.phase).toBe('Pending');
    });
  });

  describe('a StatefulSet', () => {
    it('brings its pods up one after the other, by number', async () => {
      const namespace = await subject().namespace();
      await subject().client.create(statefulSets, namespace, statefulSet('db', 3));
      await eventually(
        () => subject().client.get(statefulSets, { namespace, name: 'db' }),
        (one) => one.status?.readyReplicas === 3,
      );
      const all = (await podsOf(namespace)).toSorted((a, b) =>
        (a.metadata?.name ?? '').localeCompare(b.metadata?.name ?? ''),
      );
      expect(all.map((pod) => pod.metadata?.name)).toEqual(['db-0', 'db-1', 'db-2']);
      const ready = all.map((pod) =>
        Date.parse(String(pod.status?.conditions?.find((one) => one.type === 'Ready')?.lastTransitionTime)),
      );
      const created = all.map((pod) => Date.parse(String(pod.metadata?.creationTimestamp)));
      expect(created[1]).toBeGreaterThanOrEqual(ready[0]! - 1000);
      expect(created[2]).toBeGreaterThanOrEqual(ready[1]! - 1000);
    });

    it('waits at a pod that is not ready', async () => {
      const namespace = await subject().namespace();
      await subject().client.create(
        statefulSets,
        namespace,
        statefulSet('db', 2, { 'sim.svc.io/never-ready': 'true' }),
      );
      await eventually(
        () => podsOf(namespace),
        (all) => all[0]?.status?.phase === 'Running',
      );
      expect((await podsOf(namespace)).map((pod) => pod.metadata?.name)).toEqual(['db-0']);
    });

    it('at zero has no pods, keeps its claims, and comes back with the same names', async () => {
      const namespace = await subject().namespace();
      const set = statefulSet('db', 2);
      set.spec!.volumeClaimTemplates = [
        {
          metadata: { name: 'data' },
          spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
        },
      ];
      await subject().client.create(statefulSets, namespace, set);
      await eventually(
        () => subject().client.get(statefulSets, { namespace, name: 'db' }),
        (one) => one.status?.readyReplicas === 2,
      );
      await scale(statefulSets, namespace, 'db', 0);
      await eventually(
        () => podsOf(namespace),
        (all) => all.length === 0,
      );
      const kept = (await subject().client.list(claims, { namespace })).items
        .map((one) => one.metadata?.name)
        .toSorted();
      expect(kept).toEqual(['data-db-0', 'data-db-1']);
      await scale(statefulSets, namespace, 'db', 2);
      await eventually(
        () => podsOf(namespace),
        (all) =>
          all
            .map((pod) => pod.metadata?.name)
            .toSorted()
            .join() === 'db-0,db-1',
      );
    });
  });

  describe('a HorizontalPodAutoscaler', () => {
    it('leaves its target alone at zero', async () => {
      const namespace = await subject().namespace();
      const { client } = subject();
      await client.create(deployments, namespace, deployment('web', 0));
      await client.create(horizontalPodAutoscalers, namespace, {
        metadata: { name: 'web' },
        spec: {
          scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
          minReplicas: 2,
          maxReplicas: 5,
          metrics: [
            { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } } },
          ],
        },
      });
      const seen = await eventually(
        () => client.get(horizontalPodAutoscalers, { namespace, name: 'web' }),
        (one) => one.status?.conditions?.some((condition) => condition.type === 'ScalingActive') ?? false,
        60,
      );
      const active = seen.status?.conditions?.find((one) => one.type === 'ScalingActive');
      expect([active?.status, active?.reason]).toEqual(['False', 'ScalingDisabled']);
      expect((await getDeployment(namespace)).spec?.replicas).toBe(0);
    });
  });

  describe('a CronJob', () => {
    it('that is suspended starts nothing', async () => {
      const namespace = await subject().namespace();
      await subject().client.create(cronJobs, namespace, cronJob('tick', '* * * * *', true));
      await subject().client.create(deployments, namespace, deployment('web', 1));
      await eventually(
        () => getDeployment(namespace),
        (one) => one.status?.readyReplicas === 1,
      );
      expect((await subject().client.list(jobs, { namespace })).items).toEqual([]);
    });
  });

  describe('a Service', () => {
    it('gets an address, and its selector can be swapped and restored', async () => {
      const namespace = await subject().namespace();
      const { client } = subject();
      const spec = { selector: { app: 'web' }, ports: [{ name: 'http', port: 80, targetPort: 'http' as const }] };
      const made = await client.create(services, namespace, { metadata: { name: 'web' }, spec });
      expect(made.spec?.clusterIP).toMatch(/^\d+\.\d+\.\d+\.\d+$/);
      const swap = (selector: object, resourceVersion: string | undefined) =>
        client.patch(
          services,
          { namespace, name: 'web' },
          {
            type: 'json',
            operations: [
              { op: 'test', path: '/metadata/resourceVersion', value: resourceVersion },
              { op: 'replace', path: '/spec/selector', value: selector },
            ],
          },
        );
      const swapped = await swap({ 'svc.io/satellite': 'web' }, made.metadata?.resourceVersion);
      expect(swapped.spec?.selector).toEqual({ 'svc.io/satellite': 'web' });
      const restored = await swap({ app: 'web' }, swapped.metadata?.resourceVersion);
      expect(restored.spec?.selector).toEqual({ app: 'web' });
    });
  });

  describe('the cluster', () => {
    it('has its own namespaces, and nodes that are ready', async () => {
      const names = (await subject().client.list(namespaces)).items.map((one) => one.metadata?.name);
      expect(names).toEqual(expect.arrayContaining(['default', 'kube-system', 'kube-public']));
      const all = await eventually(
        async () => (await subject().client.list(nodes)).items,
        (found) => found.length > 0,
      );
      expect(
        all.some((node) => node.status?.conditions?.some((one) => one.type === 'Ready' && one.status === 'True')),
      ).toBe(true);
    });

    it('empties a namespace that is deleted, and removes it', async () => {
      const { client } = subject();
      const namespace = await subject().namespace();
      await client.create(deployments, namespace, deployment('web', 1));
      await eventually(
        () => getDeployment(namespace),
        (one) => one.status?.readyReplicas === 1,
      );
      await client.delete(namespaces, { name: namespace });
      await eventually(
        () =>
          client.get(namespaces, { name: namespace }).then(
            () => 'there',
            () => 'gone',
          ),
        (state) => state === 'gone',
        60,
      );
    });
  });
}
