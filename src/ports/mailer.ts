export interface Mail {
  /** One plain address. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html?: string;
  /** With its angle brackets; the same for every attempt to send the same mail. */
  readonly messageId?: string;
}

/** So many are handed to the mail server at one time: common ones take no more connections of one account. */
export const mailsAtOnce = 3;

export interface Mailer {
  /** Resolves when the mail server has taken the mail; rejects with its words when it has not. */
  send(mail: Mail): Promise<void>;
}
