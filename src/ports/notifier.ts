import type { Notice } from '../domain/notification/notice.ts';

/** How far a card has come, kept by whoever has to tell it: a restart must neither lose nor repeat it. */
export interface CardProgress {
  /** Destinations that are through with it since an earlier life of the process. */
  readonly sent: ReadonlySet<string>;
  /** One more is through with it: it took the card, or never will. The name gives nothing of the destination away. */
  ended(destination: string): void;
}

/** Never blocks and never throws: no transition waits for a mail server. */
export interface Notifier {
  /** Resolves once every destination is through with it; not at all when the process ends before. Never rejects. */
  notify(notice: Notice, progress: CardProgress): Promise<void>;
  /** A condition alert: held or no longer held. It is sent once it has held for the confirmation window. */
  condition(notice: Notice, holds: boolean): void;
}
