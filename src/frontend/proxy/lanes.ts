import { endpoints } from '../../contract/endpoints.ts';
import type { Rank } from '../../platform/token-name.ts';
import { WaitingRoom } from '../../platform/waiting-room.ts';
import type { Clock } from '../../ports/clock.ts';

/** The ways to the API. Each has sockets of its own, so that who fills one does not stand in the way of another. */
export type LaneName = 'stand-down' | Rank | 'claimed' | 'way-in' | 'anonymous' | 'stream' | 'claimed-stream';

export interface LaneSize {
  /** Requests that the API answers at one time. */
  readonly sockets: number;
  /** How many may wait for one of them; whoever comes beyond that is told so at once. */
  readonly waiting: number;
  /** Of both together, what one may take: a person where the API has said who it is, else a client. */
  readonly perSharer: number;
  /** Of both together, what is kept for admins, and beside it for people of the company. */
  readonly kept?: { readonly admins: number; readonly company: number };
}

/**
 * Streams stay for hours, and who has signed in opens them: the API bounds them by person, and all in all at 850. A token of which it has
 * said nothing takes a place among them once the API has accepted it, and asks for that by a way of its own.
 * Everything else is answered in milliseconds, so few sockets carry thousands of requests a second.
 */
export const laneSizes: Readonly<Record<LaneName, LaneSize>> = {
  'stand-down': { sockets: 8, waiting: 56, perSharer: 16 },
  admin: { sockets: 32, waiting: 160, perSharer: 24 },
  company: { sockets: 32, waiting: 160, perSharer: 24 },
  outside: { sockets: 16, waiting: 96, perSharer: 12 },
  claimed: { sockets: 16, waiting: 48, perSharer: 48 },
  'way-in': { sockets: 32, waiting: 96, perSharer: 96 },
  anonymous: { sockets: 32, waiting: 96, perSharer: 96 },
  stream: { sockets: 860, waiting: 0, perSharer: 40, kept: { admins: 110, company: 290 } },
  'claimed-stream': { sockets: 16, waiting: 48, perSharer: 48 },
};

/** Of an answer whose reader has taken nothing for so long, what others wait for is taken away. */
export const unreadWhileOthersWaitMs = 1_000;
/** How often it is looked whether there is such an answer, while anybody waits. */
const lookEveryMs = 250;

/** What anybody may read, and a header makes nobody less of a stranger. */
const ofAnybody: ReadonlySet<string> = new Set(
  Object.values(endpoints).flatMap(({ method, auth, path }) => (method === 'GET' && auth === 'none' ? [path] : [])),
);

/** What leads a person in, or another cluster: codes, links, passkeys, the refresh of a page that is loaded anew, and signed wakes. */
const leadsIn: ReadonlySet<string> = new Set(
  Object.values(endpoints).flatMap(({ method, auth, path }) =>
    auth === 'signature' || (method !== 'GET' && auth === 'none') ? [path] : [],
  ),
);

/**
 * Which way a request goes. `rank`: of who has its token, where the API has issued or accepted it. Any other token is a claim, and anybody can make
 * as many as he likes: those have ways of their own, and take no room of who is signed in. Who is signed in goes the way of
 * his rank, so that people from outside keep no colleague waiting, and neither an admin. Who may not stand down is refused there. Whatever
 * strangers read, and keep waiting, takes no place of who comes to sign in.
 */
export function laneOf(path: string, authorization: string | undefined, rank: Rank | undefined): LaneName {
  const bare = decoded(path.split('?', 1)[0]!);
  if (authorization === undefined) return leadsIn.has(bare) ? 'way-in' : 'anonymous';
  if (bare === endpoints.events.path) return rank === undefined ? 'claimed-stream' : 'stream';
  if (ofAnybody.has(bare)) return 'anonymous';
  if (rank === undefined) return 'claimed';
  return rank === 'admin' && bare === endpoints.standDown.path ? 'stand-down' : rank;
}

