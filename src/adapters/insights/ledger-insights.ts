import type { Config } from '../../config/config.ts';
import type { Night } from '../../domain/cost/amounts.ts';
import type { DatabaseHours } from '../../domain/cost/report.ts';
import type { DayRow, LedgerDays, LedgerHead } from '../../domain/insight/ledger.ts';
import { decodeHead, decodeMonth, headKey } from '../../domain/insight/ledger-text.ts';
import { insightsReport } from '../../domain/insight/report.ts';
import type { InsightsRange, InsightsReading } from '../../ports/insights.ts';
import type { StateStore } from '../../state/state-store.ts';

/** Savings from the books that the controller keeps in ConfigMap `svc-insights`. */
export class LedgerInsights {
  readonly #store: Pick<StateStore, 'read'>;
  readonly #config: () => Config;

  constructor(store: Pick<StateStore, 'read'>, config: () => Config) {
    this.#store = store;
    this.#config = config;
  }

  async read(range: InsightsRange = {}): Promise<InsightsReading> {
    const { insights, workingHours } = this.#config();
    if (!insights.enabled) return unavailable(false, 'config.insights.enabled is false');
    try {
      const { head, days } = await this.#ledger(range);
      if (head.accountedUntil === undefined) return unavailable(true, 'Nothing has been accounted for yet');
      const report = insightsReport({ timezone: workingHours.timezone, head, days, factors: insights });
      return { enabled: true, available: true, report };
    } catch (error) {
      return unavailable(true, error instanceof Error ? error.message : String(error));
    }
  }

  async nights(): Promise<readonly Night[]> {
    return headOf((await this.#store.read()).data).nights;
  }

  async databaseHours(): Promise<ReadonlyMap<string, DatabaseHours>> {
    const { days } = await this.#ledger({});
    const totals = new Map<string, DatabaseHours>();
    for (const name of Object.keys(this.#config().databases)) totals.set(name, { saved: 0, ran: 0 });
    for (const { databases } of days.values()) {
      for (const [name, { saved, ran }] of databases) {
        const known = totals.get(name);
        if (known !== undefined) totals.set(name, { saved: known.saved + saved, ran: known.ran + ran });
      }
    }
    return totals;
  }

  async #ledger({ from = '', to = '9999-12-31' }: InsightsRange): Promise<{ head: LedgerHead; days: LedgerDays }> {
    const { data } = await this.#store.read();
    const days = new Map<string, DayRow>();
    for (const [month, text] of Object.entries(data)) {
      if (month === headKey || month < from.slice(0, 7) || month > to.slice(0, 7)) continue;
      const decoded = decodeMonth(text);
      if (decoded === undefined) throw new Error(`The books of ${month} in ConfigMap svc-insights cannot be decoded`);
      for (const [date, row] of decoded) if (date >= from && date <= to) days.set(date, row);
    }
    return { head: headOf(data), days };
  }
}

function headOf(data: Readonly<Record<string, string>>): LedgerHead {
  const head = decodeHead(data[headKey]);
  if (head === undefined) throw new Error(`The value of ${headKey} in ConfigMap svc-insights cannot be decoded`);
  return head;
}

function unavailable(enabled: boolean, message: string): InsightsReading {
  return { enabled, available: false, message, report: null };
}
