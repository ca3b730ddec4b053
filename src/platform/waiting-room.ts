/**
 * Room for so many who have begun something and not finished it. When one too many comes, the one who has waited longest has
 * to go, of the client that has the most in the room: whoever means to finish does so soon, and whoever fills the room
 * pushes out his own.
 */
export class WaitingRoom<T> {
  readonly #most: number;
  /** By client, each in the order in which they came. */
  readonly #waiting = new Map<string, Set<T>>();
  #size = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** Takes one in; the answer is who has to go for it, if anybody has to. */
  enter(client: string, one: T): T | undefined {
    const own = this.#waiting.get(client) ?? new Set<T>();
    this.#waiting.set(client, own);
    if (!own.has(one)) this.#size++;
    own.add(one);
    return this.#size > this.#most ? this.pushOut() : undefined;
  }

  leave(client: string, one: T): void {
    const own = this.#waiting.get(client);
    if (own === undefined || !own.delete(one)) return;
    this.#size--;
    if (own.size === 0) this.#waiting.delete(client);
  }

  /** Who has waited longest, of the client that has the most in the room; where that one may not go yet, of the next client. */
  pushOut(mayGo: (one: T) => boolean = () => true): T | undefined {
    let crowded: { readonly client: string; readonly most: number; readonly oldest: T } | undefined;
    for (const [client, own] of this.#waiting) {
      const [oldest] = own;
      if (own.size > (crowded?.most ?? 0) && mayGo(oldest as T))
        crowded = { client, most: own.size, oldest: oldest as T };
    }
    if (crowded === undefined) return undefined;
    this.leave(crowded.client, crowded.oldest);
    return crowded.oldest;
  }
}
