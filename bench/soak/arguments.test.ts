import { describe, expect, it } from 'vitest';
import { parseWanted, usage } from './arguments.ts';

const minute = 60_000;

describe('how long and how fast', () => {
  it.each([
    [[], { totalMs: 120 * minute, dayMs: 60 * minute }],
    [['--hours', '10'], { totalMs: 600 * minute, dayMs: 60 * minute }],
    [['--minutes', '10'], { totalMs: 10 * minute, dayMs: 2 * minute }],
    [['--minutes', '1'], { totalMs: minute, dayMs: minute }],
    [['--hours', '2', '--day-minutes', '30'], { totalMs: 120 * minute, dayMs: 30 * minute }],
  ])('%j', (args, wanted) => {
    expect(parseWanted(args)).toEqual({ ...wanted, workloads: 200, seed: 1 });
  });

  it.each([
    [['--hours', '1', '--minutes', '1'], 'Give --hours or --minutes, not both.'],
    [['--minutes', 'ten'], '--minutes is "ten"; it must be a number from 0.'],
    [['--day-minutes', '0.5'], '--day-minutes is "0.5"; it must be a number from 1.'],
    [['--workloads', '1'], '--workloads is "1"; it must be a number from 10.'],
  ])('not %j', (args, message) => {
    expect(() => parseWanted(args)).toThrow(message);
  });

  it('is told on request, flag by flag', () => {
    expect(parseWanted(['--help'])).toBe('help');
    const flags = 'hours minutes day-minutes workloads seed'.split(' ');
    expect(flags.filter((flag) => !usage.includes(`\n  --${flag} `))).toEqual([]);
  });
});
