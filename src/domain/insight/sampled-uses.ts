import { isDownByUs } from '../record/mark.ts';
import { isReplicaRecord, type ReplicaRecord, type WorkloadRecord } from '../record/record.ts';
import type { SkipReason } from '../targeting/targeting.ts';
import { type Architecture, isScalable, type Scalable, type Workload } from '../workload.ts';
import type { SampledUse } from './account.ts';
import { type RequestDefaults, requestOf } from './use.ts';

interface Sampled {
  readonly workload: Workload;
  readonly skipped?: SkipReason | undefined;
  readonly record?: WorkloadRecord | undefined;
}

/** What our workloads ask for, asleep or not. What does not say on which kind of node it runs is taken to run on `usual`. */
export function sampledUses(
  all: Iterable<Sampled>,
  defaults: RequestDefaults,
  usual: Architecture,
): readonly SampledUse[] {
  const uses: SampledUse[] = [];
  for (const { workload, skipped, record } of all) {
    if (!isScalable(workload)) continue;
    const downBy = sleepRecord(workload, record);
    // What is not ours to scale runs at its owner's wish: nothing is saved by it, and nothing was planned.
    if (skipped !== undefined && downBy === undefined) continue;
    const { cores, memoryGB } = requestOf(workload, defaults);
    const replicas = downBy?.replicas ?? workload.replicas;
    if (replicas === 0) continue;
    uses.push({
      namespace: workload.namespace,
      request: { ...coresOn(workload.architecture ?? usual, cores * replicas), memory: memoryGB * replicas },
      ...(downBy === undefined ? {} : { downSince: downBy.at }),
    });
  }
  return uses;
}

function coresOn(architecture: Architecture, cores: number) {
  return architecture === 'arm64' ? { amd64: 0, arm64: cores } : { amd64: cores, arm64: 0 };
}

/** The record of a workload that is down by our doing; one at zero by its owner's wish saves nothing by ours. */
function sleepRecord(workload: Scalable, record: WorkloadRecord | undefined): ReplicaRecord | undefined {
  if (record === undefined || !isReplicaRecord(record)) return undefined;
  return record.uid === workload.uid && isDownByUs(workload) ? record : undefined;
}
