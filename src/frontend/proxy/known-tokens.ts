import {
  acceptedToken,
  type Rank,
  ranks,
  type SaidOfToken,
  type TokenHolder,
  tokenName,
} from '../../platform/token-name.ts';

/** Some 80 bytes each, and as much for a person. More than there are people whom one API serves, with a few tokens each. */
export const mostKnownTokens = 4_000;
/** A few browsers, each with the token that it is about to replace. */
export const mostKnownTokensOfPerson = 16;

interface KnownPerson {
  readonly person: string;
  rank: Rank;
  /** The one that was used longest ago first. */
  readonly tokens: string[];
}

/**
 * Tokens that the API has issued or accepted, and whose they are. Whatever else is shown is a claim. Who has too many loses his own
 * oldest; where there are too many in all, who has the most does, and never an admin for somebody else.
 */
export class KnownTokens {
  readonly #owners = new Map<string, KnownPerson>();
  /** Who was here longest ago first. */
  readonly #people = new Map<string, KnownPerson>();

  /** The name of the token that is shown, whether it is known or not. */
  nameOf(authorization: string | undefined): string | undefined {
    return authorization === undefined ? undefined : tokenName(authorization.replace(/^bearer /i, ''));
  }

  holderOf(name: string | undefined): TokenHolder | undefined {
    return name === undefined ? undefined : this.#owners.get(name);
  }

  /** What the API answered to whoever showed this one: `said` is its word on a token, if any. */
  learn(shown: string | undefined, status: number, said: SaidOfToken | undefined): void {
    const good = said?.token === acceptedToken ? shown : said?.token;
    if (said !== undefined && good !== undefined) this.#keep(good, said);
    else if (shown !== undefined && status === 401) this.#forget(shown);
  }

  #keep(name: string, { person, rank }: TokenHolder): void {
    const known = this.#people.get(person) ?? { person, rank, tokens: [] };
    this.#forget(name);
    // Of all his tokens: who is an admin is looked up at every request.
    known.rank = rank;
    known.tokens.push(name);
    this.#owners.set(name, known);
    this.#people.delete(person);
    this.#people.set(person, known);
    if (known.tokens.length > mostKnownTokensOfPerson) this.#forget(known.tokens[0]!);
    if (this.#owners.size > mostKnownTokens) this.#forget(this.#leastMissed());
  }

  #forget(name: string): void {
    const known = this.#owners.get(name);
    if (known === undefined) return;
    this.#owners.delete(name);
    known.tokens.splice(known.tokens.indexOf(name), 1);
    if (known.tokens.length === 0) this.#people.delete(known.person);
  }

  #leastMissed(): string {
    return this.#people.values().reduce((one, other) => (isMissedLess(other, one) ? other : one)).tokens[0]!;
  }
}

function isMissedLess(one: KnownPerson, other: KnownPerson): boolean {
  const [rank, otherRank] = [ranks.indexOf(one.rank), ranks.indexOf(other.rank)];
  return rank === otherRank ? one.tokens.length > other.tokens.length : rank < otherRank;
}
