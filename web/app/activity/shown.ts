import type { AnswerOf } from '../../../src/contract/contract.ts';

type Log = AnswerOf<'audit'>;
type AuditEntry = Log['entries'][number];

/** How many entries are drawn at first, and with each question for more. */
export const step = 100;

export interface Shown {
  readonly entries: readonly AuditEntry[];
  /** `100 of 1,000`; nothing where one step shows them all. */
  readonly words: string;
  /** How many the next step adds. */
  readonly next: number;
}

/** An answer may hold more than what was asked for here: it is kept from when somebody asked for more. */
export function shownOf({ entries: all, total }: Pick<Log, 'entries' | 'total'>, count: number): Shown {
  const entries = all.slice(0, count);
  const left = Math.max(0, total - entries.length);
  return {
    entries,
    words: total <= step ? '' : `${numbered(entries.length)} of ${numbered(total)}`,
    next: Math.min(step, left),
  };
}

/** The first that was not there before, further back; entries that have arrived since are in front of all. */
export function firstAdded(before: readonly AuditEntry[], now: readonly AuditEntry[]): string | undefined {
  const last = before.at(-1)?.id;
  return now[now.findIndex(({ id }) => id === last) + 1]?.id;
}

const numbered = (count: number) => count.toLocaleString('en-GB');
