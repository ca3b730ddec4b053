// A write-off withdrawn: how the workload came up after all, in one sentence that is composed here and shown everywhere alike.

import type { EpochMs } from '../../workload.ts';
import { reasonWords, workloadSentence } from './failure-sentence.ts';
import { second, type WakeFigures } from './figures.ts';
import type { Moment } from './moment.ts';
import type { PodView } from './pod.ts';
import { restartsOfPod, runningAttempt, serving } from './restart.ts';
import { counted, gapWords } from './span.ts';
import type { Standing } from './standing.ts';
import type { Lift, WriteOff } from './wake-state.ts';

export type LiftedWriteOff = WriteOff & { readonly lift: Lift };

/** Names shown on a card before the rest is counted. */
const namedOnCards = 3;

/** The lift of a write-off whose workload is now up. */
export function liftOf(
  writeOff: WriteOff,
  standing: Standing,
  pods: readonly PodView[],
  { now, from }: Pick<Moment, 'now' | 'from'>,
): Lift {
  const measured = fromRestart(standing, pods, from) ?? fromWriteOff(writeOff, standing);
  return { at: now, ...(measured ?? { ending: 'unmeasured' }), ...baseline(pods) };
}

/** The lift of a workload that broke after its recovery and is up once more, without a second write-off. */
export function liftAfterBreak(pods: readonly PodView[], now: EpochMs): Lift {
  return { at: now, ending: 'back', ...baseline(pods) };
}

export function endingWords(lift: Lift): string {
  return `${cameUp(lift)}${lift.broken === true ? ', and is not ready again' : ''}`;
}

export function recoverySentence(workload: string, writeOff: LiftedWriteOff, figures: WakeFigures): string {
  return `${workloadSentence(workload, reasonWords(writeOff, figures))}, ${endingWords(writeOff.lift)}`;
}

/** For cards and mail only: the first three, and how many more there are. Records keep them all. */
export function cutRecoveries(sentences: readonly string[]): readonly string[] {
  if (sentences.length <= namedOnCards) return sentences;
  return [...sentences.slice(0, namedOnCards), `and ${sentences.length - namedOnCards} more`];
}

/** The clause of the Kubernetes event; undefined when nothing recovered. */
export function recoveredClause(count: number): string | undefined {
  return count === 0 ? undefined : `${counted(count, 'workload')} recovered`;
}

function cameUp(lift: Lift): string {
  switch (lift.ending) {
    case 'restart':
      return `came up ${gapWords(lift.gapMs ?? 0)} after the restart`;
    case 'waiting':
      return `came up ${gapWords(lift.gapMs ?? 0)} after the service stopped waiting`;
    case 'unmeasured':
      return 'came up after the service stopped waiting';
    case 'back':
      return 'came back up after the service stopped waiting';
  }
}

/** Only when the latest start is a further attempt: a sidecar's restart long before is not what brought the workload up. */
function fromRestart(
  { upSince }: Standing,
  pods: readonly PodView[],
  from: EpochMs,
): Pick<Lift, 'ending' | 'gapMs'> | undefined {
  const latest = latestAttempt(pods);
  // A restart from before the wake is none of this wake.
  if (latest?.restarted !== true || latest.startedAt <= from - second) return undefined;
  if (upSince === undefined || upSince < latest.startedAt) return undefined;
  return { ending: 'restart', gapMs: upSince - latest.startedAt };
}

/** Kubernetes writes whole seconds, so an instant may read up to a second earlier than it was. */
function fromWriteOff(writeOff: WriteOff, standing: Standing): Pick<Lift, 'ending' | 'gapMs'> | undefined {
  if (standing.upSince === undefined || standing.upSince <= writeOff.at - second) return undefined;
  return { ending: 'waiting', gapMs: Math.max(0, standing.upSince - writeOff.at) };
}

function latestAttempt(pods: readonly PodView[]): { startedAt: EpochMs; restarted: boolean } | undefined {
  let latest: { startedAt: EpochMs; restarted: boolean } | undefined;
  for (const container of pods.flatMap(serving)) {
    const attempt = runningAttempt(container);
    if (attempt === undefined) continue;
    const later = latest === undefined || attempt.startedAt > latest.startedAt;
    if (later || (attempt.startedAt === latest?.startedAt && attempt.restarted)) latest = attempt;
  }
  return latest;
}

function baseline(pods: readonly PodView[]): Pick<Lift, 'restarts'> {
  const restarts = Math.max(0, ...pods.map((pod) => restartsOfPod(pod, pod.createdAt)));
  return restarts === 0 ? {} : { restarts };
}
