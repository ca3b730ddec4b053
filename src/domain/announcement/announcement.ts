import type { AuditEntry } from '../audit/entry.ts';
import type { Notice } from '../notification/notice.ts';

/** A Kubernetes event against a Namespace object. */
export interface NamespaceEvent {
  /** The release namespace for stand-down events; transition events land in `default`. */
  readonly where: 'release' | 'default';
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
}

/**
 * One act as the world is told of it. It is stored in the same write as the act itself, and removed once the audit
 * entry is durable: a crash in between tells it again, under the same id, and never loses it.
 */
export interface Announcement {
  readonly audit: AuditEntry;
  readonly event?: NamespaceEvent;
  readonly notice?: Notice;
}
