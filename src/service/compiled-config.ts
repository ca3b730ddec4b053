import type { Config } from '../config/config.ts';
import { durationMs } from '../domain/duration.ts';
import type { RegionalHolidays } from '../domain/holiday/regional-holidays.ts';
import { type KindTable, kindTable } from '../domain/kinds/kind-table.ts';
import { type CompiledSchedule, compileSchedule } from '../domain/schedule/compile.ts';
import { parseWeek, type ScheduleOverride } from '../domain/schedule/week.ts';
import { type CompiledTargeting, compileTargeting } from '../domain/targeting/targeting.ts';
import type { WakeFigures } from '../domain/wake/verdict/figures.ts';

/** A configuration and all that follows from it, worked out once rather than on every pass or request. */
export interface CompiledConfig {
  readonly config: Config;
  readonly targeting: CompiledTargeting;
  readonly kinds: KindTable;
  readonly figures: WakeFigures;
  readonly reconcileMs: number;
  readonly hibernateTierMs: number;
  readonly wakeBarrierMs: number;
  readonly holidays: RegionalHolidays;
  /** The week with these overrides, and with the holidays that are acted on. The same overrides give the same schedule. */
  schedule(overrides: readonly ScheduleOverride[]): CompiledSchedule;
}

export interface CompileOptions {
  /** The release namespace: never scaled. */
  readonly ownNamespace: string;
  /** Those of `config.holidays`. */
  readonly holidays: RegionalHolidays;
  /** The limits of a wake; the settle time-out in them comes from the configuration. */
  readonly figures: WakeFigures;
}

export function compileConfig(config: Config, { ownNamespace, holidays, figures }: CompileOptions): CompiledConfig {
  const { controller } = config;
  const week = parseWeek(config.workingHours);
  if (!week.ok) throw new Error(`config.workingHours.${week.problems[0]?.field}: ${week.problems[0]?.message}`);
  let last: { overrides: string; schedule: CompiledSchedule } | undefined;
  return {
    config,
    targeting: compileTargeting({
      ownNamespace,
      targeting: config.targeting,
      neverScale: config.resourceRules.neverScale,
    }),
    kinds: kindTable(config.targeting.kinds),
    figures: { ...figures, settleTimeoutMs: durationMs(controller.workloadSettleTimeout) },
    reconcileMs: durationMs(controller.reconcileInterval),
    hibernateTierMs: durationMs(controller.hibernateTierTimeout),
    wakeBarrierMs: durationMs(controller.wakeBarrierTimeout),
    holidays,
    schedule(overrides) {
      const key = JSON.stringify(overrides);
      if (last?.overrides !== key) {
        last = { overrides: key, schedule: compileSchedule(week.week, { overrides, holidays: holidays.off }) };
      }
      return last.schedule;
    },
  };
}
