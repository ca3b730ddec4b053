import { holidayDataEnd } from '../domain/holiday/data-end.ts';
import type { HolidayData } from '../domain/holiday/holiday-data.ts';
import { holidayProblems, loadHolidayData } from '../domain/holiday/holidays.ts';
import {
  type HolidaySettings,
  noHolidays,
  type RegionalHolidays,
  regionalHolidays,
} from '../domain/holiday/regional-holidays.ts';
import type { Clock } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';

const weekMs = 7 * 86_400_000;

/** Holidays of the configured regions. Their data is large, so it is loaded by who has configured a region. */
export class HolidaySource {
  readonly #clock: Clock;
  readonly #logger: Logger;
  #data: HolidayData | undefined;
  #cancel: () => void = () => {};

  constructor(clock: Clock, logger: Logger) {
    this.#clock = clock;
    this.#logger = logger;
  }

  /** A promise only where the data has to be loaded first. */
  of(settings: HolidaySettings): RegionalHolidays | Promise<RegionalHolidays> {
    if (settings.regions.length === 0) {
      this.stop();
      return noHolidays;
    }
    return this.#data === undefined ? this.#load(settings) : this.#read(settings, this.#data);
  }

  stop(): void {
    this.#cancel();
  }

  async #load(settings: HolidaySettings): Promise<RegionalHolidays> {
    this.#data = await loadHolidayData();
    return this.#read(settings, this.#data);
  }

  #read(settings: HolidaySettings, data: HolidayData): RegionalHolidays {
    for (const problem of holidayProblems(data, settings.regions)) {
      this.#logger.warn('A holiday region is not known', { problem });
    }
    this.#watchTheEnd(data);
    return regionalHolidays(settings, data);
  }

  /** A process may run for longer than a year, so it is looked at again. */
  #watchTheEnd(data: HolidayData): void {
    this.#cancel();
    const problem = holidayDataEnd(data.lastYear, this.#clock.now());
    if (problem !== undefined) this.#logger.warn('The holiday data ends', { problem });
    this.#cancel = this.#clock.after(weekMs, () => this.#watchTheEnd(data));
  }
}
