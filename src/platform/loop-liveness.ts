import type { Clock } from '../ports/clock.ts';

/** Signs of life of the controller's loop, on the steady clock. */
export interface Pulse {
  /** When the pass last asked or wrote anything; undefined before the first pass. */
  readonly beatAt: number | undefined;
  /** Whether the pass of that beat has come to its end. */
  readonly passEnded: boolean;
}

/**
 * Longer than any pass is silent for a good reason: a write that is refused is tried six times with a minute between, and a
 * wake waits five minutes for a hosting cluster. A pass that scales thousands of workloads is long, but never silent.
 */
export const silenceMs = 15 * 60_000;

/**
 * Whether the loop still runs. A pass that is under way must show a sign of life every quarter of an hour, and between two
 * passes there is never more than the reconcile interval. Only what a restart would mend counts: before the first pass the
 * caches fill, and for that the apiserver is waited for, not restarted at.
 */
export function loopIsAlive({ beatAt, passEnded }: Pulse, now: number, reconcileMs: number): boolean {
  if (beatAt === undefined) return true;
  return now - beatAt <= silenceMs + (passEnded ? reconcileMs : 0);
}

/** Feels the pulse of a loop through the ports that its passes use. */
export class LoopPulse implements Pulse {
  readonly #clock: Clock;
  beatAt: number | undefined;
  passEnded = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The same port; whenever it is asked for something that takes time, the loop lives. */
  through<Port extends object>(port: Port): Port {
    return new Proxy(port, {
      get: (target, key) => {
        const value: unknown = Reflect.get(target, key, target);
        if (typeof value !== 'function') return value;
        return (...args: unknown[]): unknown => {
          const answer: unknown = Reflect.apply(value, target, args);
          if (answer instanceof Promise) this.beat();
          return answer;
        };
      },
    });
  }

  beat(): void {
    this.beatAt = this.#clock.monotonic();
    this.passEnded = false;
  }

  end(): void {
    this.passEnded = true;
  }

  alive(reconcileMs: number): boolean {
    return loopIsAlive(this, this.#clock.monotonic(), reconcileMs);
  }
}
