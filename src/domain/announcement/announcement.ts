import type { AuditEntry } from '../audit/entry.ts';
import type { Notice } from '../notification/notice.ts';
import type { EpochMs } from '../workload.ts';

/** A Kubernetes event against a Namespace object. */
export interface NamespaceEvent {
  /** The release namespace for stand-down events; transition events land in `default`. */
  readonly where: 'release' | 'default';
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
}

export interface LogLine {
  readonly level: 'info' | 'warn' | 'error';
  readonly message: string;
  readonly fields: Readonly<Record<string, string | number | boolean | readonly string[]>>;
}

/**
 * One act as the world is told of it. It is stored in the same write as the act itself, and a part of it leaves the
 * state once it has been told: a crash in between tells the rest, under the same id, and never loses it.
 */
export interface Announcement {
  /** The same at every delivery, so that a receiver recognises a part that it gets twice. */
  readonly id: string;
  readonly at: EpochMs;
  readonly audit?: AuditEntry;
  readonly event?: NamespaceEvent;
  readonly notice?: Notice;
  readonly log?: LogLine;
  /** Destinations that are through with the card, by a name that gives nothing away. */
  readonly sent?: readonly string[];
}

/** An announcement whose audit entry carries its id and time. */
export function ofEntry(audit: AuditEntry, more: Pick<Announcement, 'event' | 'notice' | 'log'> = {}): Announcement {
  return { id: audit.id, at: audit.at, audit, ...more };
}

/** Every part of it has been delivered. */
export function isTold({ audit, event, notice, log }: Announcement): boolean {
  return audit === undefined && event === undefined && notice === undefined && log === undefined;
}
