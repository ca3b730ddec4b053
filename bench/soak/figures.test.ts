import { describe, expect, it } from 'vitest';
import { type Day, dayLine, linesOf, memoryChart, type Sample, type Soaked, slopeOf, verdict } from './figures.ts';

const minute = 60_000;
/** A sample each minute, growing so many MiB an hour. */
const growing = (perHour: number, minutes = 120): readonly Sample[] =>
  Array.from({ length: minutes + 1 }, (_, index) => ({
    atMs: index * minute,
    // A sawtooth, as garbage collection leaves it.
    residentMiB: 80 + (index % 5) + (perHour * index) / 60,
  }));
const quiet: Day = {
  notAsleep: [],
  wrong: [],
  asleepMs: 4_100,
  awakeMs: 8_000,
  sockets: { controller: 14, api: 9 },
  quietWrites: { controller: 0, api: 0 },
};
const good: Soaked = {
  days: [quiet, quiet],
  memory: { controller: growing(0.5), api: growing(-1) },
  quietSeconds: 60,
  allWrites: { controller: 400, api: 8 },
  restarts: 2,
};

describe('the slope', () => {
  it.each([[0], [3], [-2]])('is found under the noise: %d MiB an hour', (perHour) => {
    expect(slopeOf(growing(perHour))).toBeCloseTo(perHour, 0);
  });

  it('is none of a moment, or of nothing', () => {
    expect(slopeOf([{ atMs: 5, residentMiB: 80 }])).toBe(0);
    expect(slopeOf([])).toBe(0);
  });
});

describe('the lines', () => {
  const failing = (change: Partial<Soaked>) =>
    linesOf({ ...good, ...change })
      .filter(({ pass }) => !pass)
      .map(({ text }) => text);
  const lastDay = (change: Partial<Day>) => ({ days: [quiet, { ...quiet, ...change }] });

  it('hold when nothing was missed, nothing grew and nothing was written', () => {
    expect(failing({})).toEqual([]);
    expect(verdict(linesOf(good), 2)).toEqual({ pass: true, figure: '9 of 9 lines hold after 2 days' });
  });

  it.each<[string, Partial<Soaked>, string]>([
    [
      'a workload slept not',
      lastDay({ notAsleep: ['a/x'] }),
      'missed at night: 1 still up when the cluster was said to sleep (goal 0): a/x',
    ],
    [
      'counts are wrong',
      lastDay({ wrong: ['a', 'b', 'c', 'd', 'e', 'f'] }),
      'missed in the morning: 6 with another count than their owners want (goal 0): a, b, c, d, e, …',
    ],
    [
      'sockets grow',
      lastDay({ sockets: { controller: 17, api: 9 } }),
      'controller: 14 open sockets on the first day, 17 on the last (goal: 2 more at most)',
    ],
    [
      'something is written while nothing happens',
      lastDay({ quietWrites: { controller: 0, api: 3 } }),
      'api: 3 writes in 4 quiet windows of 60 s (goal 0; it renews no lease, so none is left out), 8 since the apiserver started last (goal: some, or nobody counts)',
    ],
    [
      'writes are not counted at all',
      { allWrites: { controller: 400 } },
      'api: 0 writes in 4 quiet windows of 60 s (goal 0; it renews no lease, so none is left out), 0 since the apiserver started last (goal: some, or nobody counts)',
    ],
    [
      'memory grows',
      { memory: { controller: growing(3), api: growing(0) } },
      'controller: memory +3.0 MiB an hour over 120 min after the first day, 90 MiB at most (goal under 2 MiB an hour)',
    ],
    [
      'the apiserver was never restarted',
      { restarts: 0 },
      'the apiserver was killed and started again 0 times (goal: once at least)',
    ],
  ])('fail when %s', (_, change, text) => {
    expect(failing(change)).toEqual([text]);
  });

  it('say nothing of a slope over less than an hour', () => {
    expect(failing({ memory: { controller: growing(50, 10), api: [] } })).toEqual([]);
  });
});

describe('a day', () => {
  it('is one line', () => {
    expect(dayLine(3, quiet)).toBe(
      'day 3: asleep in 4.1 s, awake in 8.0 s, 0 missed at night, 0 wrong in the morning; controller 14, api 9 sockets; controller 0, api 0 writes while quiet',
    );
  });
});

describe('the picture of the memory', () => {
  it('begins with the first process, and shows a long run by few points', () => {
    const late = growing(0, 600).map((one) => ({ ...one, atMs: one.atMs + minute }));
    const { lines } = memoryChart({ api: growing(0, 600), controller: late });
    expect(lines.map(({ name, points }) => [name, points[0]?.[0], points.length])).toEqual([
      ['api', 0, 201],
      ['controller', 1, 201],
    ]);
  });
});
