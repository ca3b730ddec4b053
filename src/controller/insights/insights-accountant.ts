import { Counter, type Registry } from 'prom-client';
import { accountHead, accountSpan, condensed, type Sample } from '../../domain/insight/account.ts';
import { boundHead, boundLedger } from '../../domain/insight/bounds.ts';
import { addDays, type DayRow, type LedgerDays, type LedgerHead } from '../../domain/insight/ledger.ts';
import {
  decodeHead,
  decodeMonth,
  encodeHead,
  encodeMonth,
  headKey,
  monthOf,
} from '../../domain/insight/ledger-text.ts';
import { savedCoreHours } from '../../domain/insight/report.ts';
import { type SampledAt, sampleAfterAbsence, unaccountedSpan } from '../../domain/insight/unaccounted.ts';
import type { Architecture } from '../../domain/workload.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import { scheduleOverrides } from '../../state/intents/schedule-overrides.ts';
import { StateUndecodable } from '../../state/session/state-errors.ts';
import type { StateStore, StoredState } from '../../state/state-store.ts';
import { type EndedPass, sampleOf } from './sample.ts';

export interface AccountantOptions {
  /** ConfigMap `svc-insights`. */
  readonly store: StateStore;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly registry: Registry;
  /** The kind of node that a workload is taken to run on when its template leaves it open. */
  readonly usualArchitecture: Architecture;
  /** A change of what sleeps is written at once; the hours that pass meanwhile, this often. */
  readonly writeEveryMs?: number;
}

interface Books {
  readonly base: StoredState;
  readonly head: LedgerHead;
  /** The months that are open; the others stay as texts in `base`. */
  readonly days: LedgerDays;
}

const hourMs = 3_600_000;

/**
 * Keeps the books on what hibernation saves. Fed at the end of every pass; it never throws and never holds a pass up for
 * longer than one read or write of its ConfigMap, at most one an hour while nothing changes.
 */
export class InsightsAccountant {
  readonly #options: AccountantOptions;
  readonly #saved: Counter;
  #books: Books | undefined;
  #last: { readonly sample: Sample; readonly at: SampledAt } | undefined;
  #writtenAt = Number.NEGATIVE_INFINITY;
  #askAgainAt = Number.NEGATIVE_INFINITY;
  #dirty = false;

