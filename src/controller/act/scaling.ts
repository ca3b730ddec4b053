import type { Failure } from '../../domain/backoff/backoff.ts';
import { inWaves } from '../../domain/ordering/waves.ts';
import type { Restore } from '../../domain/restore/decide-restore.ts';
import { keptDetail } from '../../domain/wake/verdict/failure-sentence.ts';
import {
  type EpochMs,
  isScalable,
  type Scalable,
  type Switched,
  type Workload,
  workloadKey,
} from '../../domain/workload.ts';
import { type Clock, sleep } from '../../ports/clock.ts';
import type { WorkloadWriter, WriteOutcome } from '../../ports/cluster.ts';
import type { Logger } from '../../ports/logger.ts';
import type { CompiledConfig } from '../../service/compiled-config.ts';
import { StateConflict } from '../../state/session/state-errors.ts';
import type { StateSession } from '../../state/session/state-session.ts';
import type { ControllerMetrics } from '../metrics/metrics.ts';
import type { ActBackoff } from './act-backoff.ts';
import type { Fence } from './fence.ts';
import type { Life } from './life.ts';
import type { Lowerings } from './lowerings.ts';
import type { PacedReads } from './paced-reads.ts';
import { inParallel } from './pool.ts';
import type { Staleness } from './staleness.ts';

/** So long a pass waits for a write that has been failing for long: others wait for the pass. */
const answerMs = 2_000;

export type Act =
  | { readonly act: 'lower'; readonly workload: Scalable; readonly count: number }
  | { readonly act: 'suspend'; readonly workload: Switched }
  | Extract<Restore, { act: 'raise' | 'resume' | 'disown' }>;

function isLowering({ act }: Act): boolean {
  return act === 'lower' || act === 'suspend';
}

/** What takes a workload down from where it stands now. */
export function loweringOf(workload: Workload): Act {
  return isScalable(workload) ? { act: 'lower', workload, count: workload.replicas } : { act: 'suspend', workload };
}

export interface Applied {
  /** Keys of workloads whose act was done, or found done. */
  readonly done: ReadonlySet<string>;
  /** By workload key: the cluster's own words for what it has been refusing for long. It is tried again all the same. */
  readonly refused: ReadonlyMap<string, string>;
  /**
   * When the first act is due that is still to be done: somebody wrote first, the answer was lost, it was refused, or the pass was
   * stopped. Undefined when none is left.
   */
  readonly retryAt: EpochMs | undefined;
}

/** What acting needs besides the acts. */
export interface Acting {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: ControllerMetrics;
  readonly writer: WorkloadWriter;
  readonly compiled: CompiledConfig;
  readonly signal: AbortSignal;
  readonly backoff: ActBackoff;
  readonly reads: PacedReads;
  readonly session: StateSession;
  readonly life: Life;
  readonly fence: Fence;
  readonly staleness: Staleness;
  readonly lowerings: Lowerings;
  /** Workloads that a read past the caches found gone. */
  readonly goneUids: Set<string>;
}

/**
 * Performs the acts that are due, wave after wave and at most `maxConcurrentOperations` at a time. A wave waits for the one before it,
 * but not for what the cluster has been refusing for long: that must keep nobody else quiet. One that fails is put off, each by itself,
 * and tried again by a later pass for as long as it is wanted. After a conflict or an answer that says nothing the workload
 * is read anew, so that the caches are right for the pass that follows at once; no act is repeated here. Throws `StateConflict` when
 * the state is no longer the one that the acts were decided on.
 */
export async function apply(acting: Acting, acts: readonly Act[]): Promise<Applied> {
  const { compiled, signal, backoff, fence } = acting;
  const done = new Set<string>();
  const left: Act[] = [];
  await countLife(
    acting,
    acts.filter((act) => isDue(act, backoff)),
  );
  let overtaken = false;
  fence.begin();
  for (const wave of inWaves(acts)) {
    const due = wave.filter((act) => isDue(act, backoff));
    await inParallel(due, atOneTime(compiled), signal, async (act) => {
      if (!(await fence.holds())) {
        // What asks for another pass gets it.
        overtaken = !signal.aborted;
        return;
      }
      if (await doneInTime(acting, act)) done.add(workloadKey(act.workload));
    });
    if (overtaken)
      throw new StateConflict('conflict', 'somebody wrote the state while the pass was acting, or time passed it by');
    left.push(...wave.filter((act) => !done.has(workloadKey(act.workload))));
    if (left.some((act) => backoff.lasting(writeOf(act)) === undefined)) break;
  }
  return { done, refused: lastingRefusals(left, backoff), retryAt: retryAt(acting, left) };
}

/** So long an act may wait for its turn with the apiserver: it was decided, and the fence asked, before that. */
const turnSeconds = 2;

/** No more than get their turn soon: what waits for one is sent even if a stop comes meanwhile. */
function atOneTime({ config: { controller } }: CompiledConfig): number {
  const { maxConcurrentOperations, kubernetesQPS } = controller;
  return Math.min(maxConcurrentOperations, Math.max(1, kubernetesQPS * turnSeconds));
}

