import type { AuditEntry } from './entry.ts';
import { entryLine } from './stored-entry.ts';

/** One ConfigMap `svc-audit-<number>`, whose one key holds lines of JSON. */
export interface AuditFile {
  readonly number: number;
  readonly text: string;
}

export const auditFileLimit = 262_144;
const auditFilesKept = 8;

export interface AppendPlan {
  /** To be written in this order: the newest file with its new text, then files that begin. */
  readonly writes: readonly AuditFile[];
  /** Numbers of the files that are past the retention; to be deleted after the writes. */
  readonly drops: readonly number[];
}

/**
 * Where a new entry goes. Appending the same entry again plans nothing, so an append whose answer was lost may be
 * repeated. An entry that is longer than a file goes on in further lines; none of its sentences is cut.
 */
export function planAppend(files: readonly AuditFile[], entry: AuditEntry): AppendPlan {
  const known = files.toSorted((a, b) => a.number - b.number);
  const last = known.at(-1);
  const lines = partsOf(entry).map(entryLine);
  const missing = lines.filter((line) => !known.some(({ text }) => text.includes(`${line}\n`)));
  const writes = new Map<number, string>();
  let { number, text } = last ?? { number: 0, text: '' };
  for (const line of missing) {
    const fits = text === '' || bytes(text) + bytes(line) + 1 <= auditFileLimit;
    if (!fits) {
      number++;
      text = '';
    }
    text = `${text}${line}\n`;
    writes.set(number, text);
  }
  const kept = new Set([...known.map((file) => file.number), ...writes.keys()]);
  const drops = [...kept].toSorted((a, b) => a - b).slice(0, -auditFilesKept);
  return { writes: [...writes].map(([number, text]) => ({ number, text })), drops };
}

/** Room for the fields around the lists; they are short, and the lists are not. */
const listRoom = auditFileLimit / 2;

/** The entry whole where it fits, else its lists over several entries of the same id. */
function partsOf(entry: AuditEntry): readonly AuditEntry[] {
  const { workloads_failed_detail: failed = [], workloads_recovered_detail: recovered = [], ...rest } = entry;
  if (bytes(entryLine(entry)) <= listRoom) return [entry];
  const { id, at, kind, title, actor } = entry;
  const more = { id, at, kind, title, actor };
  const parts = [
    ...chunks(failed).map((list) => ({ workloads_failed_detail: list })),
    ...chunks(recovered).map((list) => ({ workloads_recovered_detail: list })),
  ];
  if (parts.length === 0) return [entry];
  return parts.map((part, index) => (index === 0 ? { ...rest, ...part } : { ...more, ...part }));
}

function chunks(sentences: readonly string[]): string[][] {
  const all: string[][] = [];
  let room = 0;
  for (const sentence of sentences) {
    const size = bytes(JSON.stringify(sentence)) + 1;
    if (all.length === 0 || size > room) {
      all.push([]);
      room = listRoom;
    }
    all.at(-1)?.push(sentence);
    room -= size;
  }
  return all;
}

function bytes(text: string): number {
  return new TextEncoder().encode(text).length;
}
