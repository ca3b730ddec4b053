import { lookup } from 'node:dns/promises';
import { performance } from 'node:perf_hooks';

export type Resolve = (host: string) => Promise<readonly string[]>;

export interface NameLookupOptions {
  /** Every address of a name; the system's resolver unless said otherwise. */
  readonly resolve?: Resolve;
  /** Milliseconds that never go backwards. */
  readonly monotonic?: () => number;
}

/** Less than the shortest wait before another try, so that a try that failed looks anew. */
const countsForMs = 900;

/**
 * Every address of a name, asked once for all who want it at the same time. The system's resolver works on four threads
 * that this process also reads its files with: a card for fifty destinations would ask fifty times, and one question that
 * a name server leaves unanswered holds a thread for five seconds and more.
 */
export class NameLookups {
  readonly #resolve: Resolve;
  readonly #monotonic: () => number;
  readonly #asked = new Map<string, { readonly answer: Promise<readonly string[]>; until: number }>();

  constructor({ resolve = systemResolve, monotonic = () => performance.now() }: NameLookupOptions = {}) {
    this.#resolve = resolve;
    this.#monotonic = monotonic;
  }

  addresses(host: string): Promise<readonly string[]> {
    this.#forget();
    const known = this.#asked.get(host);
    if (known !== undefined) return known.answer;
    const asked = { answer: this.#resolve(host), until: Number.POSITIVE_INFINITY };
    this.#asked.set(host, asked);
    const answered = () => {
      asked.until = this.#monotonic() + countsForMs;
    };
    asked.answer.then(answered, answered);
    return asked.answer;
  }

  #forget(): void {
    const now = this.#monotonic();
    for (const [host, { until }] of this.#asked) if (until <= now) this.#asked.delete(host);
  }
}

async function systemResolve(host: string): Promise<readonly string[]> {
  return (await lookup(host, { all: true, verbatim: true })).map(({ address }) => address);
}
