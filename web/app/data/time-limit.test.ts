import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { answerLimitMs, NoAnswerInTime, withinLimit } from './time-limit.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('a time limit', () => {
  it('ends what takes longer, and says so', () => {
    const signal = withinLimit(undefined);
    vi.advanceTimersByTime(answerLimitMs - 1);
    expect(signal.aborted).toBe(false);
    vi.advanceTimersByTime(1);
    expect(signal.reason).toEqual(new NoAnswerInTime());
    expect((signal.reason as Error).message).toBe('No answer came within 15 seconds.');
  });

  it('ends with the signal that was given', () => {
    const given = new AbortController();
    const signal = withinLimit(given.signal);
    given.abort('left');
    expect(signal.reason).toBe('left');
  });
});
