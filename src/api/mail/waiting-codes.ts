/**
 * How soon a code goes out that a browser asks for which is not known, by its address: one that has signed in or is an admin's, one of the
 * company, any other; before each of the last two, one that is asked for again, as people do who wait and floods of invented names do not. It
 * shows in no answer, so that nobody learns of an address by asking.
 */
const codeRanks = ['proved', 'company-again', 'company', 'outside-again', 'outside'] as const;
export type CodeRank = (typeof codeRanks)[number];

export interface AskedCode {
  readonly to: string;
  /** Who asked; behind an ingress that may be everybody. */
  readonly client: string;
  readonly rank: CodeRank;
}

type OfClient<T> = Map<string, T>;

/**
 * Codes that wait for the mail server. Each address has one at most: a newer one takes its place. Within a rank the clients take turns. When there
 * are too many, the client with the most of the lowest rank loses its oldest.
 */
export class WaitingCodes<T extends AskedCode> {
  readonly #most: number;
  readonly #ranks: Readonly<Record<CodeRank, Map<string, OfClient<T>>>>;
  readonly #byAddress = new Map<string, T>();

  constructor(most: number) {
    this.#most = most;
    const none = () => new Map<string, OfClient<T>>();
    this.#ranks = {
      proved: none(),
      'company-again': none(),
      company: none(),
      'outside-again': none(),
      outside: none(),
    };
  }

  get size(): number {
    return this.#byAddress.size;
  }

  /** The answer is who has to go for it: the one before it of its address, or the one that is least missed. */
  put(asked: T): T | undefined {
    const before = this.#byAddress.get(asked.to);
    if (before === undefined) {
      this.#add(asked);
      return this.size > this.#most ? this.#pushOut() : undefined;
    }
    const one = { ...asked, ...this.#betterOf(before, asked) };
    // Where neither is another, it stands where the one before stood.
    if (one.rank !== before.rank || one.client !== before.client) this.#remove(before);
    this.#add(one);
    return before;
  }

  /** Neither asking again nor another's asking sets an address back. */
  #betterOf(before: AskedCode, asked: AskedCode): Pick<AskedCode, 'rank' | 'client'> {
    const rank = codeRanks.indexOf(asked.rank) < codeRanks.indexOf(before.rank) ? asked.rank : before.rank;
    const fewer = this.#waitingOf(rank, asked.client) < this.#waitingOf(rank, before.client);
    return { rank, client: fewer ? asked.client : before.client };
  }

  /** Takes the one whose turn it is. */
  next(): T | undefined {
    for (const rank of codeRanks) {
      const clients = this.#ranks[rank];
      const [turn] = clients;
      if (turn === undefined) continue;
      const [client, own] = turn;
      const [one] = own.values();
      this.#remove(one!);
      // To the end of those who take turns.
      if (clients.delete(client) && own.size > 0) clients.set(client, own);
      return one;
    }
    return undefined;
  }

  #pushOut(): T | undefined {
    for (const rank of codeRanks.toReversed()) {
      const crowded = [...this.#ranks[rank].values()].reduce<OfClient<T> | undefined>(
        (most, own) => (own.size > (most?.size ?? 0) ? own : most),
        undefined,
      );
      if (crowded === undefined) continue;
      const [oldest] = crowded.values();
      this.#remove(oldest!);
      return oldest;
    }
    return undefined;
  }

  #waitingOf(rank: CodeRank, client: string): number {
    return this.#ranks[rank].get(client)?.size ?? 0;
  }

  #add(one: T): void {
    const clients = this.#ranks[one.rank];
    const own = clients.get(one.client) ?? new Map<string, T>();
    clients.set(one.client, own.set(one.to, one));
    this.#byAddress.set(one.to, one);
  }

  #remove({ rank, client, to }: T): void {
    const own = this.#ranks[rank].get(client);
    own?.delete(to);
    if (own?.size === 0) this.#ranks[rank].delete(client);
    this.#byAddress.delete(to);
  }
}
