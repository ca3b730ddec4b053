/** What the rules for one kind of thing ask of the rules for all writes. */
export interface Court {
  broken(invariant: string, message: string): void;
  /** Nothing may be taken from its users while a stop holds, or while it is not wanted down. */
  takingDown(ref: string): void;
  bringingBack(ref: string): void;
  /** Whether somebody has just deleted or spoilt what was recorded: what was sent on it is on its way. */
  recordsInDoubt(): boolean;
  /** Whether what the actors did is old enough to be known. */
  settled(): boolean;
}
