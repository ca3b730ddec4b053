import { ApiError } from '../../../src/contract/contract.ts';
import { NoAnswerInTime, Offline } from '../data/time-limit.ts';

/** Whoever leaves a shared computer has to know that he is not signed out. */
export function notSignedOut(error: unknown): string {
  if (error instanceof Offline) {
    return `You are still signed in: the session is not ended. ${error.message} Nothing was sent, and nothing will be sent later.`;
  }
  if (error instanceof ApiError) return `You are still signed in: the session is not ended. ${error.message}`;
  const what = error instanceof NoAnswerInTime ? error.message : 'The connection broke before an answer came.';
  return `You are still signed in here: it is not known whether the session is ended. ${what} Try again.`;
}
