import type { Config } from '../../config/config.ts';
import { dayMs, type HourCost, type Night } from '../../domain/cost/amounts.ts';
import { estimateByDay, estimateByHour, type SavingsEstimate } from '../../domain/cost/estimate.ts';
import { type ParameterSize, statisticsParameter } from '../../domain/cost/parameter-size.ts';
import { lastRefreshAt, nextRefreshAt, retryDelayMs } from '../../domain/cost/refresh.ts';
import { costReport, type DatabaseHours } from '../../domain/cost/report.ts';
import {
  areOf,
  type CostStatistics,
  decodeStatistics,
  fitStatistics,
  mergeDays,
  mergeMonths,
  mergeStatistics,
} from '../../domain/cost/statistics.ts';
import type { Clock } from '../../ports/clock.ts';
import type { CostReading } from '../../ports/costs.ts';
import { cloudError, cloudWords } from './cloud-error.ts';
import type { CallLog } from './connection.ts';
import { costConnection, statisticsConnection } from './cost-connections.ts';
import { type CostQuestion, costQueries } from './cost-explorer.ts';
import { cloudSources, databaseRates } from './database-rates.ts';
import { parameterStore } from './parameter-store.ts';

export interface CostDeskOptions {
  readonly clock: Clock;
  readonly log: CallLog;
  /** The configuration in force. The desk hears of every change by itself: nobody has to remember to tell it. */
  readonly configuration: { current(): Config; onChange(listener: () => void): () => void };
  /** When the cluster slept, for the estimate. */
  nights(): Promise<readonly Night[]>;
  /** Hours that each database was stopped and ran, over the same time. */
  databaseHours(): Promise<ReadonlyMap<string, DatabaseHours>>;
  /** Hears how large the stored statistics are, when they are read and when they are written. Never rejects. */
  stored(size: ParameterSize): Promise<void>;
  /** An emulator's address instead of the public ones. */
  readonly endpoint?: string;
}

/** The cloud keeps hourly figures for two weeks; the first day of them is no longer whole. */
const hourlyDays = 13;
const dailyDays = 92;
/** The cloud corrects the figures of the last days. */
const correctedDays = 7;

/** Asks the cloud for costs once a day, keeps them in the parameter store, and answers from memory. */
export class CostDesk {
  readonly #options: CostDeskOptions;
  #statistics: CostStatistics | undefined;
  #hours: readonly HourCost[] = [];
  #unpriced: ReadonlyMap<string, string> = new Map();
  #problem: string | undefined;
  #failures = 0;
  #cancel: () => void = () => {};
  #unsubscribe: () => void = () => {};
  #stopped = false;
  /** What the figures are of, by everything that changes what is queried. */
  #of: string | undefined;
  /** The question changed while we ran: what is stored was answered before, so it is asked whatever the time. */
  #mustAsk = false;
  /** The settings that the timer was set by. */
  #settings: string | undefined;
  /** The tags that the stored figures bear, as far as this process knows: at its start those that are configured. */
  #tags: string | undefined;
  /** Figures that could not be read are not written over: they go back further than what the cloud still tells. */
  #mayStore = false;
  #turns: Promise<void> = Promise.resolve();

  constructor(options: CostDeskOptions) {
    this.#options = options;
  }

