import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ApiStatusError } from '../../../src/adapters/kubernetes/client/errors.ts';
import { resources } from '../../../src/adapters/kubernetes/client/resource-type.ts';
import { type RealCluster, realCluster } from './real-cluster.ts';

let cluster: RealCluster;
beforeAll(async () => {
  cluster = await realCluster({ restartable: true });
});
afterAll(() => cluster?.close());

const soon = { timeout: 15_000, interval: 100 };

function deployment(name: string, annotations: Record<string, string> = {}) {
  const labels = { app: name };
  return {
    metadata: { name },
    spec: {
      replicas: 3,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels, annotations },
        spec: { containers: [{ name: 'main', image: 'example/main:1' }] },
      },
    },
  };
}

describe('a real cluster for tests', () => {
  it('runs the pods of a Deployment on simulated nodes and removes them again', async () => {
    const { client } = cluster.admin;
    const namespace = await cluster.namespace();
    const ref = { namespace, name: 'web' };
    await client.create(resources.deployments, namespace, deployment('web'));
    await vi.waitFor(async () => {
      expect((await client.get(resources.deployments, ref)).status?.readyReplicas).toBe(3);
    }, soon);
    await client.patch(resources.deployments, ref, { type: 'merge', body: { spec: { replicas: 0 } } });
    await vi.waitFor(async () => {
      expect((await client.list(resources.pods, { namespace })).items).toEqual([]);
    }, soon);
  });

  it('plays a declared behaviour', async () => {
    const { client } = cluster.admin;
    const namespace = await cluster.namespace();
    await client.create(resources.deployments, namespace, deployment('pull', { 'sim.svc.io/pull.1': 'fail' }));
    await vi.waitFor(async () => {
      const pods = (await client.list(resources.pods, { namespace })).items;
      const states = pods.map((pod) => pod.status?.containerStatuses?.[0]);
      expect(states.filter((state) => state?.ready)).toHaveLength(2);
      expect(states.filter((state) => /ImagePull/.test(state?.state?.waiting?.reason ?? ''))).toHaveLength(1);
    }, soon);
  });

  it('gives a service account its own rights and no more', async () => {
    const namespace = await cluster.namespace();
    await vi.waitFor(async () => {
      const account = await cluster.serviceAccount(namespace, 'default');
      const refusal = await account.client.list(resources.pods, { namespace }).catch((error: unknown) => error);
      expect(refusal).toBeInstanceOf(ApiStatusError);
      expect((refusal as ApiStatusError).message).toBe(
        `pods is forbidden: User "system:serviceaccount:${namespace}:default" cannot list resource "pods" in API group "" in the namespace "${namespace}"`,
      );
    }, soon);
  });

  it('keeps what was written over a crash of the apiserver', async () => {
    const { client } = cluster.admin;
    const namespace = await cluster.namespace();
    await client.create(resources.configMaps, namespace, { metadata: { name: 'kept' }, data: { a: 'b' } });
    await cluster.plane().restartApiserver();
    expect((await client.get(resources.configMaps, { namespace, name: 'kept' })).data).toEqual({ a: 'b' });
  });
});
