import type { AnswerOf } from '../../../src/contract/contract.ts';
import { endOf } from './ends.ts';

type AuditEntry = AnswerOf<'audit'>['entries'][number];

/** What turns the cluster up or down, or holds it. */
const kinds = ['wake', 'wake-failed', 'hibernation', 'hibernation-failed', 'stand-down', 'stand-down-ended'].join(',');
const pageSize = 200;
/** The week that is drawn, and the day before it: what was when it began. */
const shownMs = 8 * 86_400_000;

interface TurnsQuery {
  readonly kind: string;
  readonly limit: number;
  readonly after?: string;
}

interface AuditPage {
  readonly entries: readonly AuditEntry[];
  readonly next?: string;
}

/** Page after page: wakes of single workloads may be many, and whatever else happened is not asked for. */
export async function readTurns(
  read: (query: TurnsQuery) => Promise<AuditPage>,
  now: number,
): Promise<readonly AuditEntry[]> {
  const entries: AuditEntry[] = [];
  for (let after: string | undefined; ; ) {
    const page: AuditPage = await read({ kind: kinds, limit: pageSize, ...(after === undefined ? {} : { after }) });
    entries.push(...page.entries);
    after = page.next;
    if (after === undefined || isEnough(entries, now)) return entries;
  }
}

function isEnough(entries: readonly AuditEntry[], now: number): boolean {
  const oldest = entries.at(-1);
  if (oldest === undefined || Date.parse(oldest.at) > now - shownMs) return false;
  return entries.some((entry) => endOf(entry) === 'whole');
}
