import { describe, expect, it } from 'vitest';
import { ofEach } from '../real/calls.ts';
import { type Measured, type Run, rowOf, tableJson, tableText, verdict } from './figures.ts';

const none = ofEach(() => 0);
const passed = (changesMs: number, missing = 0) => ({ changesMs, askedMs: changesMs + 500, missing });
const way = (changesMs: number, missing = 0) => ({
  ...passed(changesMs, missing),
  processor: { own: changesMs / 10_000, apiserver: changesMs / 1000 },
});
const run = (down: number, up: number, more: Partial<Run> = {}): Run => ({
  down: way(down),
  up: way(up),
  calls: { ...none, patch: 2000, list: 10 },
  peak: { residentMiB: 100, anonymousMiB: 60 },
  lost: 0,
  ...more,
});
const measured = (name: string, runs: readonly Run[], killed?: Measured['killed']): Measured => ({
  name,
  runs,
  killed,
});

const ours = measured('ours', [run(8000, 6000), run(9000, 7000), run(7000, 6500)], { atPercent: 51.2, lost: 0 });
const loop = measured('plain loop', [run(6000, 6000)]);

describe('a row', () => {
  it('has the median of times and calls, and the most of memory and losses', () => {
    const row = rowOf(
      measured('x', [
        run(1000, 2000, { calls: { ...none, get: 1 }, peak: { residentMiB: 90, anonymousMiB: 70 }, lost: 2 }),
        run(3000, 2000, { calls: { ...none, get: 5 }, down: way(3000, 4) }),
      ]),
      500,
    );
    expect(row).toEqual({
      name: 'x',
      down: { least: 1, median: 2, most: 3 },
      up: { least: 2, median: 2, most: 2 },
      downAsked: { least: 1.5, median: 2.5, most: 3.5 },
      upAsked: { least: 2.5, median: 2.5, most: 2.5 },
      downProcessor: { own: 0.4, apiserver: 4 },
      upProcessor: { own: 0.4, apiserver: 4 },
      calls: { ...none, get: 3 },
      peak: { residentMiB: 100, anonymousMiB: 70 },
      lost: 2,
      missing: 4,
      killed: null,
    });
  });
});

describe('the table', () => {
  it('has a line for each tool', () => {
    expect(
      tableText(
        [ours, loop].map((one) => rowOf(one, 1000)),
        1000,
      ).split('\n'),
    ).toEqual([
      '            down                up                  down, asked         up, asked           processor for 1,000 down  and up                    peak resident  anonymous  lost after a SIGKILL  lost  API calls of a run',
      'ours        8.0 s (7.0 to 9.0)  6.5 s (6.0 to 7.0)  8.5 s (7.5 to 9.5)  7.0 s (6.5 to 7.5)  0.80 s, apiserver 8.00 s  0.65 s, apiserver 6.50 s  100 MiB        60 MiB     0 of 1000 (at 51 %)   0     10 list, 2000 patch',
      'plain loop  6.0 s               6.0 s               6.5 s               6.5 s               0.60 s, apiserver 6.00 s  0.60 s, apiserver 6.00 s  100 MiB        60 MiB     -                     0     10 list, 2000 patch',
    ]);
  });

  it('is JSON in one line, for whoever reads it with a program', () => {
    const [row] = JSON.parse(tableJson([rowOf(measured('x', [run(1234.5678, 1)]), 10)], 10)).rows;
    expect(row.down.median).toBe(1.235);
    expect(row.calls.patch).toBe(2000);
    expect(tableJson([], 10)).toBe('{"workloads":10,"rows":[]}');
  });

  it('says of whom not all came', () => {
    expect(tableText([rowOf(measured('x', [run(1, 1, { up: way(1, 3), lost: 3 })]), 10)], 10)).toContain(
      '3, and 3 never came',
    );
  });
});

describe('the verdict', () => {
  const judged = (one: Measured, ...others: readonly Measured[]) =>
    verdict(
      [one, loop, ...others].map((each) => rowOf(each, 1000)),
      { ours: 'ours', loop: 'plain loop', containerMiB: 128 },
    );

  it('says how fast ours is beside the plain loop, and beside another tool how fast and how large', () => {
    const quick = measured('ours', [run(7_000, 6_500)]);
    const other = measured('other', [run(14_000, 5_200, { peak: { residentMiB: 400, anonymousMiB: 1 } })]);
    expect(judged(quick)).toEqual({
      pass: true,
      figure:
        'ours at 0.86 (down) and 0.92 (up) of the rate of the plain loop (goal 0.85); 0 counts lost (goal 0); 100 MiB resident at its peak (goal under 128)',
    });
    expect(judged(quick, other)).toEqual({
      pass: true,
      figure:
        'ours at 0.86 (down) and 0.92 (up) of the rate of the plain loop (goal 0.85); 2.00 (down) and 0.80 (up) times as fast as other, with 0.25 of its memory; 0 counts lost (goal 0); 100 MiB resident at its peak (goal under 128)',
    });
  });

  it.each([
    ['it is slow to go down', measured('ours', [run(7_100, 6_000)]), false],
    ['it is slow to wake', measured('ours', [run(6_000, 7_100)]), false],
    ['it loses a count', measured('ours', [run(1, 1, { lost: 1 })]), false],
    ['it loses a count to a SIGKILL', { ...measured('ours', [run(1, 1)]), killed: { atPercent: 50, lost: 1 } }, false],
    ['one never came', measured('ours', [run(1, 1, { down: way(1, 1) })]), false],
    ['it is too large', measured('ours', [run(1, 1, { peak: { residentMiB: 128, anonymousMiB: 1 } })]), false],
  ])('judges that %s', (_, one, pass) => {
    expect(judged(one).pass).toBe(pass);
  });
});
