/** A response body that is written over time: the lines of a watch. One reader. */
export class LineStream implements AsyncIterable<string> {
  #pending: string[] = [];
  #ended = false;
  #error: unknown;
  #failed = false;
  #wake: (() => void) | undefined;
  readonly #onClose: (() => void)[] = [];
  #closed = false;
  #muted = false;
  #delay: ((release: () => void) => void) | undefined;

  get closed(): boolean {
    return this.#closed;
  }

  push(text: string): void {
    if (this.#closed || this.#muted) return;
    if (this.#delay !== undefined) this.#delay(() => this.#deliver(text));
    else this.#deliver(text);
  }

  /** Stays open and says nothing more: a connection that died without a word. */
  mute(): void {
    this.#muted = true;
  }

  /** Every later line is handed to `delay`, which lets it out when it will; it must keep the order. */
  holdBack(delay: (release: () => void) => void): void {
    this.#delay = delay;
  }

  #deliver(text: string): void {
    if (this.#closed || this.#muted) return;
    this.#pending.push(text);
    this.#wake?.();
  }

  /** What was pushed is still read, then the body ends as it should. */
  end(): void {
    if (this.#closed || this.#muted) return;
    this.#ended = true;
    this.#close();
  }

  /** The connection breaks: what was not read yet is lost. */
  fail(error: unknown): void {
    if (this.#closed && !this.#ended) return;
    this.#failed = true;
    this.#error = error;
    this.#pending = [];
    this.#close();
  }

  /** Runs once the stream ended, broke, or its reader left. */
  onClose(run: () => void): void {
    if (this.#closed) run();
    else this.#onClose.push(run);
  }

  async *[Symbol.asyncIterator](): AsyncIterator<string> {
    try {
      for (;;) {
        if (this.#failed) throw this.#error;
        if (this.#pending.length > 0) {
          const text = this.#pending.length === 1 ? this.#pending[0]! : this.#pending.join('');
          this.#pending = [];
          yield text;
          continue;
        }
        if (this.#closed) return;
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
        this.#wake = undefined;
      }
    } finally {
      this.#close();
    }
  }

  #close(): void {
    if (!this.#closed) {
      this.#closed = true;
      for (const run of this.#onClose) run();
    }
    this.#wake?.();
  }
}
