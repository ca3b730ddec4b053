import type { HolidayOff } from '../schedule/week.ts';
import type { Holiday, HolidayData } from './holiday-data.ts';
import { daysOff, holidayProblems, holidaysOf, loadHolidayData } from './holidays.ts';

/** `config.holidays`. */
export interface HolidaySettings {
  readonly regions: readonly string[];
  readonly act: boolean;
}

const none: readonly never[] = Object.freeze([]);

/**
 * The holidays of the configured regions, ready to be asked on every pass. The same settings give the very same list, so
 * that a schedule compiled from it stays valid. Until the data is loaded there are none.
 */
export class HolidayCalendar {
  #data: HolidayData | undefined;
  #known: { readonly key: string; readonly shown: readonly Holiday[]; readonly off: readonly HolidayOff[] } | undefined;

  /** Loads the data if any region is configured; answers what is wrong with the regions, in sentences. */
  async load(regions: readonly string[]): Promise<readonly string[]> {
    if (regions.length === 0) return none;
    this.#data ??= await loadHolidayData();
    return holidayProblems(this.#data, regions);
  }

  /** For the calendar, whether acted on or not. */
  shown(settings: HolidaySettings): readonly Holiday[] {
    return this.#of(settings)?.shown ?? none;
  }

  /** For the schedule: none unless the configuration says to act on them. */
  off(settings: HolidaySettings): readonly HolidayOff[] {
    return settings.act ? (this.#of(settings)?.off ?? none) : none;
  }

  /** The last year of which it knows; nothing is known of later ones. */
  get lastYear(): number | undefined {
    return this.#data?.lastYear;
  }

  #of({ regions }: HolidaySettings) {
    const data = this.#data;
    if (data === undefined || regions.length === 0) return undefined;
    const key = regions.join(' ');
    if (this.#known?.key !== key) {
      const shown = holidaysOf(data, regions, '0000-01-01', '9999-12-31');
      this.#known = { key, shown, off: daysOff(shown) };
    }
    return this.#known;
  }
}
