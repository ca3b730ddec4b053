// The pace of what the cluster refuses or fails: tried again for as long as it is wanted, and never hammered.

/** Why a write did not happen. A refusal is the cluster's last word for now; anything else may pass by itself. */
type FailureKind = 'refused' | 'failed';

export interface Failure {
  readonly kind: FailureKind;
  /** The cluster's own words, or what stands for them. */
  readonly message: string;
  /** The cluster asked to wait at least this long. */
  readonly retryAfterMs?: number;
}

/** A write that has been failing; times are monotonic. */
export interface Episode {
  readonly since: number;
  /** Since when every failure has been of the last one's kind. */
  readonly sameSince: number;
  readonly tries: number;
  readonly dueAt: number;
  readonly last: Failure;
}

const firstPauseMs = 1_000;
/** With this pause a write that never succeeds is sent less than 125 times an hour. */
const longestPauseMs = 30_000;
/** Longer pauses end together, so that hundreds of writes that fail ask for a few passes and not for one each. */
const together = { from: 8_000, everyMs: 5_000 };

/** Longer than an apiserver needs to read its roles: one that has just started refuses for a moment what it allows. */
const refusalLastsMs = 5_000;
/** Longer than an apiserver is away over a restart: until then nobody has said no. */
const failureLastsMs = 60_000;

/** The episode after one more failure. */
export function failedAgain(known: Episode | undefined, failure: Failure, now: number): Episode {
  const tries = (known?.tries ?? 0) + 1;
  const pause = Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(tries - 1, 10));
  return {
    since: known?.since ?? now,
    sameSince: known?.last.kind === failure.kind ? known.sameSince : now,
    tries,
    dueAt: dueAfter(now, Math.max(pause, failure.retryAfterMs ?? 0)),
    last: failure,
  };
}

function dueAfter(now: number, pauseMs: number): number {
  const due = now + pauseMs;
  return pauseMs < together.from ? due : Math.ceil(due / together.everyMs) * together.everyMs;
}

/** Whether it has failed for so long that others need not wait for it, and a verdict may name it. */
export function lasts({ since, sameSince, last }: Episode, now: number): boolean {
  return now - since >= failureLastsMs || (last.kind === 'refused' && now - sameSince >= refusalLastsMs);
}
