import type { KubeObject } from '../../../embedded-cluster/object-store.ts';
import { annotations } from '../../../src/domain/names.ts';

export const workloadResources = [
  'deployments.apps',
  'statefulsets.apps',
  'cronjobs.batch',
  'rollouts.argoproj.io',
] as const;
const known: ReadonlySet<string> = new Set(workloadResources);

export function isWorkloadResource(resource: string): boolean {
  return known.has(resource);
}

/** How far up a workload is meant to be: its replicas; for a CronJob 1, or 0 while it is suspended. */
export function levelOf(object: KubeObject): number {
  const spec = object['spec'] as { replicas?: number; suspend?: boolean };
  return object.kind === 'CronJob' ? (spec.suspend ? 0 : 1) : (spec.replicas ?? 1);
}

/** The level that our mark on the object promises, if it carries one that was written to this very object. */
export function markedLevel(object: KubeObject): number | undefined {
  const map = object.metadata.annotations ?? {};
  if (map[annotations.markedUid] !== object.metadata.uid) return undefined;
  if (object.kind === 'CronJob') return map[annotations.suspendedByService] === undefined ? undefined : 1;
  const text = map[annotations.hibernatedReplicas];
  return text === undefined ? undefined : Number(text);
}

/** By a mark of its own: a copy of a sleeping workload carries the mark of another. */
export function isMarked(object: KubeObject): boolean {
  return markedLevel(object) !== undefined;
}

export function refOf(object: KubeObject): string {
  return `${object.kind} ${object.metadata.namespace}/${object.metadata.name}`;
}
