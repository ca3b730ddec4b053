import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { countResults } from '../../run/outcome.ts';
import { Coverage, phaseOf } from '../coverage.ts';
import type { SeedLine } from '../seed-line.ts';
import { askedBy } from './asked.ts';
import { playOn } from './player.ts';
import { Tally } from './tally.ts';

const names = ['plain', 'neighbours'];

function lineOf(seed: number, fault: string, violation?: string): SeedLine {
  const coverage = new Coverage();
  coverage.met(fault, 'asleep');
  return {
    seed,
    world: 'plain',
    hash: '',
    coverage: coverage.counts,
    ...(violation === undefined ? {} : { violation, trace: ['the end'] }),
  };
}

describe('what is asked of a long run', () => {
  it('is a time, and maybe a first seed and a world', () => {
    expect(askedBy({ SIMULATION_HOURS: '0.05' }, names)).toEqual({ hours: 0.05, worlds: names });
    expect(askedBy({ SIMULATION_HOURS: '1', SIMULATION_FROM: '7', SIMULATION_WORLD: 'neighbours' }, names)).toEqual({
      hours: 1,
      from: 7,
      worlds: ['neighbours'],
    });
  });

  it.each([
    [{ SIMULATION_HOURS: 'long' }, '--hours long: it must be a number above 0'],
    [{ SIMULATION_HOURS: '0' }, '--hours 0: it must be a number above 0'],
    [{ SIMULATION_HOURS: '1', SIMULATION_SEEDS: '4' }, '--hours and --seeds'],
    [{ SIMULATION_HOURS: '1', SIMULATION_FROM: 'x' }, '--from x: it must be a whole number'],
    [{ SIMULATION_HOURS: '1', SIMULATION_WORLD: 'plane' }, '--world plane: there is no such world'],
  ])('cannot be %j', (env, message) => {
    expect(() => askedBy(env, names)).toThrow(message);
  });
});

describe('what a long run has seen', () => {
  it('is told by the minute', () => {
    const tally = new Tally();
    for (const seed of [1, 2, 3]) tally.heard(lineOf(seed, 'crash'));
    expect(tally.progress(120_000)).toBe('2.0 min: 3 seeds, 0.03 a second, 0 violations');
  });

  it('is how often which fault met which phase', () => {
    const tally = new Tally();
    for (const seed of [1, 2, 3]) tally.heard(lineOf(seed, 'crash'));
    expect(tally.ending(60_000, ['crash'])).toMatch(/asleep.*\ncrash +0 +0 +3 +0 +0 +0\nEvery fault was met\.$/);
    expect(tally.ending(60_000, ['crash'])).toContain('by world: plain 3');
    expect(countResults(tally.report(['crash']), 0)).toMatchObject({ passed: 4, failed: 0 });
    expect(countResults(tally.report([]), 0)).toMatchObject({ passed: 3, failed: 0 });
  });

  it('fails where a fault was never met, and says in how many seeds', () => {
    const tally = new Tally();
    tally.heard(lineOf(1, 'crash'));
    const text = '1 fault was never met in 1 seeds: late.';
    expect(tally.ending(60_000, ['crash', 'late'])).toContain(text);
    const { passed, failed, failures } = countResults(tally.report(['crash', 'late']), 1);
    expect([passed, failed, failures]).toEqual([1, 1, [`test/simulation: meets every fault: ${text}`]]);
  });

  it('fails where a promise was broken, with the command that shows it', () => {
    const tally = new Tally();
    tally.heard(lineOf(1, 'crash'));
    expect(tally.heard(lineOf(2, 'crash', 'Lost a count.'))).toContain(
      'Lost a count.\nReplay it: npm run test:simulation -- --seeds 1 --from 2 --world plain',
    );
    expect(tally.progress(60_000)).toContain('2 seeds, 0.03 a second, 1 violation');
    const { passed, failed, failures } = countResults(tally.report(['crash']), 1);
    expect([passed, failed]).toEqual([2, 1]);
    expect(failures?.join()).toContain('seed 2 in world plain: Seed 2 in world plain broke a promise.');
  });

  it('ends early where nearly nothing works', () => {
    const tally = new Tally();
    for (let seed = 1; seed < 20; seed++) tally.lost({ seed, world: 'plain' }, 'no');
    expect(tally.isHopeless).toBe(false);
    tally.heard(lineOf(20, 'crash', 'no'));
    expect(tally.isHopeless).toBe(true);
  });
});

describe('the phase that a fault meets', () => {
  it.each([
    ['handing back', { resource_states: '[{"kind":"Deployment"}]' }, true],
    ['stopped', { resource_states: '[]' }, true],
    ['stopped', {}, true],
    ['asleep', { phase: '{"state":"hibernated"}', resource_states: '[{"kind":"Deployment"}]' }, false],
    ['awake', {}, false],
  ])('is %s', (phase, state, stopped) => {
    expect(phaseOf(state as Record<string, string>, stopped)).toBe(phase);
  });
});

describe('the players of a long run', () => {
  async function play(worlds: readonly string[], patienceMs: number): Promise<readonly string[]> {
    const told: string[] = [];
    let next = 0;
    await playOn(
      2,
      {
        next: () => (next < worlds.length ? { seed: next, world: worlds[next++]! } : undefined),
        heard: ({ seed, world }) => told.push(`${seed} ${world}`),
        lost: ({ seed }, why) => told.push(`${seed} ${why.trim()}`),
      },
      { program: fileURLToPath(new URL('./stub-worker.ts', import.meta.url)), patienceMs },
    );
    return told.toSorted();
  }

  it('play each seed once, and one that dies costs no other', async () => {
    expect(await play(['answers', 'dies', 'answers', 'answers'], 300_000)).toEqual([
      '0 answers',
      '1 Its process ended with 3:\nwhy',
      '2 answers',
      '3 answers',
    ]);
  });

  it('give up a seed that has no end, and go on', async () => {
    const text = 'It was given up after 0.01 minutes.';
    expect(await play(['hangs', 'hangs', 'hangs'], 600)).toEqual([`0 ${text}`, `1 ${text}`, `2 ${text}`]);
  });
});
