import type { AnswerOf } from '../../../src/contract/contract.ts';

type Log = AnswerOf<'audit'>;
type AuditEntry = Log['entries'][number];

interface LogQuery {
  readonly limit: number;
  readonly after?: string;
}

type ReadPage = (query: LogQuery) => Promise<Log>;

/** More than that no answer holds. */
const mostAtOnce = 1000;

/** The newest so many, in one piece however many arrive meanwhile: pages that were read at different times would leave a gap. */
export async function readNewest(read: ReadPage, count: number): Promise<Log> {
  let log = await read({ limit: Math.min(count, mostAtOnce) });
  while (log.next !== undefined && log.entries.length < count) {
    const left = count - log.entries.length;
    const page = await read({ limit: Math.min(left, mostAtOnce), after: log.next });
    log = { ...page, entries: [...log.entries, ...page.entries] };
  }
  return log;
}

/** One entry, however far back; null if the log does not have it. */
export async function findEntry(read: ReadPage, id: string): Promise<AuditEntry | null> {
  for (let after: string | undefined; ; ) {
    const page: Log = await read({ limit: mostAtOnce, ...(after === undefined ? {} : { after }) });
    const found = page.entries.find((entry) => entry.id === id);
    after = page.next;
    if (found !== undefined || after === undefined) return found ?? null;
  }
}
