import type { AuditDetail, AuditEntry, WakeResult } from './entry.ts';

/** An entry is one line of JSON, so that a line somebody spoiled costs that entry and no other. */
export function entryLine(entry: AuditEntry): string {
  return JSON.stringify({ ...entry, at: new Date(entry.at).toISOString() });
}

export interface ReadAudit {
  /** In the order of the text, parts of one entry put together. */
  readonly entries: readonly AuditEntry[];
  /** Lines that are no entry; they stay where they are and are not shown. */
  readonly unreadable: number;
}

/** Reads the texts of all files, oldest first: an entry may begin in one and go on in the next. */
export function readEntries(texts: readonly string[]): ReadAudit {
  const entries = new Map<string, AuditEntry>();
  let unreadable = 0;
  // A line that is there twice was appended twice, and happened once.
  for (const line of new Set(texts.flatMap((text) => text.split('\n')))) {
    if (line.trim() === '') continue;
    const entry = readLine(line);
    if (entry === undefined) unreadable++;
    else entries.set(entry.id, joined(entries.get(entry.id), entry));
  }
  return { entries: [...entries.values()], unreadable };
}

/** An entry that was too long for one line continues in lines of the same id that only add to its lists. */
function joined(first: AuditEntry | undefined, next: AuditEntry): AuditEntry {
  if (first === undefined) return next;
  return {
    ...first,
    ...lists('workloads_failed_detail', first.workloads_failed_detail, next.workloads_failed_detail),
    ...lists('workloads_recovered_detail', first.workloads_recovered_detail, next.workloads_recovered_detail),
  };
}

type ListField = 'workloads_failed_detail' | 'workloads_recovered_detail';

function lists(
  field: ListField,
  a: readonly string[] | undefined,
  b: readonly string[] | undefined,
): Partial<AuditEntry> {
  return a === undefined && b === undefined ? {} : { [field]: [...(a ?? []), ...(b ?? [])] };
}

function readLine(line: string): AuditEntry | undefined {
  let json: unknown;
  try {
    json = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return undefined;
  return readEntry(json as Readonly<Record<string, unknown>>);
}

/** Takes from an entry of any age what it understands. Retired fields are kept under `details`, as they were written. */
function readEntry(json: Readonly<Record<string, unknown>>): AuditEntry | undefined {
  const { id, kind, title, actor } = json;
  const at = typeof json['at'] === 'string' ? Date.parse(json['at']) : Number.NaN;
  if (typeof id !== 'string' || typeof title !== 'string' || Number.isNaN(at)) return undefined;
  const recovered = json['workloads_recovered'];
  const result = json['result'];
  const completeness = json['completeness'];
  const details = { ...readDetails(json['details']), ...retired(json) };
  return {
    id,
    at,
    kind: typeof kind === 'string' ? kind : 'unknown',
    title,
    actor: typeof actor === 'string' ? actor : 'unknown',
    ...textField(json, 'trigger'),
    ...textField(json, 'reason'),
    ...(isResult(result) ? { result } : {}),
    ...(completeness === 'complete' || completeness === 'incomplete' ? { completeness } : {}),
    ...lists('workloads_failed_detail', readList(json['workloads_failed_detail']), undefined),
    ...(typeof recovered === 'number' ? { workloads_recovered: recovered } : {}),
    ...lists('workloads_recovered_detail', readList(json['workloads_recovered_detail']), undefined),
    ...(typeof json['durationMs'] === 'number' ? { durationMs: json['durationMs'] } : {}),
    ...(Object.keys(details).length === 0 ? {} : { details }),
  };
}

function textField(json: Readonly<Record<string, unknown>>, field: 'trigger' | 'reason'): Partial<AuditEntry> {
  const value = json[field];
  return typeof value === 'string' ? { [field]: value } : {};
}

function isResult(value: unknown): value is WakeResult {
  return value === 'failed' || value === 'incomplete' || value === 'success';
}

/** Old entries hold one text where new ones hold a list. */
function readList(value: unknown): readonly string[] | undefined {
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : undefined;
}

const retiredFields = ['workloads_not_ready', 'workloads_not_ready_detail'] as const;

function retired(json: Readonly<Record<string, unknown>>): Record<string, AuditDetail> {
  return readDetails(Object.fromEntries(retiredFields.map((field) => [field, json[field]])));
}

function readDetails(value: unknown): Record<string, AuditDetail> {
  if (typeof value !== 'object' || value === null) return {};
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, AuditDetail] => isDetail(entry[1])),
  );
}

function isDetail(value: unknown): value is AuditDetail {
  if (Array.isArray(value)) return value.every((item) => typeof item === 'string');
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}
