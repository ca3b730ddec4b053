import { createHash } from 'node:crypto';

/** What happened in one seed, line by line; two runs of a seed give the same hash. */
export class Trace {
  readonly #lines: string[] = [];
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  note(what: string): void {
    this.#lines.push(`${new Date(this.#now()).toISOString()} ${what}`);
  }

  get length(): number {
    return this.#lines.length;
  }

  last(count: number): readonly string[] {
    return this.#lines.slice(-count);
  }

  hash(): string {
    return createHash('sha256').update(this.#lines.join('\n')).digest('hex').slice(0, 16);
  }
}
