import { systemClock } from '../../../src/platform/system-clock.ts';
import { sleep } from '../../../src/ports/clock.ts';

/** For what is stuck: a busy machine may take several times as long as a quiet one for what it does in seconds. */
const timeoutMs = 60_000;
/** Of a whole hibernation or wake, tiers that run out of their time among it. */
export const transitionTimeoutMs = 170_000;

/** Looks until there is something; otherwise fails with what was waited for. */
export async function until<T>(
  what: string | (() => string),
  look: () => T | undefined | false | Promise<T | undefined | false>,
  ms = timeoutMs,
): Promise<T> {
  const deadline = systemClock.monotonic() + ms;
  for (;;) {
    const seen = await look();
    if (seen !== undefined && seen !== false) return seen;
    if (systemClock.monotonic() > deadline) {
      throw new Error(`It was not seen within ${ms / 1000} s: ${typeof what === 'string' ? what : what()}`);
    }
    await sleep(systemClock, 25);
  }
}
