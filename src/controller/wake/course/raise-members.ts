import { appliesOthers, runsOf } from '../../../domain/kinds/kinds.ts';
import type { Restore } from '../../../domain/restore/decide-restore.ts';
import { keptDetail } from '../../../domain/wake/verdict/failure-sentence.ts';
import { workloadKey } from '../../../domain/workload.ts';
import { type Act, type Acting, apply, isDue, retryAt } from '../../act/scaling.ts';
import { earliest, now, type RequeueAt } from '../../loop/requeue.ts';
import type { Wake, WakePayload } from '../../transition/transition.ts';
import { type ResumePace, resumedTogether } from './resume-pace.ts';
import type { Member } from './wake-members.ts';

/** What raising and resuming the members of a wake needs of a pass. */
export interface RaiseStep extends Acting {
  readonly resumePace: ResumePace;
}

export interface Restored {
  readonly payload: WakePayload;
  /** Something was raised or resumed. */
  readonly progress: boolean;
  /** Acts that are still to be done and that the cluster has not been refusing for long. */
  readonly pending: number;
  /** When the next act is due; undefined when all are done. */
  readonly retryAt: RequeueAt;
}

/**
 * Raises and resumes what the started tiers still have down: workloads first, CronJobs in steps after them, and what applies any of
 * them when all have what was theirs, but for what the cluster has been refusing.
 */
export async function raiseStarted(
  context: RaiseStep,
  current: Wake,
  started: readonly Member[],
  restores: ReadonlyMap<string, Restore>,
): Promise<Restored> {
  const { payload } = current;
  const { acts, resumes, appliers } = sorted(started, restores);
  const raised = await apply(context, acts);
  // Workloads first, because jobs of a resumed CronJob may call them.
  const due = raised.done.size > 0 ? [] : nextToResume(context, resumes);
  const resumed = await apply(context, due);
  if (due.length > 0) context.resumePace.stepped(context.clock.monotonic());
  const before = raised.done.union(resumed.done);
  const awaited = [...acts, ...resumes].map(({ workload }) => workloadKey(workload)).filter((key) => !before.has(key));
  const isFree = awaited.every((key) => payload.refused[key] !== undefined);
  const given = await apply(context, isFree ? appliers : []);
  const done = before.union(given.done);
  const left = [...acts, ...resumes, ...appliers].filter(({ workload }) => !done.has(workloadKey(workload)));
  const refused = refusedAfter(
    payload.refused,
    left,
    new Map([...raised.refused, ...resumed.refused, ...given.refused]),
  );
  return {
    payload: refused === payload.refused ? payload : { ...payload, refused },
    progress: done.size > 0,
    pending: left.filter(({ workload }) => refused[workloadKey(workload)] === undefined).length,
    retryAt: earliest(
      raised.retryAt,
      given.retryAt,
      nextStepAt(
        context,
        resumes.filter(({ workload }) => !done.has(workloadKey(workload))),
      ),
    ),
  };
}

interface Sorted {
  readonly acts: readonly Act[];
  readonly resumes: readonly Act[];
  readonly appliers: readonly Act[];
}

function sorted(started: readonly Member[], restores: ReadonlyMap<string, Restore>): Sorted {
  const acts: Act[] = [];
  const resumes: Act[] = [];
  const appliers: Act[] = [];
  for (const member of started) {
    const key = workloadKey(member);
    const restore = restores.get(key);
    if (restore === undefined) continue;
    if (restore.act === 'resume' && runsOf(restore.workload.kind) === 'jobs') resumes.push(restore);
    else if (restore.act === 'raise' || restore.act === 'resume' || restore.act === 'disown') {
      (appliesOthers(restore.workload.kind) ? appliers : acts).push(restore);
    }
  }
  return { acts, resumes, appliers };
}

/** When the next step of CronJobs is to be taken: not before its pace allows it, nor before one that was refused is due again. */
function nextStepAt(context: RaiseStep, waiting: readonly Act[]): RequeueAt {
  const due = retryAt(context, waiting);
  return due === undefined ? undefined : Math.max(due, now(context) + resumeWait(context));
}

/** The next step of CronJobs; one that was refused makes room for the others until it is due again. */
function nextToResume(context: RaiseStep, resumes: readonly Act[]): readonly Act[] {
  if (resumeWait(context) > 0) return [];
  return resumes.filter((act) => isDue(act, context.backoff)).slice(0, resumedTogether);
}

/** What the cluster has been refusing and still does, with its first words. The same object if nothing changed. */
function refusedAfter(
  known: Readonly<Record<string, string>>,
  left: readonly Act[],
  refused: ReadonlyMap<string, string>,
): Readonly<Record<string, string>> {
  const keys = left.map(({ workload }) => workloadKey(workload));
  const after = Object.fromEntries(
    keys.flatMap((key) => {
      const message = known[key] ?? refused.get(key);
      return message === undefined ? [] : [[key, keptDetail(message)]];
    }),
  );
  const same = Object.keys(after).length === Object.keys(known).length;
  return same && Object.keys(after).every((key) => known[key] !== undefined) ? known : after;
}

function resumeWait({ resumePace, clock }: RaiseStep): number {
  return resumePace.wait(clock.monotonic());
}
