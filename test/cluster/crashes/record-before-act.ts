import { resources } from '../../../src/adapters/kubernetes/client/resource-type.ts';
import { annotations } from '../../../src/domain/names.ts';
import { workloadKey } from '../../../src/domain/workload.ts';
import { resourceStates } from '../../../src/state/resource-states.ts';
import { stateOf } from '../scenarios/acts.ts';
import type { Stage } from '../scenarios/stage.ts';
import type { WorkloadParts } from '../scenarios/workload-manifests.ts';

/**
 * What must hold wherever the controller was killed: each workload is as its owner had it, or lowered with the owner's
 * count in the annotation and in the record. A sentence for each that is not.
 */
export async function lostCounts(stage: Stage, workloads: readonly WorkloadParts[]): Promise<readonly string[]> {
  const { client, namespace } = stage;
  const earlier = (await stateOf(stage)).read(resourceStates);
  const [deployments, statefulSets, cronJobs] = await Promise.all([
    client.list(resources.deployments, { namespace }),
    client.list(resources.statefulSets, { namespace }),
    client.list(resources.cronJobs, { namespace }),
  ]);
  const later = (await stateOf(stage)).read(resourceStates);
  if (!earlier.ok) return [earlier.message];
  if (!later.ok) return [later.message];
  // The controller may be at work: a workload that was seen lowered has its record before that moment and after it, or,
  // where it was lowered or raised between two readings, on one side of it.
  const records = new Map([...earlier.value, ...later.value].map((record) => [workloadKey(record), record]));
  const scaled = new Map([...deployments.items, ...statefulSets.items].map((one) => [one.metadata?.name, one]));
  const jobs = new Map(cronJobs.items.map((one) => [one.metadata?.name, one]));
  // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: the rule for a CronJob and the one for the others, side by side.
  return workloads.flatMap(({ kind = 'Deployment', name, replicas = 1, suspended = false }) => {
    const key = workloadKey({ kind, namespace, name });
    const record = records.get(key);
    if (kind === 'CronJob') {
      const job = jobs.get(name);
      if (job?.spec?.suspend === suspended) return [];
      const ours = job?.metadata?.annotations?.[annotations.suspendedByService] === 'true';
      const recorded = record?.kind === 'CronJob' && !record.suspended;
      return ours && recorded ? [] : [`${key} is suspended without a record`];
    }
    const workload = scaled.get(name);
    if (workload?.spec?.replicas === replicas) return [];
    const mark = workload?.metadata?.annotations?.[annotations.hibernatedReplicas];
    const recorded = record !== undefined && 'replicas' in record ? record.replicas : undefined;
    if (workload?.spec?.replicas === 0 && mark === String(replicas) && recorded === replicas) return [];
    return [`${key} had ${replicas}, is at ${workload?.spec?.replicas}, marked ${mark}, recorded ${recorded}`];
  });
}
