import { type AuditAct, auditEntry } from '../../domain/audit/entry.ts';
import type { Notice } from '../../domain/notification/notice.ts';
import { outbox } from '../../state/outbox.ts';
import { type StateEdit, type StateSnapshot, set } from '../../state/snapshot.ts';
import { need } from '../state/managed-state.ts';

/**
 * The audit entry of an act, stored in the same write as the act: the controller makes it durable in the audit log and
 * tells whoever is to be told.
 */
export function announced(snapshot: StateSnapshot, act: AuditAct, notice?: Notice): StateEdit {
  const audit = auditEntry(act);
  const waiting = need(snapshot, outbox);
  // Twice the same id would make the key undecodable for whoever reads it next.
  if (waiting.some((one) => one.audit.id === audit.id)) return set(outbox, waiting);
  return set(outbox, [...waiting, notice === undefined ? { audit } : { audit, notice }]);
}
