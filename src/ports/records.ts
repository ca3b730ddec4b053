import type { NamespaceEvent } from '../domain/announcement/announcement.ts';
import type { AuditEntry } from '../domain/audit/entry.ts';

/** Append-only. An entry is durable when the promise resolves; appending one again, by its id, changes nothing. */
export interface AuditLog {
  append(entry: AuditEntry): Promise<void>;
}

/** Best effort: an event that cannot be written is logged and holds nothing up. */
export interface EventSink {
  emit(event: NamespaceEvent): void;
}

/** What the controller tells the api while it works. Losing one loses nothing durable. */
export interface FrameSink {
  send(frame: Frame): void;
}

export interface Frame {
  readonly kind: string;
  readonly payload: unknown;
}
