import { describe, expect, it, vi } from 'vitest';
import { floorMs, type Measured, rate, ratio, report } from './figures.ts';

const transition = { count: 1000, ms: 2_500, settledMs: 20_000, stateWrites: 6, processorMs: 3_000 };
const good: Measured = {
  bare: [
    { count: 1000, ms: 2_000 },
    { count: 1000, ms: 2_500 },
  ],
  ours: [transition, { ...transition, ms: 2_400 }, { ...transition, ms: 10_000 }],
  limited: { ...transition, ms: 5_400 },
  fewStateWrites: 6,
};

describe('the figures of a transition', () => {
  it('is the median of the rates over that of the bare loop', () => {
    expect(rate(transition)).toBe(400);
    expect(ratio(good)).toBeCloseTo(400 / 450, 10);
  });

  it('says how far the samples are apart', () => {
    const said = vi.spyOn(console, 'log').mockImplementation(() => {});
    report('hibernate', good);
    const lines = said.mock.calls.map(([line]) => line as string);
    expect(lines).toContain('bare loop: 450/s (400 to 500)');
    expect(lines).toContainEqual(
      expect.stringMatching(/^limits lifted: 400\/s \(100 to 417\), patched in 2\.50 s \(2\.40 to 10\.00\)/),
    );
  });

  it('takes at least what the limits leave after the burst', () => {
    expect(floorMs(1000)).toBeCloseTo(5_333.33, 1);
    expect(floorMs(200)).toBe(0);
  });

  it.each([
    ['all is well', {}, true],
    ['our rate is under 0.85', { ours: [{ ...transition, ms: 2_650 }] }, false],
    ['the limits are not kept', { limited: { ...transition, ms: 4_700 } }, false],
    ['the limits are kept too slowly', { limited: { ...transition, ms: 5_900 } }, false],
    [
      'the state is written once a workload, in one of the samples',
      { ours: [transition, { ...transition, stateWrites: 1_006 }] },
      false,
    ],
  ])('judges that %s', (_, change, pass) => {
    vi.spyOn(console, 'log').mockImplementation(() => {});
    expect(report('wake', { ...good, ...change }).pass).toBe(pass);
  });
});
