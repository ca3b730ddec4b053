import type { EpochMs } from '../workload.ts';
import type { LedgerHead } from './ledger.ts';
import { decodeMonth, encodeMonth, foldMonth } from './ledger-text.ts';

const daysKept = 400;
const nightsKept = 400;
const dayMs = 86_400_000;
/** Well under the 1 MiB that a ConfigMap holds. */
const ledgerBytes = 600_000;

const monthKey = /^\d{4}-\d{2}$/;

/**
 * What has to be changed in the stored texts so that they stay within bounds: months older than 400 days go; when the
 * whole is too large, the oldest months stop telling their namespaces apart, and then go too.
 */
export function boundLedger(
  data: Readonly<Record<string, string>>,
  now: EpochMs,
  limit = ledgerBytes,
): Readonly<Record<string, string | undefined>> {
  const changes: Record<string, string | undefined> = {};
  const months = Object.keys(data)
    .filter((key) => monthKey.test(key))
    .toSorted();
  const oldest = new Date(now - daysKept * dayMs).toISOString().slice(0, 7);
  for (const month of months) if (month < oldest) changes[month] = undefined;
  const kept = months.filter((month) => month >= oldest);
  const size = () => bytesOf({ ...data, ...changes });
  // The month under way keeps its detail whatever it takes.
  for (const month of kept.slice(0, -1)) {
    if (size() <= limit) return changes;
    const days = decodeMonth(data[month] ?? '');
    if (days !== undefined) changes[month] = encodeMonth(foldMonth(days));
  }
  for (const month of kept.slice(0, -1)) {
    if (size() <= limit) return changes;
    changes[month] = undefined;
  }
  return changes;
}

export function boundHead(head: LedgerHead, now: EpochMs): LedgerHead {
  const nights = head.nights.filter(({ to }) => to >= now - daysKept * dayMs).slice(-nightsKept);
  return nights.length === head.nights.length ? head : { ...head, nights };
}

function bytesOf(data: Readonly<Record<string, string | undefined>>): number {
  let bytes = 0;
  for (const [key, text] of Object.entries(data))
    if (text !== undefined) bytes += key.length + new TextEncoder().encode(text).length;
  return bytes;
}
