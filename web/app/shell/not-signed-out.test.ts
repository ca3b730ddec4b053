import { describe, expect, it } from 'vitest';
import { ApiError } from '../../../src/contract/contract.ts';
import { NoAnswerInTime, Offline } from '../data/time-limit.ts';
import { notSignedOut } from './not-signed-out.ts';

describe('a sign-out that failed', () => {
  it.each([
    [new Offline(), 'the session is not ended. This browser is offline. Nothing was sent'],
    [new ApiError(503, { code: 'unavailable', message: 'Not now.' }, null), 'the session is not ended. Not now.'],
    [new NoAnswerInTime(), 'it is not known whether the session is ended. No answer came within 15 seconds.'],
    [new TypeError('Failed to fetch'), 'it is not known whether the session is ended. The connection broke'],
  ])('%s says what is known of the session', (error, said) => {
    expect(notSignedOut(error)).toContain(said);
  });
});
