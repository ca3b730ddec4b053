import { Refusal } from '../call/refusal.ts';

/** Of one person: a second one may be a page that was reloaded. */
const mostOfOne = 2;
/**
 * Of all who are not of the company together: a stranger can have many mailboxes, each with passkeys of its own. Half of the places that the
 * frontend has for one client to sign in.
 */
const mostOfOutsiders = 48;
const againSeconds = 5;

/**
 * Good passkeys whose use is being stored. While the cluster is slow each keeps a place among those who come to sign in, so that whoever
 * has one passkey could keep everybody else out.
 */
export class UsesBeingStored {
  readonly #byPerson = new Map<string, number>();
  #ofOutsiders = 0;

  async during<T>(person: string, isMember: boolean, store: () => Promise<T>): Promise<T> {
    const own = this.#byPerson.get(person) ?? 0;
    if (own >= mostOfOne || (!isMember && this.#ofOutsiders >= mostOfOutsiders)) {
      throw new Refusal('rate_limited', 'Too many sign-ins by passkey are under way.', {
        retryAfterSeconds: againSeconds,
      });
    }
    this.#byPerson.set(person, own + 1);
    if (!isMember) this.#ofOutsiders++;
    try {
      return await store();
    } finally {
      if (!isMember) this.#ofOutsiders--;
      const left = (this.#byPerson.get(person) ?? 1) - 1;
      if (left > 0) this.#byPerson.set(person, left);
      else this.#byPerson.delete(person);
    }
  }
}
