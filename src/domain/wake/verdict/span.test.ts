import { describe, expect, it } from 'vitest';
import { span } from '../../../../test/support/wake/scenario.ts';
import { counted, gapWords, spanAdjective, spanWords } from './span.ts';

describe('a span in words', () => {
  it.each([
    ['0:01', '1 second'],
    ['0:45', '45 seconds'],
    ['0:59', '59 seconds'],
    ['1:00', '1 minute'],
    ['1:01', '61 seconds'],
    ['1:30', '90 seconds'],
    ['1:59', '119 seconds'],
    ['2:00', '2 minutes'],
    ['2:01', '2 minutes 1 second'],
    ['2:30', '2 minutes 30 seconds'],
    ['10:00', '10 minutes'],
    ['20:00', '20 minutes'],
    ['60:00', '60 minutes'],
    ['0:00', '0 seconds'],
  ])('%s is %s', (clock, words) => {
    expect(spanWords(span(clock))).toBe(words);
  });
});

describe('a span before a noun', () => {
  it.each([
    ['30:00', '30-minute'],
    ['1:00', '1-minute'],
    ['1:30', '90-second'],
    ['0:20', '20-second'],
  ])('%s is %s', (clock, words) => {
    expect(spanAdjective(span(clock))).toBe(words);
  });
});

describe('a gap in words counts whole minutes gone by', () => {
  it.each([
    ['0:00', 'less than 1 minute'],
    ['0:59', 'less than 1 minute'],
    ['1:00', '1 minute'],
    ['1:59', '1 minute'],
    ['2:00', '2 minutes'],
    ['3:59', '3 minutes'],
  ])('%s is %s', (clock, words) => {
    expect(gapWords(span(clock))).toBe(words);
  });
});

it('counts one workload in the singular', () => {
  expect([0, 1, 2].map((count) => counted(count, 'workload'))).toEqual(['0 workloads', '1 workload', '2 workloads']);
});
