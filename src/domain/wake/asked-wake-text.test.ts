import { describe, expect, it } from 'vitest';
import { type AskedWake, askedWakeText } from './asked-wake-text.ts';

const plain: AskedWake = { dryRun: false, renewal: false, keptEnd: false, until: 17, awakeUntil: 17 };
const teller = { time: (at: number) => `${at}:00`, howToSetTheEnd: '--until sets the end' };

describe('what a wake that was asked for comes to, in words', () => {
  it.each<[string, Partial<AskedWake>, string]>([
    ['a sleeping cluster', {}, 'The cluster wakes up and stays awake until 17:00.'],
    ['a running cluster', { renewal: true }, 'The cluster already runs; it stays awake until 17:00.'],
    [
      'one that is up for longer anyway',
      { awakeUntil: 20 },
      'The cluster wakes up and stays awake until 17:00. It is up after that too, by itself, until 20:00.',
    ],
    ['one that nothing ends', { awakeUntil: undefined }, 'The cluster wakes up and stays awake until 17:00.'],
    [
      'one that was woken for longer before',
      { keptEnd: true },
      'The cluster wakes up and stays awake until 17:00. An earlier wake lasts longer, and is not shortened; --until sets the end.',
    ],
    [
      'a dry run',
      { dryRun: true },
      'Dry run: no workload is changed; the wish is kept and counts when the dry run ends. The cluster wakes up and stays awake until 17:00.',
    ],
  ])('%s', (_, wake, text) => {
    expect(askedWakeText({ ...plain, ...wake }, teller)).toBe(text);
  });
});
