import type { Restore } from '../../domain/restore/decide-restore.ts';
import { keptDetail } from '../../domain/wake/verdict/reason.ts';
import { type CronJob, type Scalable, type Workload, workloadKey } from '../../domain/workload.ts';
import type { WriteOutcome } from '../../ports/cluster.ts';
import type { ControllerPorts } from '../ports.ts';
import { inParallel } from './pool.ts';
import type { RefusalPatience } from './refusal-patience.ts';

export type Act =
  | { readonly act: 'lower'; readonly workload: Scalable; readonly count: number }
  | { readonly act: 'suspend'; readonly workload: CronJob }
  | Extract<Restore, { act: 'raise' | 'resume' | 'disown' }>;

export interface Applied {
  /** Acts that were done, or found done. */
  readonly done: number;
  /** By workload key: the cluster's own words for what it refused for good. */
  readonly refused: ReadonlyMap<string, string>;
  /** Acts to be looked at again: somebody wrote first, the answer was lost, a refusal may pass, or the pass was stopped. */
  readonly again: number;
}

/**
 * Performs the acts, at most `maxConcurrentOperations` at a time. After a conflict or an answer that says nothing the
 * workload is read anew, so that the caches are right when the next decision is made; no act is repeated here. Without
 * patience a refusal counts at once: for those who try again anyway.
 */
export async function apply(
  ports: ControllerPorts,
  acts: readonly Act[],
  signal: AbortSignal,
  patience?: RefusalPatience,
): Promise<Applied> {
  const refused = new Map<string, string>();
  let done = 0;
  await inParallel(acts, ports.config().controller.maxConcurrentOperations, signal, async (act) => {
    const outcome = await perform(ports, act);
    const key = workloadKey(act.workload);
    if (outcome.outcome !== 'refused') patience?.endedOtherwise(`${act.act} ${key}`);
    ports.metrics.scalingOperations.inc({ act: act.act, outcome: outcome.outcome });
    if (outcome.outcome === 'done') {
      done++;
      return;
    }
    ports.logger.debug('A scaling write was not done', {
      act: act.act,
      workload: key,
      ...outcome,
    });
    if (outcome.outcome !== 'refused') {
      await readAnew(ports, act.workload);
      return;
    }
    if (outcome.status === 429 || patience?.lasts(`${act.act} ${key}`, ports.clock.monotonic()) === false) return;
    // Kept with the transition, and told at its end: thousands of them have to fit.
    refused.set(key, keptDetail(outcome.message));
    ports.metrics.scalingFailures.inc({ act: act.act });
  });
  return { done, refused, again: acts.length - done - refused.size };
}

function perform(ports: ControllerPorts, act: Act): Promise<WriteOutcome> {
  const { writer } = ports;
  switch (act.act) {
    case 'lower':
      return writer.lower(act.workload, act.count);
    case 'suspend':
      return writer.suspend(act.workload);
    case 'raise':
      return writer.raise(act.workload, act.count);
    case 'resume':
      return writer.resume(act.workload);
    case 'disown':
      return writer.disown(act.workload);
  }
}

async function readAnew(ports: ControllerPorts, workload: Workload): Promise<void> {
  try {
    await ports.writer.read(workload);
  } catch (error) {
    ports.logger.debug('A workload could not be read again', { workload: workloadKey(workload), error: String(error) });
  }
}
