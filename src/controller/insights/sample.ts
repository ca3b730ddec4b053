import type { Sample, SampledDatabase } from '../../domain/insight/account.ts';
import { sampledUses } from '../../domain/insight/sampled-uses.ts';
import { type Architecture, workloadKey } from '../../domain/workload.ts';
import type { CompiledConfig } from '../../service/compiled-config.ts';
import { databaseStates } from '../../state/database-states.ts';
import { phase } from '../../state/phase.ts';
import type { StateSession } from '../../state/session/state-session.ts';
import { recordsByKey } from '../act/records.ts';
import type { ClusterSnapshot } from '../snapshot/snapshot.ts';

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
  const records = recordsByKey(context.session);
  const recorded = context.snapshot.workloads.map(({ workload, skipped }) => {
    return { workload, skipped, record: records.get(workloadKey(workload)) };
  });
  return {
    ...(asleep?.phase === 'hibernated' ? { asleepSince: asleep.since } : {}),
    uses: sampledUses(recorded, context.compiled.config.insights, usual),
    databases: databasesOf(context),
  };
}

function databasesOf(context: EndedPass): readonly SampledDatabase[] {
  const decoded = context.session.snapshot.read(databaseStates);
  const states = decoded.ok ? decoded.value : new Map();
  return Object.keys(context.compiled.config.databases).map((name) => {
    const state = states.get(name);
    return state?.stoppedByUs === true && state.status === 'stopped' ? { name, downSince: state.at } : { name };
  });
}
