import { expect, it } from 'vitest';
import type { Clock } from '../ports/clock.ts';
import { Pace } from './pace.ts';

/** Time stands still until it is told to go on. */
function stoppedClock() {
  const timers: { at: number; run: () => void }[] = [];
  let now = 0;
  const clock: Clock = {
    now: () => now,
    monotonic: () => now,
    after(ms, run) {
      const timer = { at: now + ms, run };
      timers.push(timer);
      return () => void timers.splice(timers.indexOf(timer), 1);
    },
  };
  const goOn = (ms: number) => {
    now += ms;
    for (const timer of timers.filter(({ at }) => at <= now)) {
      timers.splice(timers.indexOf(timer), 1);
      timer.run();
    }
  };
  return { clock, goOn };
}

it('lets who comes alone begin at once, and a crowd one after the other in the order in which it came', () => {
  const { clock, goOn } = stoppedClock();
  const pace = new Pace(clock, 4);
  const begun: string[] = [];
  for (const name of ['a', 'b', 'c']) pace.begin(() => void begun.push(name));
  expect(begun).toEqual(['a']);
  goOn(4);
  expect(begun).toEqual(['a', 'b']);
  goOn(4);
  goOn(4);
  expect(begun).toEqual(['a', 'b', 'c']);
  pace.begin(() => void begun.push('d'));
  expect(begun).toEqual(['a', 'b', 'c', 'd']);
});

it('spends no turn on who has gone away while waiting', () => {
  const { clock, goOn } = stoppedClock();
  const pace = new Pace(clock, 4);
  const begun: string[] = [];
  pace.begin(() => void begun.push('a'));
  const leave = pace.begin(() => void begun.push('gone'));
  pace.begin(() => void begun.push('b'));
  leave();
  goOn(4);
  expect(begun).toEqual(['a', 'b']);
});
