import type { AuditEntry } from '../domain/audit/entry.ts';

/** Append-only; an entry is durable when the promise resolves. */
export interface AuditLog {
  append(entry: AuditEntry): Promise<void>;
}

/** A Kubernetes event against a Namespace object. */
export interface NamespaceEvent {
  /** The release namespace for stand-down events; transition events land in `default`. */
  readonly where: 'release' | 'default';
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
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
