import type { Clock } from '../../ports/clock.ts';
import { allEndedBy, type EndedSession, endedByPerson, isNamed } from '../../state/access/ended-sessions.ts';

/** What ends in a week, for tens of thousands of people: some 150 bytes each. */
const mostTold = 20_000;

interface Told {
  /** Whatever was issued by then has ended; nothing for a session, all of which has. */
  readonly by: number;
  /** On the clock that nobody sets. */
  readonly forgetAt: number;
}

/** Of a token: the name of its session and of its person, as the state has them, and when it was issued. */
export interface Named {
  readonly session: () => string;
  readonly person: () => string;
  readonly issuedAt: number;
}

/**
 * Which sessions have ended, as far as this process knows. The state folds what it has no room for into a time by which everything
 * has ended, which reaches people who never signed out: only a process that has not known them one by one has to go by it.
 */
export class EndedMemory {
  readonly #clock: Clock;
  readonly #sessions = new Map<string, Told>();
  readonly #people = new Map<string, Told>();
  /** The time of all that stood in the state when it was first read; undefined while it was not. */
  #allAtFirst: number | undefined;
  #allNow = 0;
  #hasForgotten = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get isRead(): boolean {
    return this.#allAtFirst !== undefined;
  }

  /** What the state says. It no longer names all that it did, and none of those may live again. */
  restore(ended: readonly EndedSession[]): void {
    for (const told of [this.#sessions, this.#people]) forgetExpired(told, this.#clock.monotonic());
    for (const { session, until } of ended.filter(isNamed)) this.#keep(this.#sessions, session, { by: 0, until });
    const times = endedByPerson(ended);
    for (const { of = '', until } of ended) {
      const by = times.get(of);
      if (by !== undefined) this.#keep(this.#people, of, { by, until });
    }
    this.#allNow = allEndedBy(ended);
    this.#allAtFirst ??= this.#allNow;
    this.#bound();
  }

  /** One that ends here and now; whether it is stored yet makes no difference. */
  add(session: string, until: number): void {
    this.#keep(this.#sessions, session, { by: 0, until });
    this.#bound();
  }

  has({ session, person, issuedAt }: Named): boolean {
    const all = this.#hasForgotten ? Math.max(this.#allAtFirst ?? 0, this.#allNow) : (this.#allAtFirst ?? 0);
    if (issuedAt <= all || (this.#sessions.size > 0 && this.#sessions.has(session()))) return true;
    return this.#people.size > 0 && issuedAt <= (this.#people.get(person())?.by ?? 0);
  }

  #keep(told: Map<string, Told>, key: string, { by, until }: { readonly by: number; readonly until: number }): void {
    const before = told.get(key) ?? { by: 0, forgetAt: 0 };
    const forgetAt = this.#clock.monotonic() + until - this.#clock.now();
    told.delete(key);
    told.set(key, { by: Math.max(before.by, by), forgetAt: Math.max(before.forgetAt, forgetAt) });
  }

  /** What the state names came last and stays; who is forgotten has been folded there, and from now on that counts. */
  #bound(): void {
    for (const told of [this.#sessions, this.#people]) {
      for (const key of told.keys()) {
        if (told.size <= mostTold) break;
        told.delete(key);
        this.#hasForgotten = true;
      }
    }
  }
}

function forgetExpired(told: Map<string, Told>, now: number): void {
  for (const [key, { forgetAt }] of told) if (forgetAt <= now) told.delete(key);
}
