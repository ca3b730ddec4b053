import type { AuditEntry } from './entry.ts';

const columns = [
  'id',
  'at',
  'kind',
  'title',
  'actor',
  'trigger',
  'reason',
  'result',
  'completeness',
  'duration_seconds',
  'workloads_failed_detail',
  'workloads_recovered',
  'workloads_recovered_detail',
  'details',
] as const;

/** RFC 4180, one entry a record, lists with a line each inside their cell. */
export function auditCsv(entries: readonly AuditEntry[]): string {
  return [columns.join(','), ...entries.map((entry) => row(entry).map(cell).join(','))]
    .map((line) => `${line}\r\n`)
    .join('');
}

function row(entry: AuditEntry): readonly string[] {
  const { durationMs, details } = entry;
  return [
    entry.id,
    new Date(entry.at).toISOString(),
    entry.kind,
    entry.title,
    entry.actor,
    entry.trigger ?? '',
    entry.reason ?? '',
    entry.result ?? '',
    entry.completeness ?? '',
    durationMs === undefined ? '' : String(durationMs / 1000),
    (entry.workloads_failed_detail ?? []).join('\n'),
    entry.workloads_recovered === undefined ? '' : String(entry.workloads_recovered),
    (entry.workloads_recovered_detail ?? []).join('\n'),
    details === undefined ? '' : JSON.stringify(details),
  ];
}

/** A spreadsheet runs a cell that begins like a formula, in any of its lines; the apostrophe makes it a text. */
function cell(text: string): string {
  const safe = text.replace(/(?<=^|[\r\n])(?=(?:[^\S\r\n]|\p{Cf})*[=+\-@|%\uFF1D\uFF0B\uFF0D\uFF20])/gu, "'");
  return /[",\r\n']/.test(safe) || safe !== safe.trim() ? `"${safe.replaceAll('"', '""')}"` : safe;
}