/**
 * Nothing is taken down by a life that is not counted in the state. One that has nothing to take down now does not count
 * itself: two controllers at once would take turns at it for as long as something is refused.
 */
async function countLife({ session, life }: Acting, due: readonly Act[]): Promise<void> {
  if (due.some(isLowering)) await session.write(...life.count(session));
}

/**
 * Whether the act was done. One that has been failing for long is often not answered at all: the pass goes on without it,
 * and what comes of it is noted when it comes.
 */
async function doneInTime(acting: Acting, act: Act): Promise<boolean> {
  const { backoff, clock, logger } = acting;
  const carriedOut = carryOut(acting, act);
  if (backoff.lasting(writeOf(act)) === undefined) return carriedOut;
  const answered = new AbortController();
  const timeout = sleep(clock, answerMs, answered.signal).then(
    () => 'over' as const,
    () => 'over' as const,
  );
  const first = await Promise.race([carriedOut, timeout]);
  answered.abort();
  if (first !== 'over') return first;
  const write = writeOf(act);
  backoff.left(write);
  // It may have been answered before it was left, and be reading the workload again only.
  carriedOut.then(
    () => backoff.answered(write),
    (error: unknown) => {
      logger.warn('A scaling write failed after the pass went on', { write, error: String(error) });
      backoff.failed(write, { kind: 'failed', message: String(error) });
    },
  );
  return false;
}

/** Performs the act and keeps the books of it; true when it was done. */
async function carryOut(acting: Acting, act: Act): Promise<boolean> {
  const { logger, metrics, backoff, staleness, lowerings } = acting;
  if (!isLowering(act)) lowerings.givingBack(act.workload);
  const outcome = await perform(acting, act);
  if (outcome.outcome !== 'refused') staleness.written();
  if (!isLowering(act) && outcome.outcome !== 'unknown') lowerings.answered(act.workload);
  metrics.scalingOperations.inc({ act: act.act, outcome: outcome.outcome });
  if (outcome.outcome === 'done') {
    backoff.ended(writeOf(act));
    if (isLowering(act)) lowerings.lowered(act.workload);
    return true;
  }
  logger.debug('A scaling write was not done', { act: act.act, workload: workloadKey(act.workload), ...outcome });
  backoff.failed(writeOf(act), failureOf(outcome));
  if (outcome.outcome === 'refused') metrics.scalingFailures.inc({ act: act.act });
  else await readAnew(acting, act.workload);
  return false;
}

/** False while the act is put off because it failed. */
export function isDue(act: Act, backoff: ActBackoff): boolean {
  return backoff.waitMs(writeOf(act)) === 0;
}

/** Each act on each workload has a pace of its own: what may not be lowered may well be raised. */
function writeOf({ act, workload }: Act): string {
  return `${act} ${workloadKey(workload)}`;
}

function failureOf(outcome: Exclude<WriteOutcome, { outcome: 'done' }>): Failure {
  switch (outcome.outcome) {
    case 'conflict':
      return { kind: 'failed', message: 'somebody else keeps writing it' };
    case 'gone':
      return { kind: 'failed', message: 'it is no longer there' };
    case 'unknown':
      return { kind: 'failed', message: outcome.message };
    case 'refused': {
      const { status, message, retryAfterMs } = outcome;
      // A server that asks to slow down refuses nothing yet.
      const kind = status === 429 ? 'failed' : 'refused';
      return { kind, message, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
    }
  }
}

function lastingRefusals(acts: readonly Act[], backoff: ActBackoff): ReadonlyMap<string, string> {
  return new Map(
    acts.flatMap((act) => {
      const message = backoff.lasting(writeOf(act));
      // Kept with the transition, and told at its end: thousands of them have to fit.
      return message === undefined ? [] : [[workloadKey(act.workload), keptDetail(message)] as const];
    }),
  );
}

/** When the first of the acts may be tried again; undefined when there is none. */
export function retryAt(
  { clock, backoff }: Pick<Acting, 'clock' | 'backoff'>,
  acts: readonly Act[],
): EpochMs | undefined {
  return acts.length === 0 ? undefined : clock.now() + Math.min(...acts.map((act) => backoff.waitMs(writeOf(act))));
}

function perform({ writer, life }: Acting, act: Act): Promise<WriteOutcome> {
  switch (act.act) {
    case 'lower':
      return writer.lower(act.workload, act.count, life.epoch);
    case 'suspend':
      return writer.suspend(act.workload, life.epoch);
    case 'raise':
      return writer.raise(act.workload, act.count);
    case 'resume':
      return writer.resume(act.workload, act.before);
    case 'disown':
      return writer.disown(act.workload);
  }
}

async function readAnew({ writer, logger }: Acting, workload: Workload): Promise<void> {
  try {
    await writer.read(workload);
  } catch (error) {
    logger.debug('A workload could not be read again', { workload: workloadKey(workload), error: String(error) });
  }
}
