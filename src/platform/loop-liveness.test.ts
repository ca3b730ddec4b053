import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../embedded-cluster/time/virtual-clock.ts';
import { LoopPulse, loopIsAlive, type Pulse, silenceMs } from './loop-liveness.ts';

const hour = 3_600_000;
const now = 100 * hour;

const cases: Readonly<Record<string, [pulse: Pulse, alive: boolean]>> = {
  'before the first pass, however long the caches take': [{ beatAt: undefined, passEnded: false }, true],
  'in a pass that asked something a moment ago': [{ beatAt: now - 1, passEnded: false }, true],
  'in a pass that is silent as long as a good reason allows': [{ beatAt: now - silenceMs, passEnded: false }, true],
  'in a pass that is silent for longer': [{ beatAt: now - silenceMs - 1, passEnded: false }, false],
  'between two passes, within the reconcile interval': [{ beatAt: now - hour, passEnded: true }, true],
  'between two passes, past the interval and its grace': [
    { beatAt: now - hour - silenceMs - 1, passEnded: true },
    false,
  ],
};

describe('a loop with an interval of an hour', () => {
  it.each(Object.entries(cases))('%s', (_, [pulse, alive]) => {
    expect(loopIsAlive(pulse, now, hour)).toBe(alive);
  });
});

describe('the pulse', () => {
  it('is felt through the ports that a pass uses, and leaves them as they are', async () => {
    const clock = new VirtualClock(0);
    const pulse = new LoopPulse(clock);
    class Store {
      readonly #text = 'kept';
      readonly name = 'store';
      async read(suffix: string) {
        return `${this.#text}${suffix}`;
      }
      onChange() {
        return () => {};
      }
    }
    const store = pulse.through(new Store());
    store.onChange();
    expect([store.name, pulse.beatAt]).toEqual(['store', undefined]);
    await clock.advance(5);
    expect([await store.read('!'), pulse.beatAt, pulse.passEnded]).toEqual(['kept!', clock.monotonic(), false]);
    pulse.end();
    await clock.advance(hour + silenceMs);
    expect([pulse.alive(hour), pulse.alive(hour - 1)]).toEqual([true, false]);
  });
});
