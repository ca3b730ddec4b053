import type { Clock } from '../../../src/ports/clock.ts';
import type { WriteOutcome } from '../../../src/ports/cluster.ts';
import type { Databases } from '../../../src/ports/databases.ts';

const minute = 60_000;
const day = 24 * 60 * minute;
/** What it was told shows so much later. */
const lagMs = 10_000;

export interface SimDatabase {
  readonly name: string;
  condition: 'available' | 'starting' | 'stopping' | 'stopped';
  /** What its owner wants of it; undefined where nobody can tell any more. */
  wanted: 'up' | 'down' | undefined;
  /** Its owner started or stopped it since the cluster was last seen up and at rest. */
  touched: boolean;
}

/** A cloud with managed databases: slow, restarting what has been stopped for a week, out of order at times. */
export class SimCloud implements Databases {
  readonly databases: ReadonlyMap<string, SimDatabase>;
  /** Until then (of the steady clock) it answers nothing, or carries out without an answer. */
  troubledUntil = Number.NEGATIVE_INFINITY;
  onStop: (database: SimDatabase) => void = () => {};
  onStart: (database: SimDatabase) => void = () => {};
  readonly #clock: Clock;
  /** What was set in motion; a later step overtakes it. */
  readonly #steps = new Map<string, number>();
  #step = 0;
  /** Of the steady clock, by name: it was told to stop, and does not show that before. */
  readonly #shownUpUntil = new Map<string, number>();

  constructor(clock: Clock, names: readonly string[]) {
    this.#clock = clock;
    this.databases = new Map(
      names.map((name) => [name, { name, condition: 'available', wanted: 'up', touched: false }]),
    );
  }

  read(name: string): ReturnType<Databases['read']> {
    const condition = this.#shown(name);
    if (this.#troubled()) return Promise.resolve({ condition: 'unknown', message: 'the cloud does not answer' });
    return Promise.resolve(condition === undefined ? { condition: 'failed', gone: true } : { condition });
  }

  async stop(name: string): Promise<WriteOutcome> {
    const database = this.databases.get(name);
    if (database === undefined) return { outcome: 'gone' };
    this.onStop(database);
    if (database.condition !== 'available') return refusal(`it is ${database.condition}`);
    this.setStopped(database);
    this.#shownUpUntil.set(name, this.#clock.monotonic() + lagMs);
    return this.#answer();
  }

  async start(name: string): Promise<WriteOutcome> {
    const database = this.databases.get(name);
    if (database === undefined) return { outcome: 'gone' };
    this.onStart(database);
    if (database.condition !== 'stopped') return refusal(`it is ${database.condition}`);
    this.setStarted(database);
    return this.#answer();
  }

  setStopped(database: SimDatabase): void {
    this.#move(database, 'stopping', 2 * minute, () => {
      this.#move(database, 'stopped', 7 * day, () => {
        // Whoever stopped it: after a week the cloud starts it, and it is up until somebody stops it again.
        if (database.wanted === 'down') Object.assign(database, { wanted: 'up', touched: true });
        this.setStarted(database);
      });
    });
  }

  setStarted(database: SimDatabase): void {
    this.#move(database, 'starting', 3 * minute, () => {
      database.condition = 'available';
    });
  }

  #shown(name: string): SimDatabase['condition'] | undefined {
    const isHidden = this.#clock.monotonic() < (this.#shownUpUntil.get(name) ?? Number.NEGATIVE_INFINITY);
    return isHidden ? 'available' : this.databases.get(name)?.condition;
  }

  #move(database: SimDatabase, condition: SimDatabase['condition'], ms: number, then: () => void): void {
    const step = ++this.#step;
    this.#steps.set(database.name, step);
    database.condition = condition;
    this.#clock.after(ms, () => {
      if (this.#steps.get(database.name) === step) then();
    });
  }

  #troubled(): boolean {
    return this.#clock.monotonic() < this.troubledUntil;
  }

  #answer(): WriteOutcome {
    return this.#troubled() ? { outcome: 'unknown', message: 'the cloud does not answer' } : { outcome: 'done' };
  }
}

function refusal(why: string): WriteOutcome {
  return { outcome: 'refused', status: 400, message: `InvalidDBInstanceState: ${why}` };
}
