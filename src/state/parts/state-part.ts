/** One ConfigMap in which a key of the state goes on. It is replaced as a whole by another, never written a second time. */
export interface StatePart {
  readonly name: string;
  /** The key that goes on in it. */
  readonly key: string;
  /** Undefined when the ConfigMap is gone, or does not hold the key any more. */
  readonly text: string | undefined;
  /** What it was when it was read: what is removed later must be the same still. Absent when it is gone. */
  readonly version?: PartVersion;
}

export interface PartVersion {
  readonly uid: string;
  readonly resourceVersion: string;
}

/** A part that a write needs and that does not exist yet. */
export interface NewPart {
  readonly name: string;
  readonly key: string;
  readonly text: string;
  /** What the text holds, for a list: it need not be decoded again. */
  readonly elements?: readonly unknown[];
}

export interface PartSizes {
  /** New elements of a list stay in `svc-state` while all of it is no larger than this. */
  readonly state: number;
  /** As large as a part may become. */
  readonly part: number;
  /** A value that is no list, and longer than this, goes on in parts. */
  readonly value: number;
}

/**
 * Records leave `svc-state` before its warning size, by as much as what waits to be told may take. A part is as large: a
 * request of that size is an everyday one for an apiserver.
 */
export const partSizes: PartSizes = { state: 786_432, part: 786_432, value: 65_536 };

/** The parts of a state as it was read, and what new ones are to be like. A store that knows no parts has none of this. */
export interface Continuation {
  readonly parts: readonly StatePart[];
  /** The first number that no part has had. */
  readonly next: number;
  readonly sizes: PartSizes;
}
