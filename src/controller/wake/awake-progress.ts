import type { CompiledConfig } from '../../service/compiled-config.ts';
import { stoppedByUs } from '../beside/database-steps.ts';
import { type CompanionsStep, wakeCompanions } from '../beside/run-companions.ts';
import { earliest, now, type RequeueAt } from '../loop/requeue.ts';
import type { ScopedSnapshot } from '../snapshot/snapshot.ts';
import { type PendingStep, pendingNames } from './pending.ts';

/** What a wake left down is tried again this often. */
export const repairMs = 30_000;

export interface AwakeProgress {
  readonly requeueAt: RequeueAt;
  /** What is not back yet, by name. Only a handback waits for it, so nobody else looks for it. */
  readonly pending: () => Promise<readonly string[]>;
}

/** What telling how far the cluster is up needs of a pass. */
export interface ProgressStep extends PendingStep, CompanionsStep {
  readonly snapshot: ScopedSnapshot;
  readonly compiled: CompiledConfig;
}

export async function withCompanions(context: ProgressStep, requeueAt: RequeueAt): Promise<AwakeProgress> {
  const companions = await wakeCompanions(context);
  // A wake may end with a database that would not start: nothing else would bring the next pass before long.
  const left = companions.length > 0 || stoppedByUs(context).length > 0;
  return {
    requeueAt: earliest(requeueAt, left ? now(context) + repairMs : undefined),
    pending: async () => [...new Set([...(await pendingNames(context)), ...companions])],
  };
}
