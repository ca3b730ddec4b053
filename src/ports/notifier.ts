import type { Notice } from '../domain/notification/notice.ts';

/** Never blocks and never throws: no transition waits for a mail server. */
export interface Notifier {
  notify(notice: Notice): void;
  /** A condition alert: held or no longer held. It is sent once it has held for the confirmation window. */
  condition(notice: Notice, holds: boolean): void;
}
