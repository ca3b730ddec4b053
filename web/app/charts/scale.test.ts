import { describe, expect, it } from 'vitest';
import { axisOf, labelEvery } from './scale.ts';

describe('the axis of a picture', () => {
  it.each<[number, number, number[]]>([
    [12, 15, [0, 5, 10, 15]],
    [24, 30, [0, 10, 20, 30]],
    [8, 8, [0, 2, 4, 6, 8]],
    [0.3, 0.3, [0, 0.1, 0.2, 0.3]],
    [0, 1, [0, 1]],
  ])('of %d ends at %d', (largest, top, ticks) => {
    expect(axisOf([largest])).toEqual({ top: expect.closeTo(top), ticks });
  });

  it('names as many columns as there is room for', () => {
    expect([labelEvery(7, 700, 60), labelEvery(28, 300, 60), labelEvery(3, 10, 60)]).toEqual([1, 6, 3]);
  });
});