/** Whether it asks for the stream of events, by whichever way. */
export function isStreamLane(name: LaneName): boolean {
  return name === 'stream' || name === 'claimed-stream';
}

/** As the API reads it. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** A place on a way, from the request to the end of its answer. */
export interface Place {
  /** Some of the answer waits for its reader, from now on. */
  standsStill(): void;
  /** The reader has taken all that there was. */
  goesOn(): void;
  /** However often it is called. */
  leave(): void;
}

interface Standing {
  since: number;
  readonly cut: () => void;
}

/** Who asks, as a way counts them. */
export interface Sharer {
  /** A person, or where nobody knows who it is a client. */
  readonly name: string;
  readonly rank: Rank;
  /** As how many he counts. */
  readonly weight: number;
}

/**
 * Who is on a way, by person or client. Whoever takes nothing of his answer holds a socket that others wait for: when there are
 * others, the one that has stood still longest is cut, of the one who has the most standing still.
 */
export class Lane {
  readonly #size: LaneSize;
  readonly #clock: Clock;
  readonly #bySharer = new Map<string, number>();
  readonly #standing = new WaitingRoom<Standing>(Number.POSITIVE_INFINITY);
  #taken = 0;
  #stopLooking: (() => void) | undefined;

  constructor(size: LaneSize, clock: Clock) {
    this.#size = size;
    this.#clock = clock;
  }

  /** Takes a place; undefined when there is none. `cut` ends the answer, for the sake of another. */
  enter(sharer: Sharer, cut: () => void): Place | undefined {
    const { name, rank, weight } = sharer;
    const { sockets, perSharer } = this.#size;
    this.#cutUntil(sockets - weight);
    const own = (this.#bySharer.get(name) ?? 0) + weight;
    if (this.#taken + weight > placesFor(this.#size, rank) || own > perSharer) return undefined;
    this.#taken += weight;
    this.#bySharer.set(name, own);
    this.#lookAgain();
    return this.#place(sharer, cut);
  }

  #place({ name, weight }: Sharer, cut: () => void): Place {
    let left = false;
    const leave = () => {
      if (left) return;
      left = true;
      this.#standing.leave(name, standing);
      this.#leave(name, weight);
    };
    const standing: Standing = {
      since: 0,
      cut: () => {
        leave();
        cut();
      },
    };
    return {
      leave,
      goesOn: () => this.#standing.leave(name, standing),
      standsStill: () => {
        if (left) return;
        standing.since = this.#clock.monotonic();
        // The last to stand still is the last to go.
        this.#standing.leave(name, standing);
        this.#standing.enter(name, standing);
      },
    };
  }

  #leave(name: string, weight: number): void {
    this.#taken -= weight;
    const own = (this.#bySharer.get(name) ?? weight) - weight;
    if (own === 0) this.#bySharer.delete(name);
    else this.#bySharer.set(name, own);
    if (this.#taken > this.#size.sockets) return;
    this.#stopLooking?.();
    this.#stopLooking = undefined;
  }

  #cutUntil(most: number): void {
    const longAgo = this.#clock.monotonic() - unreadWhileOthersWaitMs;
    while (this.#taken > most) {
      const longest = this.#standing.pushOut(({ since }) => since <= longAgo);
      if (longest === undefined) return;
      longest.cut();
    }
  }

  /** As long as somebody waits. */
  #lookAgain(): void {
    if (this.#taken <= this.#size.sockets || this.#stopLooking !== undefined) return;
    this.#stopLooking = this.#clock.after(lookEveryMs, () => {
      this.#stopLooking = undefined;
      this.#cutUntil(this.#size.sockets);
      this.#lookAgain();
    });
  }
}

/** How many may be on a way when one of this rank still gets on it. */
function placesFor({ sockets, waiting, kept }: LaneSize, rank: Rank): number {
  const { admins = 0, company = 0 } = kept ?? {};
  return sockets + waiting - (rank === 'admin' ? 0 : admins) - (rank === 'outside' ? company : 0);
}
