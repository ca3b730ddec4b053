/** Something the machine does not have and that could not be installed; the message is the reason in one sentence. */
export class Unavailable extends Error {
  override readonly name = 'Unavailable';
  readonly what: string;

  constructor(what: string, reason: string) {
    super(reason);
    this.what = what;
  }
}
