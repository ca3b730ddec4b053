import type { SatelliteStep } from '../../domain/redirect/refused-step.ts';

interface Refused {
  readonly act: SatelliteStep;
  readonly since: number;
  readonly retryAt: number;
}

/** `helm upgrade` writes the names before the rights to them: what is refused in between is tried again before anybody is told. */
const upgradeMs = 5_000;
/** A right is granted by a person, and nothing says so when it is. */
const retryMs = 5 * 60_000;

/** What the cluster refuses until somebody grants the right to it, by the key of the Service. Times are monotonic. */
export class RefusedSteps {
  readonly #known = new Map<string, Refused>();

  /** True when it has been refused for so long that it is worth a word. */
  add(key: string, act: SatelliteStep, at: number): boolean {
    const known = this.#known.get(key);
    const since = known?.act === act ? known.since : at;
    const lasts = at - since >= upgradeMs;
    this.#known.set(key, { act, since, retryAt: at + (lasts ? retryMs : upgradeMs) });
    return lasts;
  }

  /** Whether it was refused and is not due for another try. */
  rests(key: string, act: string, at: number): boolean {
    const known = this.#known.get(key);
    return known?.act === act && at < known.retryAt;
  }

  done(key: string): void {
    this.#known.delete(key);
  }

  /** When the next one is due. */
  get retryAt(): number | undefined {
    const times = [...this.#known.values()].map(({ retryAt }) => retryAt);
    return times.length === 0 ? undefined : Math.min(...times);
  }

  clear(): void {
    this.#known.clear();
  }
}
