/** The ways to the API. Each has sockets of its own, so that who fills one does not stand in the way of another. */
export type LaneName = 'stand-down' | 'signed-in' | 'anonymous' | 'stream';

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
  anonymous: { sockets: 32, waiting: 96, perClient: 96 },
  stream: { sockets: 1_010, waiting: 0, perClient: 1_010 },
};

/** Which way a request goes. A claim to be signed in is not judged here: the API refuses a false one before anything else. */
export function laneOf(path: string, authorization: string | undefined): LaneName {
  if (authorization === undefined) return 'anonymous';
  const [bare] = path.split('?', 1);
  if (bare === '/api/v1/events') return 'stream';
  return bare === '/api/v1/stand-down' ? 'stand-down' : 'signed-in';
}

/** Who is on a way, by client. */
export class Lane {
  readonly #size: LaneSize;
  readonly #byClient = new Map<string, number>();
  #taken = 0;

  constructor(size: LaneSize) {
    this.#size = size;
  }

  /** Takes a place; undefined when there is none. The function gives it back, however often it is called. */
  enter(client: string): (() => void) | undefined {
    const own = this.#byClient.get(client) ?? 0;
    const { sockets, waiting, perClient } = this.#size;
    if (this.#taken >= sockets + waiting || own >= perClient) return undefined;
    this.#taken++;
    this.#byClient.set(client, own + 1);
    let left = false;
    return () => {
      if (left) return;
      left = true;
      this.#leave(client);
    };
  }

  #leave(client: string): void {
    this.#taken--;
    const own = (this.#byClient.get(client) ?? 1) - 1;
    if (own === 0) this.#byClient.delete(client);
    else this.#byClient.set(client, own);
  }
}
