/** A value of the state cannot be decoded: nothing that depends on it is decided, and it is never overwritten. */
export class StateUndecodable extends Error {
  override readonly name = 'StateUndecodable';
  readonly key: string;

  constructor(key: string, message: string) {
    super(message);
    this.key = key;
  }
}

/**
 * The state is not, or may not be, as it was read: somebody else wrote first, or no answer came to our own write. Either
 * way it is read again and decided again.
 */
export class StateConflict extends Error {
  override readonly name = 'StateConflict';
  readonly outcome: 'conflict' | 'unknown';

  constructor(outcome: 'conflict' | 'unknown', message: string) {
    super(message);
    this.outcome = outcome;
  }
}

/** There is no room for the write; nothing was changed. */
export class StateFull extends Error {
  override readonly name = 'StateFull';
}

/** The cluster refused the write; `why` are its own words. */
export class StateUnwritable extends Error {
  override readonly name = 'StateUnwritable';
  readonly why: string;

  constructor(why: string) {
    super(`the state could not be written: ${why}`);
    this.why = why;
  }
}
