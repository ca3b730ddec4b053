import type { AnswerOf } from '../../contract/operations.ts';
import { auditCsv } from '../../domain/audit/csv.ts';
import type { AuditEntry } from '../../domain/audit/entry.ts';
import { filterAudit } from '../../domain/audit/query.ts';
import { readEntries } from '../../domain/audit/stored-entry.ts';
import { outbox } from '../../state/outbox.ts';
import { type Handlers, RawAnswer } from '../call/call.ts';
import type { ApiPorts } from '../call/ports.ts';
import { Refusal } from '../call/refusal.ts';
import { instant } from '../outlook/wire.ts';
import type { ManagedState } from '../state/managed-state.ts';

const pageSize = 100;
const csvSize = 10_000;

export function auditHandlers(ports: ApiPorts, state: ManagedState): Pick<Handlers, 'audit'> {
  return {
    async audit(call) {
      const { format, q, kind, from, to, limit, ...filter } = call.query;
      const texts = await ports.audit.texts().catch((error: unknown) => {
        throw new Refusal(
          'read_failed',
          `The audit log could not be read: ${error instanceof Error ? error.message : String(error)}`,
        );
      });
      const { entries, unreadable } = readEntries(texts);
      const csv = format === 'csv';
      const found = filterAudit(withWaiting(entries, await waiting(state)), {
        ...filter,
        ...(q === undefined ? {} : { text: q }),
        ...(kind === undefined ? {} : { kinds: kind.split(',') }),
        ...(from === undefined ? {} : { from: Date.parse(from) }),
        ...(to === undefined ? {} : { to: Date.parse(to) }),
        limit: limit ?? (csv ? csvSize : pageSize),
      });
      if (csv) {
        call.setHeader('content-disposition', 'attachment; filename="audit.csv"');
        return new RawAnswer('text/csv; charset=utf-8', auditCsv(found.entries));
      }
      return {
        entries: found.entries.map(wireEntry),
        total: found.total,
        unreadable,
        ...(found.next === undefined ? {} : { next: found.next }),
      };
    },
  };
}

/** Acts whose entry the controller has not written yet; a state that cannot be read only leaves them out. */
async function waiting(state: ManagedState): Promise<readonly AuditEntry[]> {
  const read = await state.read().catch(() => undefined);
  const decoded = read?.snapshot.read(outbox);
  return decoded?.ok === true ? decoded.value.flatMap(({ audit }) => audit ?? []) : [];
}

function withWaiting(entries: readonly AuditEntry[], more: readonly AuditEntry[]): readonly AuditEntry[] {
  const known = new Set(entries.map(({ id }) => id));
  return [...entries, ...more.filter(({ id }) => !known.has(id))];
}

function wireEntry(entry: AuditEntry): AnswerOf<'audit'>['entries'][number] {
  return JSON.parse(JSON.stringify({ ...entry, at: instant(entry.at) }));
}
