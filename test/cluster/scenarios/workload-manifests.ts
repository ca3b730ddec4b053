import type { KubeClient } from '../../../src/adapters/kubernetes/client/kube-client.ts';
import {
  type CustomObject,
  type ResourceType,
  resources,
} from '../../../src/adapters/kubernetes/client/resource-type.ts';
import { type WorkloadParts as Parts, workloadManifest } from '../../support/builders/manifests.ts';

export type WorkloadParts = Omit<Parts, 'kind' | 'namespace'> & Partial<Pick<Parts, 'kind'>>;

export const workloadTypes = {
  Deployment: resources.deployments,
  StatefulSet: resources.statefulSets,
  CronJob: resources.cronJobs,
} as unknown as Readonly<Record<'Deployment' | 'StatefulSet' | 'CronJob', ResourceType<CustomObject>>>; // Created from manifests, so what every object has is enough.

export async function createWorkloads(
  client: KubeClient,
  namespace: string,
  workloads: readonly WorkloadParts[],
): Promise<void> {
  await Promise.all(
    workloads.map((parts) => client.create(workloadTypes[parts.kind ?? 'Deployment'], namespace, manifestOf(parts))),
  );
}

/** Its pods stop at once, and a CronJob falls due once a year: no job runs while a test looks. */
export function manifestOf(parts: WorkloadParts): CustomObject {
  const behaviour = { 'terminate-seconds': '0', ...parts.behaviour };
  return workloadManifest({ kind: 'Deployment', schedule: '30 3 1 1 *', ...parts, behaviour }) as CustomObject;
}
