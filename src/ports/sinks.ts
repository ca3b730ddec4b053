import type { NamespaceEvent } from '../domain/announcement/announcement.ts';
import type { AuditEntry } from '../domain/audit/entry.ts';

/** Append-only. An entry is durable when the promise resolves; appending one again, by its id, changes nothing. */
export interface AuditLog {
  append(entry: AuditEntry): Promise<void>;
}

export interface EventSink {
  /**
   * Resolves once the event is there; emitting it again under the same id changes nothing. `refused`: the cluster will not
   * take it. Rejects when that may pass.
   */
  emit(event: NamespaceEvent, id: string): Promise<'written' | 'refused'>;
}

/** What the controller tells the api while it works. Losing one loses nothing durable. */
export interface FrameSink {
  send(frame: Frame): void;
}

export interface Frame {
  readonly kind: string;
  readonly payload: unknown;
}
