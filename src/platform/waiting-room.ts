/**
 * Room for so many who have begun something and not finished it. When one too many comes, those who have waited longest have
 * to go, of the client that has the most in the room: whoever means to finish does so soon, and whoever fills the room
 * pushes out his own. Who costs several times as much as others takes so many places, but is one when it comes to who goes.
 */
export class WaitingRoom<T> {
  readonly #most: number;
  /** By client, each in the order in which they came, with the places that it takes. */
  readonly #waiting = new Map<string, Map<T, number>>();
  #taken = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** Takes one in; the answer is who has to go for it. */
  enter(client: string, one: T, places = 1): readonly T[] {
    let own = this.#waiting.get(client);
    if (own === undefined) {
      own = new Map();
      this.#waiting.set(client, own);
    }
    this.#taken += places - (own.get(one) ?? 0);
    own.set(one, places);
    return this.#taken > this.#most ? this.#makeRoomFor(one) : nobody;
  }

  leave(client: string, one: T): void {
    const own = this.#waiting.get(client);
    const places = own?.get(one);
    if (own === undefined || places === undefined) return;
    this.#taken -= places;
    own.delete(one);
    if (own.size === 0) this.#waiting.delete(client);
  }

  /** Who has waited longest, of the client that has the most in the room; where that one may not go yet, of the next client. */
  pushOut(mayGo: (one: T) => boolean = () => true): T | undefined {
    let crowded: { readonly client: string; readonly most: number; readonly oldest: T } | undefined;
    for (const [client, own] of this.#waiting) {
      if (own.size <= (crowded?.most ?? 0)) continue;
      const oldest = own.keys().next().value as T;
      if (mayGo(oldest)) crowded = { client, most: own.size, oldest };
    }
    if (crowded === undefined) return undefined;
    this.leave(crowded.client, crowded.oldest);
    return crowded.oldest;
  }

  #makeRoomFor(one: T): readonly T[] {
    const gone: T[] = [];
    while (this.#taken > this.#most) {
      const next = this.pushOut((other) => other !== one);
      if (next === undefined) break;
      gone.push(next);
    }
    return gone;
  }
}

const nobody: readonly never[] = [];
