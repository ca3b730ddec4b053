import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { mostWithinAnHour, type Night, report, usualMs } from './figures.ts';

const minute = 60_000;
const everyMinute = (count: number) => Array.from({ length: count }, (_, index) => index * minute);

const good: Night = {
  name: 'a night',
  refused: 20,
  tiers: [
    { name: 'web', workloads: 500, down: 500, lastMs: 2_500, dueMs: 0 },
    { name: 'data', workloads: 500, down: 500, lastMs: 120_500, dueMs: 120_000 },
  ],
  morning: { workloads: 1_980, up: 1_980, lastMs: 13_000 },
  writesAt: new Map([
    ['a', everyMinute(600)],
    ['b', [0, 1_000]],
  ]),
  stateWritesAt: everyMinute(10),
  cards: ['Hibernation Complete - 20 workloads failed', 'Wake Complete'],
  cardsDue: ['Hibernation Complete - 20 workloads failed', 'Wake Complete'],
};

describe('the figures of a night with trouble', () => {
  beforeEach(() => {
    vi.spyOn(console, 'log').mockImplementation(() => {});
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it('counts the fullest hour, whenever it begins', () => {
    expect(mostWithinAnHour([])).toBe(0);
    expect(mostWithinAnHour(everyMinute(600))).toBe(60);
    const around = [59, 58, 60, 61, 119, 200].map((at) => at * minute);
    expect(mostWithinAnHour(around)).toBe(4);
    expect(mostWithinAnHour([0, 60 * minute])).toBe(1);
  });

  it('allows half as much again as the limits of the client need', () => {
    expect(usualMs(1_980)).toBeCloseTo(17_800, 5);
    expect(usualMs(100)).toBe(0);
  });

  it.each<readonly [string, Partial<Night>, boolean]>([
    ['all is well', {}, true],
    ['one of them is hammered', { writesAt: new Map([['a', everyMinute(600).map((at) => at / 3)]]) }, false],
    ['nothing was tried at all', { writesAt: new Map() }, false],
    ['the state is written without end', { stateWritesAt: everyMinute(600).map((at) => at / 3) }, false],
    ['a tier is late', { tiers: [{ ...good.tiers[1]!, lastMs: 130_000 }] }, false],
    ['a tier is not whole', { tiers: [{ ...good.tiers[1]!, down: 499 }] }, false],
    ['one of the others stays down', { morning: { ...good.morning, up: 1_979 } }, false],
    ['the morning takes longer than usual', { morning: { ...good.morning, lastMs: 18_000 } }, false],
    ['the same is told twice', { cards: [...good.cards, good.cards[0]!] }, false],
    ['nobody is told', { cards: [] }, false],
  ])('judges that %s', (_, change, pass) => {
    expect(report([{ ...good, ...change }]).pass).toBe(pass);
  });

  it('is no better than its worst night', () => {
    expect(report([good, { ...good, cards: [] }]).pass).toBe(false);
  });
});
