import { ApiStatusError, NoAnswer } from './errors.ts';

export interface RetryQuestion {
  /** 1 for the first attempt that failed. */
  readonly attempt: number;
  readonly failure: unknown;
  /** A read can be repeated at will; a write only when it surely was not performed. */
  readonly write: boolean;
  /** A number in [0, 1) that spreads the retries of many clients. */
  readonly chance: number;
}

export type RetryAnswer =
  | { readonly retry: true; readonly delayMs: number; readonly reason: string }
  | { readonly retry: false; readonly reason: string };

const maxAttempts = 6;
const firstDelayMs = 200;
const longestDelayMs = 10_000;
/** A server that asks for more than this gets its answer from the next pass, not from a request kept waiting. */
const longestRetryAfterSeconds = 60;

export function whetherToRetry(question: RetryQuestion): RetryAnswer {
  const { failure, attempt } = question;
  if (attempt >= maxAttempts) return { retry: false, reason: `gave up after ${attempt} attempts` };
  const reason = question.write ? whyWriteIsSafe(failure) : whyReadMayPass(failure);
  if (reason === undefined) return { retry: false, reason: 'the answer is final' };
  const askedFor = failure instanceof ApiStatusError ? (failure.retryAfterSeconds ?? 0) : 0;
  if (askedFor > longestRetryAfterSeconds) {
    return { retry: false, reason: `the server asked to wait ${askedFor} s, more than ${longestRetryAfterSeconds} s` };
  }
  return { retry: true, delayMs: Math.max(askedFor * 1000, backoffMs(attempt, question.chance)), reason };
}

/** Doubles with each attempt up to a ceiling; between half and the whole of it, by chance. */
export function backoffMs(attempt: number, chance: number, first = firstDelayMs, longest = longestDelayMs): number {
  const full = Math.min(longest, first * 2 ** Math.min(attempt - 1, 30));
  return Math.round(full * (0.5 + chance / 2));
}

function whyReadMayPass(failure: unknown): string | undefined {
  if (failure instanceof NoAnswer) return 'no answer came';
  if (!(failure instanceof ApiStatusError)) return undefined;
  if (failure.status === 429) return 'the server asked to slow down';
  return failure.status >= 500 && failure.status !== 501 ? `the server answered ${failure.status}` : undefined;
}

function whyWriteIsSafe(failure: unknown): string | undefined {
  if (failure instanceof NoAnswer) return failure.mayHaveReachedServer ? undefined : 'the request was not sent';
  if (!(failure instanceof ApiStatusError)) return undefined;
  // A 429 is refused before the write is looked at, and its Retry-After invites to come again.
  return failure.status === 429 && failure.retryAfterSeconds !== undefined
    ? 'the server asked to slow down'
    : undefined;
}
