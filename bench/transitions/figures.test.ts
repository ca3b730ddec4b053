import { describe, expect, it, vi } from 'vitest';
import { floorMs, type Measured, rate, ratio, report } from './figures.ts';

const transition = { count: 1000, ms: 2_500, settledMs: 20_000, stateWrites: 6, processorMs: 3_000 };
const good: Measured = {
  bare: [
    { count: 1000, ms: 2_000 },
    { count: 1000, ms: 2_500 },
  ],
  ours: transition,
  limited: { ...transition, ms: 5_400 },
  fewStateWrites: 6,
};

describe('the figures of a transition', () => {
  it('is a rate over the mean rate of the bare loops around it', () => {
    expect(rate(good.ours)).toBe(400);
    expect(ratio(good)).toBeCloseTo(400 / 450, 10);
  });

  it('takes at least what the limits leave after the burst', () => {
    expect(floorMs(1000)).toBeCloseTo(5_333.33, 1);
    expect(floorMs(200)).toBe(0);
  });

  it.each([
    ['all is well', {}, true],
    ['our rate is under four fifths', { ours: { ...transition, ms: 2_900 } }, false],
    ['the limits are not kept', { limited: { ...transition, ms: 4_700 } }, false],
    ['the limits are kept too slowly', { limited: { ...transition, ms: 5_900 } }, false],
    ['the state is written once a workload', { ours: { ...transition, stateWrites: 1_006 } }, false],
  ])('judges that %s', (_, change, pass) => {
    vi.spyOn(console, 'log').mockImplementation(() => {});
    expect(report('wake', { ...good, ...change }).pass).toBe(pass);
  });
});
