import { endpoints } from '../../contract/endpoints.ts';
import { WaitingRoom } from '../../platform/waiting-room.ts';
import type { Clock } from '../../ports/clock.ts';

/** The ways to the API. Each has sockets of its own, so that who fills one does not stand in the way of another. */
export type LaneName = 'stand-down' | 'signed-in' | 'claimed' | 'anonymous' | 'stream';

export interface LaneSize {
  /** Requests that the API answers at one time. */
  readonly sockets: number;
  /** How many may wait for one of them; whoever comes beyond that is told so at once. */
  readonly waiting: number;
  /** Of both together, what one client may take. */
  readonly perClient: number;
}

/**
 * Streams stay for hours, and who has signed in opens them: the API bounds them by person, and all in all at a thousand.
 * Everything else is answered in milliseconds, so few sockets carry thousands of requests a second.
 */
export const laneSizes: Readonly<Record<LaneName, LaneSize>> = {
  'stand-down': { sockets: 8, waiting: 56, perClient: 32 },
  'signed-in': { sockets: 64, waiting: 192, perClient: 192 },
  claimed: { sockets: 16, waiting: 48, perClient: 48 },
  anonymous: { sockets: 32, waiting: 96, perClient: 96 },
  stream: { sockets: 1_010, waiting: 0, perClient: 1_010 },
};

/** Of an answer whose reader has taken nothing for so long, what others wait for is taken away. */
export const unreadWhileOthersWaitMs = 1_000;
/** How often it is looked whether there is such an answer, while anybody waits. */
const lookEveryMs = 250;

/** What anybody may read, and a header makes nobody less of a stranger. */
const ofAnybody: ReadonlySet<string> = new Set(
  Object.values(endpoints).flatMap(({ method, auth, path }) => (method === 'GET' && auth === 'none' ? [path] : [])),
);

/**
 * Which way a request goes. `known`: the API has issued or accepted its token. Any other is a claim, and anybody can make as many as he likes:
 * those have a way of their own, and take no room of who is signed in.
 */
export function laneOf(path: string, authorization: string | undefined, known: boolean): LaneName {
  if (authorization === undefined) return 'anonymous';
  const bare = decoded(path.split('?', 1)[0]!);
  if (bare === endpoints.events.path) return 'stream';
  if (ofAnybody.has(bare)) return 'anonymous';
  if (!known) return 'claimed';
  return bare === endpoints.standDown.path ? 'stand-down' : 'signed-in';
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

/**
 * Who is on a way, by client. Whoever takes nothing of his answer holds a socket that others wait for: when there are
 * others, the one that has stood still longest is cut, of the client that has the most standing still.
 */
export class Lane {
  readonly #size: LaneSize;
  readonly #clock: Clock;
  readonly #byClient = new Map<string, number>();
  readonly #standing = new WaitingRoom<Standing>(Number.POSITIVE_INFINITY);
  #taken = 0;
  #stopLooking: (() => void) | undefined;

  constructor(size: LaneSize, clock: Clock) {
    this.#size = size;
    this.#clock = clock;
  }

  /** Takes a place; undefined when there is none. `cut` ends the answer, for the sake of another. */
  enter(client: string, cut: () => void): Place | undefined {
    const { sockets, waiting, perClient } = this.#size;
    this.#cutUntil(sockets - 1);
    const own = this.#byClient.get(client) ?? 0;
    if (this.#taken >= sockets + waiting || own >= perClient) return undefined;
    this.#taken++;
    this.#byClient.set(client, own + 1);
    this.#lookAgain();
    return this.#place(client, cut);
  }

  #place(client: string, cut: () => void): Place {
    let left = false;
    const leave = () => {
      if (left) return;
      left = true;
      this.#standing.leave(client, standing);
      this.#leave(client);
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
      goesOn: () => this.#standing.leave(client, standing),
      standsStill: () => {
        if (left) return;
        standing.since = this.#clock.monotonic();
        // The last to stand still is the last to go.
        this.#standing.leave(client, standing);
        this.#standing.enter(client, standing);
      },
    };
  }

  #leave(client: string): void {
    this.#taken--;
    const own = (this.#byClient.get(client) ?? 1) - 1;
    if (own === 0) this.#byClient.delete(client);
    else this.#byClient.set(client, own);
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
