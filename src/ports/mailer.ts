export interface Mail {
  /** One plain address. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html?: string;
  /** With its angle brackets; the same for every attempt to send the same mail. */
  readonly messageId?: string;
}

export interface Mailer {
  /** Resolves when the mail server has taken the mail; rejects with its words when it has not. */
  send(mail: Mail): Promise<void>;
}