  /** Refreshes if a refresh was missed, then daily at the configured time. Resolves when the first look is over. */
  async start(): Promise<void> {
    this.#stopped = false;
    this.#unsubscribe = this.#options.configuration.onChange(() => {
      // Another cluster, another metric, another time, or on and off.
      if (this.#settings !== settingsOf(this.#config())) void this.#turn();
    });
    await this.#turn();
  }

  stop(): void {
    this.#stopped = true;
    this.#unsubscribe();
    this.#cancel();
  }

  /** From memory: a question never asks the cloud, whose every answer costs money. */
  async read(): Promise<CostReading> {
    const config = this.#config();
    const { awsCosts } = config;
    if (!awsCosts.enabled)
      return { enabled: false, available: false, message: 'config.awsCosts.enabled is false', report: null };
    // Between a change of the configuration and its first query, what is known is the answer to another question.
    const current = this.#of === queryOf(config);
    const statistics = current ? this.#statistics : undefined;
    if (statistics === undefined) {
      const message = (current ? this.#problem : undefined) ?? 'Costs have not been queried yet';
      return { enabled: true, available: false, message, report: null };
    }
    const report = costReport({
      statistics,
      estimate: await this.#estimate(statistics),
      tag: { key: awsCosts.tagKey, value: awsCosts.tagValue },
      nextRefreshAt: nextRefreshAt(this.#options.clock.now(), awsCosts.refreshTimeUTC),
      databases: await this.#options.databaseHours().catch(() => new Map()),
      unpriced: this.#unpriced,
      ...(this.#problem === undefined ? {} : { problem: this.#problem }),
    });
    return {
      enabled: true,
      available: true,
      ...(this.#problem === undefined ? {} : { message: this.#problem }),
      report,
    };
  }

  /** One after the other: a change of the configuration may come in the middle of a refresh. */
  #turn(): Promise<void> {
    this.#turns = this.#turns.then(() => this.#turnOnce());
    return this.#turns;
  }

  async #turnOnce(): Promise<void> {
    const { clock } = this.#options;
    const config = this.#config();
    this.#cancel();
    if (this.#stopped) return;
    this.#settings = settingsOf(config);
    if (this.#of !== queryOf(config)) this.#forget(queryOf(config));
    const { awsCosts } = config;
    if (!awsCosts.enabled) return;
    this.#tags ??= tagsOf(config);
    const due = () => (this.#statistics?.refreshedAt ?? 0) < lastRefreshAt(clock.now(), awsCosts.refreshTimeUTC);
    try {
      if (!this.#mayStore) this.#statistics = mergeStatistics(await this.#stored(config), this.#statistics);
      if (this.#mustAsk || due()) await this.#refresh(config);
      else if (this.#tags !== tagsOf(config)) await this.#store(config);
      this.#mustAsk = false;
      this.#problem = undefined;
      this.#failures = 0;
    } catch (error) {
      this.#failures++;
      this.#problem = problemOf(error);
      this.#options.log.logger.warn('Costs could not be refreshed', { error: this.#problem, failures: this.#failures });
    }
    if (this.#stopped) return;
    const next = nextRefreshAt(clock.now(), awsCosts.refreshTimeUTC) - clock.now();
    const wait = this.#failures === 0 ? next : Math.min(next, retryDelayMs(this.#failures));
    this.#cancel = clock.after(wait, () => void this.#turn());
  }

  #forget(query: string): void {
    this.#mustAsk = this.#of !== undefined;
    this.#of = query;
    this.#statistics = undefined;
    this.#mayStore = false;
    this.#hours = [];
    this.#unpriced = new Map();
    this.#problem = undefined;
    this.#failures = 0;
  }

  async #stored(config: Config): Promise<CostStatistics | undefined> {
    const { logger } = this.#options.log;
    const store = await parameterStore(statisticsConnection(config, this.#options.endpoint), this.#options.log);
    try {
      const parameter = statisticsParameter(config.awsCosts.tagValue);
      const text = await store.read(parameter);
      this.#mayStore = true;
      // The next refresh may be a day away; until then this is what there is to measure.
      if (text !== undefined) await this.#options.stored({ parameter, bytes: Buffer.byteLength(text) });
      const statistics = text === undefined ? undefined : decodeStatistics(text);
      if (text !== undefined && statistics === undefined) {
        logger.warn('The stored cost statistics cannot be decoded and are made anew');
      }
      // Figures of another metric or tag are no base for these.
      return statistics !== undefined && areOf(statistics, wantedOf(config)) ? statistics : undefined;
    } catch (error) {
      logger.warn('The stored cost statistics could not be read and are left as they are', { error: problemOf(error) });
      return undefined;
    } finally {
      store.destroy();
    }
  }

  async #refresh(config: Config): Promise<void> {
    const { clock, log } = this.#options;
    const { tagKey, tagValue, costMetric: metric, hourlyGranularity } = config.awsCosts;
    const today = Math.floor(clock.now() / dayMs) * dayMs;
    const known = this.#statistics;
    const lastFinal = known?.days.findLast(({ provisional }) => !provisional)?.date;
    const from =
      lastFinal === undefined
        ? today - dailyDays * dayMs
        : Math.min(today, Date.parse(lastFinal)) - correctedDays * dayMs;
    const question: CostQuestion = {
      tagKey,
      tagValue,
      metric,
      from: Math.max(from, today - dailyDays * dayMs),
      to: today,
    };
    const queries = await costQueries(costConnection(config, this.#options.endpoint), log);
    try {
      const { days: fresh, currency } = await queries.days(question);
      this.#hours = hourlyGranularity
        ? await this.#hourly(() => queries.hours({ ...question, from: today - hourlyDays * dayMs }))
        : [];
      const days = mergeDays(known?.days ?? [], fresh);
      const rates = await this.#rates(config, known);
      const refreshed = {
        refreshedAt: clock.now(),
        ...wantedOf(config),
        currency,
        days,
        months: mergeMonths(known?.months ?? new Map(), days),
        rates,
      };
      const estimate = await this.#estimate({ ...refreshed, saved: new Map() });
      const saved = new Map([...(known?.saved ?? []), ...(estimate.known ? estimate.byDate : [])]);
      this.#statistics = { ...refreshed, saved };
      this.#problem = undefined;
    } finally {
      queries.destroy();
    }
    log.logger.info('Costs refreshed', { days: this.#statistics.days.length, hours: this.#hours.length });
    await this.#store(config);
  }

  /** An account that has not opted in to hourly figures still has daily ones. */
  async #hourly(ask: () => Promise<readonly HourCost[]>): Promise<readonly HourCost[]> {
    try {
      return await ask();
    } catch (error) {
      const known = cloudError(error);
      if (known.kind === 'throttled' || known.kind === 'no-answer') throw error;
      this.#options.log.logger.warn('Costs by the hour are not available; the days are used', {
        error: cloudWords(known),
      });
      return [];
    }
  }

  async #rates(config: Config, known: CostStatistics | undefined): Promise<ReadonlyMap<string, number>> {
    const { endpoint, log } = this.#options;
    const found = await databaseRates(config, costConnection(config, endpoint), log, cloudSources).catch(
      (error: unknown) => {
        log.logger.warn('Prices of databases could not be read', { error: problemOf(error) });
        return undefined;
      },
    );
    const configured = (name: string) => Object.hasOwn(config.databases, name);
    if (found === undefined) return new Map([...(known?.rates ?? [])].filter(([name]) => configured(name)));
    this.#unpriced = new Map([...found].flatMap(([name, rate]) => (rate.known ? [] : [[name, rate.why] as const])));
    return new Map([...found].flatMap(([name, rate]) => (rate.known ? [[name, rate.hourly] as const] : [])));
  }

  /** A store that takes nothing loses no figures for now: they are in memory, and asked for again after a restart. */
  async #store(config: Config): Promise<void> {
    const { log } = this.#options;
    const statistics = this.#statistics;
    if (!this.#mayStore || statistics === undefined) return;
    const parameter = statisticsParameter(config.awsCosts.tagValue);
    const fitted = fitStatistics(statistics);
    if (fitted.dropped.days + fitted.dropped.rates > 0) {
      log.logger.warn('Cost statistics were cut to fit into a parameter', { parameter, ...fitted.dropped });
    }
    const store = await parameterStore(statisticsConnection(config, this.#options.endpoint), log);
    try {
      await store.write(parameter, fitted.text, config.awsCosts.resourceTags);
      this.#tags = tagsOf(config);
      await this.#options.stored({ parameter, bytes: fitted.bytes });
    } catch (error) {
      log.logger.warn('Cost statistics could not be stored', { parameter, error: problemOf(error) });
    } finally {
      store.destroy();
    }
  }

  async #estimate(statistics: CostStatistics): Promise<SavingsEstimate> {
    let nights: readonly Night[];
    try {
      nights = await this.#options.nights();
    } catch (error) {
      return { known: false, why: `When the cluster slept cannot be read: ${String(error)}` };
    }
    const byHour = this.#hours.length === 0 ? undefined : estimateByHour(this.#hours, nights);
    if (byHour?.known === true) return byHour;
    return estimateByDay(
      statistics.days.filter(({ provisional }) => !provisional),
      nights,
    );
  }

  #config(): Config {
    return this.#options.configuration.current();
  }
}

/** Everything that changes what is asked, of whom, or what is made of the answers. */
function queryOf({ awsCosts, databases, proxyURL }: Config): string {
  const { enabled: _on, refreshTimeUTC: _time, resourceTags: _tags, cacheTTL: _ignored, ...asked } = awsCosts;
  return JSON.stringify([asked, databases, proxyURL]);
}

function settingsOf({ awsCosts, databases, proxyURL }: Config): string {
  const { cacheTTL: _ignored, ...heard } = awsCosts;
  return JSON.stringify([heard, databases, proxyURL]);
}

function tagsOf({ awsCosts }: Config): string {
  return JSON.stringify(awsCosts.resourceTags);
}

function wantedOf({ awsCosts: { costMetric, tagKey, tagValue } }: Config) {
  return { metric: costMetric, tag: [tagKey, tagValue] as const };
}

function problemOf(error: unknown): string {
  const known = cloudError(error);
  return known.kind === 'denied' ? `Access denied: ${cloudWords(known)}` : cloudWords(known);
}
