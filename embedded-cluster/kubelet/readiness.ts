import type { Container } from 'kubernetes-types/core/v1.js';
import type { EpochMs } from '../ports/clock.ts';
import { forAttempt, startupSeconds } from './attempt-figures.ts';
import type { Behaviour } from './behaviour.ts';
import { earliest } from './pod-view.ts';

export interface Readiness {
  readonly started: boolean;
  readonly ready: boolean;
  readonly nextChangeAt: EpochMs | undefined;
}

/** Whether a running container has started and is ready, and when that changes next while it runs. */
export function readinessAt(
  container: Container,
  behaviour: Behaviour,
  { attempt, startedAt, crashes }: { readonly attempt: number; readonly startedAt: EpochMs; readonly crashes: boolean },
  now: EpochMs,
): Readiness {
  const probed = container.startupProbe !== undefined;
  const startedUpAt = probed ? startedAt + startupSeconds(behaviour, attempt) * 1000 : startedAt;
  const started = now >= startedUpAt;
  const readyAt = firstReadyAt(behaviour, { attempt, startedAt, startedUpAt, crashes });
  const untilStarted = started ? undefined : startedUpAt;
  if (readyAt === undefined) return { started, ready: false, nextChangeAt: untilStarted };
  if (now < readyAt) return { started, ready: false, nextChangeAt: earliest(untilStarted, readyAt) };
  const window = windowAt(behaviour, startedAt, now);
  return { started, ready: !window.within, nextChangeAt: window.edge };
}

/** A crashing attempt counts as never ready unless its time to readiness was declared. */
function firstReadyAt(
  behaviour: Behaviour,
  {
    attempt,
    startedAt,
    startedUpAt,
    crashes,
  }: {
    readonly attempt: number;
    readonly startedAt: EpochMs;
    readonly startedUpAt: EpochMs;
    readonly crashes: boolean;
  },
): EpochMs | undefined {
  if (behaviour.neverReady === true) return undefined;
  const declared = forAttempt(behaviour.startSeconds, attempt);
  if (declared === undefined && crashes) return undefined;
  return Math.max(startedUpAt, startedAt + (declared ?? 0) * 1000);
}

function windowAt(behaviour: Behaviour, startedAt: EpochMs, now: EpochMs) {
  let within = false;
  let edge: EpochMs | undefined;
  for (const { from, until } of behaviour.unreadyAt ?? []) {
    const begins = startedAt + from * 1000;
    const ends = until === undefined ? undefined : startedAt + until * 1000;
    if (begins > now) edge = earliest(edge, begins);
    else if (ends === undefined) within = true;
    else if (ends > now) {
      within = true;
      edge = earliest(edge, ends);
    }
  }
  return { within, edge };
}
