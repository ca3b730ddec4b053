import { describe, expect, it } from 'vitest';
import { type Chart, type Recorded, recordName } from '../../../bench/recorded.ts';
import { lineChart, themes } from './line-chart.ts';
import { performancePage } from './performance-page.ts';

const chart: Chart = {
  title: 'Time <of a fleet>',
  x: 'workloads',
  y: 'seconds',
  lines: [
    {
      name: 'down',
      points: [
        [1_000, 2],
        [10_000, 20],
        [100_000, 200],
      ],
    },
  ],
};
const recorded = (parts: Partial<Recorded> = {}): Recorded => ({
  benchmark: 'sizes',
  command: 'npm run bench -- sizes',
  version: '1.4.2',
  commit: 'abc1234',
  date: '2026-11-17',
  cores: 2,
  hostTookPercent: 3,
  details: ['1000: down 2 s'],
  pass: true,
  figure: '1000 workloads down in 2 s',
  ...parts,
});
const page = (...parts: Partial<Recorded>[]) =>
  performancePage(
    parts.map((one) => ({ name: 'sizes', recorded: recorded(one) })),
    '1.4.9',
  );

describe('the page of figures', () => {
  it('says with each what is needed to see it again', () => {
    const text = page({});
    for (const part of ['`npm run bench -- sizes`', 'abc1234', '2026-11-17', '2 cores', '3 %', '1000: down 2 s']) {
      expect(text).toContain(part);
    }
    expect(text).toContain('Holds: 1000 workloads down in 2 s');
  });

  it('does not hide a goal that is missed', () => {
    expect(page({ pass: false })).toContain('**Misses its goal**: 1000 workloads');
  });

  it('is not made from figures of another release', () => {
    expect(() => page({}, { version: '1.3.9' })).toThrow(/npm run bench -- sizes --record {3}\(1\.3\.9\)/);
  });

  it('is not made of what nobody says the meaning of', () => {
    expect(() => page({ benchmark: 'newest' })).toThrow('what newest answers');
  });

  it('shows each picture in light and dark', () => {
    const text = page({ charts: [chart] });
    expect(text).toContain('srcset="figures/sizes-1-dark.svg"');
    expect(text).toContain('src="figures/sizes-1-light.svg"');
  });

  it('keeps every set of flags by a name of its own', () => {
    expect([recordName(['siege', '--tls']), recordName(['sizes', '--workloads', '10,20'])]).toEqual([
      'siege-tls',
      'sizes-workloads-10-20',
    ]);
  });
});

describe('a picture of lines', () => {
  it.each(themes)('is a straight line where each costs the same, in $name', (theme) => {
    const svg = lineChart(chart, theme);
    const places = [...svg.matchAll(/cx="(\d+)" cy="(\d+)"/g)].map((found) => [Number(found[1]), Number(found[2])]);
    const [[x1, y1], [x2, y2], [x3, y3]] = places as [[number, number], [number, number], [number, number]];
    expect(Math.abs(x2 - x1 - (x3 - x2))).toBeLessThanOrEqual(1);
    expect(Math.abs(y1 - y2 - (y2 - y3))).toBeLessThanOrEqual(1);
    expect(y3).toBeLessThan(y1);
  });

  it('is read out, and takes no markup from its words', () => {
    expect(lineChart(chart, themes[0]!)).toContain('<title>Time &lt;of a fleet&gt;</title>');
  });
});
