import type { Mail, Mailer } from '../src/ports/mailer.ts';

/** Keeps mails instead of sending them: for the demo and for tests. */
export class MemoryInbox implements Mailer {
  readonly mails: Mail[] = [];
  readonly #kept: number;
  readonly #onMail: (mail: Mail) => void;

  constructor(options: { readonly kept?: number; readonly onMail?: (mail: Mail) => void } = {}) {
    this.#kept = options.kept ?? 1000;
    this.#onMail = options.onMail ?? (() => {});
  }

  async send(mail: Mail): Promise<void> {
    this.mails.push(mail);
    if (this.mails.length > this.#kept) this.mails.shift();
    this.#onMail(mail);
  }

  /** The newest mail to an address. */
  last(to: string): Mail | undefined {
    return this.mails.findLast((mail) => mail.to === to);
  }
}
