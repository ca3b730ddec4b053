import { acceptedToken, tokenName } from '../../platform/token-name.ts';

/** Some 80 bytes each. More than there are people whom one API serves, with a few tokens each. */
export const mostKnownTokens = 4_000;

/** Tokens that the API has issued or accepted, the one that was used longest ago first. Whatever else is shown is a claim. */
export class KnownTokens {
  readonly #names = new Set<string>();

  /** The name of the token that is shown, whether it is known or not. */
  nameOf(authorization: string | undefined): string | undefined {
    return authorization === undefined ? undefined : tokenName(authorization.replace(/^bearer /i, ''));
  }

  has(name: string | undefined): boolean {
    return name !== undefined && this.#names.has(name);
  }

  /** What the API answered to whoever showed this one: `said` is its word on a token, if any. */
  learn(shown: string | undefined, status: number, said: string | undefined): void {
    const good = said === acceptedToken ? shown : said;
    if (good !== undefined) this.#keep(good);
    else if (shown !== undefined && status === 401) this.#names.delete(shown);
  }

  #keep(name: string): void {
    this.#names.delete(name);
    this.#names.add(name);
    if (this.#names.size > mostKnownTokens) this.#names.delete(this.#names.values().next().value!);
  }
}
