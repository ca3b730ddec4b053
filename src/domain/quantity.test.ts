import { describe, expect, it } from 'vitest';
import { parseQuantity } from './quantity.ts';

describe('parseQuantity', () => {
  it.each([
    ['250m', 0.25],
    ['100m', 0.1],
    ['1', 1],
    ['0.5', 0.5],
    ['.5', 0.5],
    ['2.', 2],
    ['128Mi', 134_217_728],
    ['1Gi', 1_073_741_824],
    ['1.5Gi', 1_610_612_736],
    ['64Ki', 65_536],
    ['1G', 1_000_000_000],
    ['500M', 500_000_000],
    ['1k', 1000],
    ['1e3', 1000],
    ['1E3', 1000],
    ['12e-1', 1.2],
    ['1E', 1e18],
    ['100n', 1e-7],
    ['5u', 5e-6],
    ['-1', -1],
    ['+3Ti', 3 * 2 ** 40],
    [2, 2],
  ])('reads %s as %d', (text, number) => {
    expect(parseQuantity(text)).toBe(number);
  });

  it.each(['', 'm', '1 Gi', '1gi', 'abc', '1K', '1e', 'NaN', '0x10'])('finds no quantity in %j', (text) => {
    expect(parseQuantity(text)).toBeUndefined();
  });
});
