/** What the rules for one kind of thing ask of the rules for all writes. */
export interface Court {
  broken(invariant: string, message: string): void;
  /** Nothing may be taken from its users while a stop holds, or while it is not wanted down. */
  takingDown(ref: string): void;
  bringingBack(ref: string): void;
  /** Whether what the actors did is old enough to be known. */
  settled(): boolean;
}
