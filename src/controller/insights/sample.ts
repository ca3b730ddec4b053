import type { Sample, SampledDatabase, SampledUse } from '../../domain/insight/account.ts';
import { requestOf } from '../../domain/insight/use.ts';
import { isDownByUs } from '../../domain/record/mark.ts';
import { isReplicaRecord, type WorkloadRecord } from '../../domain/record/record.ts';
import { type Architecture, isScalable, type Scalable, workloadKey } from '../../domain/workload.ts';
import type { CompiledConfig } from '../../service/compiled-config.ts';
import { databaseStates } from '../../state/database-states.ts';
import { phase } from '../../state/phase.ts';
import type { StateSession } from '../../state/session/state-session.ts';
import { recordsByKey } from '../act/records.ts';
import type { ClusterSnapshot } from '../pass/snapshot.ts';

/** What the savings ledger reads of a completed pass. */
export interface EndedPass {
  readonly session: StateSession;
  readonly snapshot: ClusterSnapshot;
  readonly compiled: CompiledConfig;
}

/**
 * What runs and what sleeps at the end of a pass, with what each asks for. What does not say on which kind of node it
 * runs is taken to run on `usual`.
 */
export function sampleOf(context: EndedPass, usual: Architecture): Sample {
  const asleep = context.session.get(phase);
  return {
    ...(asleep?.phase === 'hibernated' ? { asleepSince: asleep.since } : {}),
    uses: usesOf(context, usual),
    databases: databasesOf(context),
  };
}

function usesOf(context: EndedPass, usual: Architecture): readonly SampledUse[] {
  const records = recordsByKey(context.session);
  const { insights } = context.compiled.config;
  const uses: SampledUse[] = [];
  for (const { workload, skipped } of context.snapshot.workloads) {
    if (!isScalable(workload)) continue;
    const downBy = sleepRecord(workload, records.get(workloadKey(workload)));
    // What is not ours to scale runs at its owner's wish: nothing is saved by it, and nothing was planned.
    if (skipped !== undefined && downBy === undefined) continue;
    const { cores, memoryGB } = requestOf(workload, insights);
    const replicas = downBy?.replicas ?? workload.replicas;
    if (replicas === 0) continue;
    uses.push({
      namespace: workload.namespace,
      request: {
        ...coresOn(workload.architecture ?? usual, cores * replicas),
        memory: memoryGB * replicas,
      },
      ...(downBy === undefined ? {} : { downSince: downBy.at }),
    });
  }
  return uses;
}

function coresOn(architecture: Architecture, cores: number) {
  return architecture === 'arm64' ? { amd64: 0, arm64: cores } : { amd64: cores, arm64: 0 };
}

/** The record of a workload that is down by our doing; one at zero by its owner's wish saves nothing by ours. */
function sleepRecord(workload: Scalable, record: WorkloadRecord | undefined) {
  if (record === undefined || !isReplicaRecord(record)) return undefined;
  return record.uid === workload.uid && isDownByUs(workload) ? record : undefined;
}

function databasesOf(context: EndedPass): readonly SampledDatabase[] {
  const decoded = context.session.snapshot.read(databaseStates);
  const states = decoded.ok ? decoded.value : new Map();
  return Object.keys(context.compiled.config.databases).map((name) => {
    const state = states.get(name);
    return state?.stoppedByUs === true && state.status === 'stopped' ? { name, downSince: state.at } : { name };
  });
}
