import { systemClock } from '../src/platform/system-clock.ts';
import type { Clock } from '../src/ports/clock.ts';

/** Time that runs `speed` times as fast as the machine's, from now on: a demo's night lasts as long as its viewer wants. */
export function scaledClock(speed: number): Clock {
  if (speed === 1) return systemClock;
  const startedAt = systemClock.now();
  const zero = systemClock.monotonic();
  const elapsed = () => (systemClock.monotonic() - zero) * speed;
  return {
    now: () => Math.floor(startedAt + elapsed()),
    monotonic: elapsed,
    after: (ms, run) => systemClock.after(ms / speed, run),
  };
}
