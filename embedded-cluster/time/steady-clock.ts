import type { Clock } from '../ports/clock.ts';

/**
 * The cluster's own time: it starts with the given clock and then only passes. When an operator or NTP sets the clock
 * of the machine under test, the cluster's nodes do not jump along: their pods would fall back to before their start.
 */
export function steadyClock(clock: Clock): Clock {
  const start = clock.now() - clock.monotonic();
  return {
    now: () => Math.floor(start + clock.monotonic()),
    monotonic: () => clock.monotonic(),
    after: (ms, run) => clock.after(ms, run),
  };
}