  constructor(options: AccountantOptions) {
    this.#options = options;
    this.#saved = new Counter({
      name: 'svc_saved_core_hours_total',
      help: 'Core-hours that hibernated workloads did not request.',
      registers: [options.registry],
    });
  }

  async observe(context: EndedPass): Promise<void> {
    try {
      await this.#observe(context);
    } catch (error) {
      this.#close();
      // The pass tells once of a key that cannot be decoded; the books wait for its repair.
      if (error instanceof StateUndecodable) return;
      this.#options.logger.warn('Savings could not be accounted for', { error: String(error) });
    }
  }

  /** Writes what has not been written yet: before the process ends. */
  async flush(): Promise<void> {
    if (this.#books !== undefined && this.#dirty) await this.#write(this.#books);
  }

  async #observe(context: EndedPass): Promise<void> {
    const { insights, operations } = context.compiled.config;
    // A dry run writes nothing, books included; what slept before it is entered from its record afterwards.
    if (!insights.enabled || operations.dryRun) return this.#close();
    const { clock } = this.#options;
    const at = { wall: clock.now(), monotonic: clock.monotonic() };
    // The state first: while it cannot be decoded, the books need not be read.
    const sample = sampleOf(context, this.#options.usualArchitecture);
    const schedule = context.compiled.schedule(context.session.get(scheduleOverrides));
    const books = await this.#open();
    if (books === undefined) return;
    const span = unaccountedSpan(books.head.accountedUntil, this.#last?.at, at);
    if (span !== undefined) {
      const held = this.#last?.sample ?? sampleAfterAbsence(sample);
      this.#enter(books, accountSpan(new Map(), span, held, schedule), accountHead(books.head, span, held));
    } else if (books.head.accountedUntil === undefined) {
      this.#enter(books, new Map(), { ...books.head, accountedUntil: at.wall });
    }
    const changed = this.#last === undefined || shapeOf(this.#last.sample) !== shapeOf(sample);
    this.#last = { sample: condensed(sample, at.wall), at };
    const due = at.monotonic - this.#writtenAt >= (this.#options.writeEveryMs ?? hourMs);
    if (this.#dirty && (due || changed)) await this.flush();
  }

  /** Adds the new rows to the books. */
  #enter(books: Books, added: LedgerDays, head: LedgerHead): void {
    const days = new Map(books.days);
    for (const [date, row] of added) days.set(date, addDays(days.get(date), row));
    this.#books = { ...books, head: boundHead(head, this.#options.clock.now()), days };
    this.#saved.inc(savedCoreHours(added));
    // An hour in which nothing slept and nothing should have is no reason to write.
    const matters = [...added.values()].some(({ asleepHours, plannedHours }) => asleepHours + plannedHours > 0);
    this.#dirty ||= matters || books.head.accountedUntil === undefined || savedCoreHours(added) > 0;
  }

  async #open(): Promise<Books | undefined> {
    if (this.#books !== undefined) return this.#books;
    const { clock, logger, store } = this.#options;
    if (clock.monotonic() < this.#askAgainAt) return undefined;
    this.#askAgainAt = clock.monotonic() + hourMs;
    const base = await store.read();
    const head = decodeHead(base.data[headKey]);
    const days = openDays(base, clock.now());
    if (head === undefined || days === undefined) {
      logger.warn(
        'The books on savings cannot be decoded: they are left as they are until they are repaired or deleted',
      );
      return undefined;
    }
    this.#books = { base, head, days };
    return this.#books;
  }

  async #write(books: Books): Promise<void> {
    const changes = changesOf(books, this.#options.clock.now());
    const written = await this.#options.store.write(books.base, changes);
    this.#writtenAt = this.#options.clock.monotonic();
    if (written.outcome === 'done') {
      this.#books = { ...books, base: written.state, days: stillOpen(books.days, this.#options.clock.now()) };
      this.#dirty = false;
      return;
    }
    this.#options.logger.warn('The books on savings could not be written', { outcome: written.outcome });
    // What others wrote since counts; what is down now is entered again from its record.
    if (written.outcome === 'conflict' || written.outcome === 'unknown') this.#close();
  }

  #close(): void {
    this.#books = undefined;
    this.#last = undefined;
    this.#dirty = false;
    this.#askAgainAt = Number.NEGATIVE_INFINITY;
  }
}

/** This month and the one before it: a span that is entered reaches back at most a week. */
function openMonths(now: number): ReadonlySet<string> {
  return new Set([now - 8 * 24 * hourMs, now, now + 24 * hourMs].map((at) => monthOf(new Date(at).toISOString())));
}

function openDays({ data }: StoredState, now: number): LedgerDays | undefined {
  const days = new Map<string, DayRow>();
  for (const month of openMonths(now)) {
    const decoded = decodeMonth(data[month] ?? '');
    if (decoded === undefined) return undefined;
    for (const [date, row] of decoded) days.set(date, row);
  }
  return days;
}

function stillOpen(days: LedgerDays, now: number): LedgerDays {
  const open = openMonths(now);
  return new Map([...days].filter(([date]) => open.has(monthOf(date))));
}

function changesOf({ base, head, days }: Books, now: number): Readonly<Record<string, string | undefined>> {
  const changes: Record<string, string | undefined> = { [headKey]: encodeHead(head) };
  for (const [month, rows] of Map.groupBy(days, ([date]) => monthOf(date))) {
    const text = encodeMonth(new Map(rows));
    if (text !== base.data[month]) changes[month] = text;
  }
  const after = Object.fromEntries(
    Object.entries({ ...base.data, ...changes }).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
  return { ...changes, ...boundLedger(after, now) };
}

/** What sleeps, without since when: a change of it is worth a write. */
function shapeOf({ asleepSince, uses, databases }: Sample): string {
  let down = 0;
  for (const { request, downSince } of uses)
    if (downSince !== undefined) down += request.amd64 + request.arm64 + request.memory;
  const stopped = databases.filter(({ downSince }) => downSince !== undefined).length;
  return `${asleepSince !== undefined} ${down.toFixed(6)} ${stopped}`;
}
