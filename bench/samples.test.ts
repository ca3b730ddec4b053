import { describe, expect, it } from 'vitest';
import { spread, spreadText, turns } from './samples.ts';

describe('the spread', () => {
  it.each([
    [[3], { least: 3, median: 3, most: 3 }],
    [[5, 1, 3], { least: 1, median: 3, most: 5 }],
    [[4, 1, 3, 2], { least: 1, median: 2.5, most: 4 }],
  ])('of %j', (values, expected) => {
    expect(spread(values)).toEqual(expected);
  });

  it.each([
    ['6.4 s (6.3 to 7.0)', { least: 6.3, median: 6.4, most: 7 }, 1, ' s'],
    ['400/s', { least: 400, median: 400, most: 400 }, 0, '/s'],
  ])('is said as %s', (text, values, digits, unit) => {
    expect(spreadText(values, digits, unit)).toBe(text);
  });
});

describe('the turns', () => {
  it('begin with another one each time', () => {
    expect([0, 1, 2, 3].map((run) => turns(['a', 'b', 'c'], run).join(''))).toEqual(['abc', 'bca', 'cab', 'abc']);
  });
});
