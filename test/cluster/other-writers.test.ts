import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiStatusError } from '../../src/adapters/kubernetes/client/errors.ts';
import { resources } from '../../src/adapters/kubernetes/client/resource-type.ts';
import { annotations } from '../../src/domain/names.ts';
import { type RealCluster, realCluster } from './harness/real-cluster.ts';
import { type ControllerBundle, controllerBundle } from './release/controller-bundle.ts';
import { Release } from './release/release.ts';
import { auditOf, hours, levels, untilAwake, untilHibernated } from './scenarios/acts.ts';
import { createWorkloads, manifestOf, workloadTypes } from './scenarios/workload-manifests.ts';

// What only a real cluster has: field managers that apply, and its own autoscaler.

const replicas = 3;
const refName = (name: string) => ({ namespace: release.namespace, name });

let cluster: RealCluster;
let bundle: ControllerBundle;
let release: Release;
beforeAll(async () => {
  [cluster, bundle] = await Promise.all([realCluster(), controllerBundle()]);
  release = await Release.install(cluster, {
    bundle: bundle.file,
    config: { controller: { reconcileInterval: '1s' } },
  });
  await apply('declared');
  await apply('insisting');
  await createWorkloads(release.client, release.namespace, [{ name: 'autoscaled', replicas }]);
  await release.client.create(resources.horizontalPodAutoscalers, release.namespace, {
    metadata: { name: 'autoscaled' },
    spec: {
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'autoscaled' },
      minReplicas: 2,
      maxReplicas: 6,
    },
  });
  await release.configure(hours('off'));
  await release.start();
  await untilHibernated(release);
});
afterAll(async () => {
  await release?.close();
  await bundle?.remove();
  await cluster?.close();
});

/** As a GitOps tool does it: the whole manifest, in the tool's own name. */
function apply(name: string, force = false) {
  const patch = { type: 'apply', body: manifestOf({ name, replicas }), force } as const;
  return release.client.patch(workloadTypes.Deployment, refName(name), patch, { fieldManager: 'gitops' });
}

describe('others who write to the same workloads', () => {
  it('an apply in the night that does not insist is told who holds the replicas, and changes nothing', async () => {
    const refusal = await apply('declared').catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(ApiStatusError);
    expect((refusal as ApiStatusError).status).toBe(409);
    expect((refusal as ApiStatusError).message).toContain('conflict with "svc-controller"');
    expect((refusal as ApiStatusError).message).toContain('.spec.replicas');
    expect((await levels(release))['declared']).toBe(0);
  });

  it('an apply that insists is respected for the night, reported, and its count is the one to keep', async () => {
    await apply('insisting', true);
    const entry = await release.until('it is reported', async () =>
      (await auditOf(release)).find(({ kind }) => kind === 'replicas-changed-by-owner'),
    );
    expect(entry.details?.['workloads']).toEqual([
      `Deployment ${release.namespace}/insisting is raised by gitops to what it was before it slept: ${replicas} replicas`,
    ]);
    await release.until('our mark is gone', async () => {
      const { metadata } = await release.client.get(resources.deployments, refName('insisting'));
      return metadata?.annotations?.[annotations.hibernatedReplicas] === undefined;
    });
    await release.pass(2_500);
    expect((await levels(release))['insisting']).toBe(replicas);
  });

  it("a workload of the cluster's own autoscaler sleeps, and the autoscaler leaves it asleep", async () => {
    await release.until('the autoscaler has seen the zero', async () => {
      const hpa = await release.client.get(resources.horizontalPodAutoscalers, refName('autoscaled'));
      return hpa.status?.conditions?.some(({ reason }) => reason === 'ScalingDisabled');
    });
    expect((await levels(release))['autoscaled']).toBe(0);
  });

  it('everything has its own count after the wake, and the next apply finds no conflict', async () => {
    await release.configure(hours('on'));
    await untilAwake(release);
    expect(await levels(release)).toEqual({ autoscaled: replicas, declared: replicas, insisting: replicas });
    await apply('declared');
    const { spec } = await release.client.get(resources.horizontalPodAutoscalers, refName('autoscaled'));
    expect(spec).toMatchObject({ minReplicas: 2, maxReplicas: 6 });
  });
});
