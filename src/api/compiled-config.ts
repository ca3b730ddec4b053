import type { Config } from '../config/config.ts';
import { type CompiledSchedule, compileSchedule } from '../domain/schedule/compile.ts';
import { type HolidayOff, parseWeek, type ScheduleOverride, type WeekSchedule } from '../domain/schedule/week.ts';
import { type CompiledTargeting, compileTargeting } from '../domain/targeting/targeting.ts';

/** What is worked out once for a configuration rather than for every request. */
export class CompiledConfig {
  readonly config: Config;
  readonly targeting: CompiledTargeting;
  readonly #week: WeekSchedule;
  #last: { key: string; holidays: readonly HolidayOff[]; schedule: CompiledSchedule } | undefined;

  constructor(config: Config, ownNamespace: string) {
    const parsed = parseWeek(config.workingHours);
    if (!parsed.ok) throw new Error(`config.workingHours: ${parsed.problems[0]?.message}`);
    this.config = config;
    this.#week = parsed.week;
    this.targeting = compileTargeting({
      ownNamespace,
      targeting: config.targeting,
      neverScale: config.resourceRules.neverScale,
    });
  }

  schedule(overrides: readonly ScheduleOverride[], holidays: readonly HolidayOff[]): CompiledSchedule {
    const key = JSON.stringify(overrides);
    if (this.#last?.key !== key || this.#last.holidays !== holidays) {
      this.#last = { key, holidays, schedule: compileSchedule(this.#week, { overrides, holidays }) };
    }
    return this.#last.schedule;
  }
}
