// What the stranger is told to hold, and what he tells of it.

export interface Order {
  readonly port: number;
  /** He speaks TLS; of his heads every other one is a handshake that he does not finish. */
  readonly secure: boolean;
  readonly places: Readonly<Record<Kind, number>>;
  readonly tokens: readonly string[];
  /** Of his process: he has a machine of his own, and on this one he must not take what the service needs. */
  readonly nice: number;
  /** How long he waits before he comes again with what was shed or refused; 0 is at once. */
  readonly againMs: number;
}

export const kinds = ['streams', 'posts', 'heads'] as const;
export type Kind = (typeof kinds)[number];

/** What became of the connections of one kind. */
export interface Deeds {
  opened: number;
  /** Hung up on, without a word. */
  cut: number;
  /** Told to go, or to come again later. */
  refused: number;
  /** Stood when he was asked; of heads and posts, some of these wait in the kernel to be let in. */
  open: number;
  /** Streams that the API has begun to answer. */
  heard: number;
}

/** Requests in one piece, whose answers nobody waits for. */
export interface VolleyOrder {
  readonly port: number;
  readonly secure: boolean;
  readonly connections: number;
  readonly requests: number;
  readonly paths: readonly string[];
  readonly nice: number;
}

export interface Volleys {
  sent: number;
}
