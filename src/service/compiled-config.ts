import type { Config } from '../config/config.ts';
import { durationMs } from '../domain/duration.ts';
import { type CompiledSchedule, compileSchedule } from '../domain/schedule/compile.ts';
import { type HolidayOff, parseWeek, type ScheduleOverride } from '../domain/schedule/week.ts';
import { type CompiledTargeting, compileTargeting } from '../domain/targeting/targeting.ts';
import { standardFigures, type WakeFigures } from '../domain/wake/figures.ts';

/** What is worked out once for a configuration rather than on every pass. */
export interface CompiledConfig {
  readonly config: Config;
  readonly targeting: CompiledTargeting;
  readonly figures: WakeFigures;
  readonly reconcileMs: number;
  readonly hibernateTierMs: number;
  readonly wakeBarrierMs: number;
  schedule(overrides: readonly ScheduleOverride[], holidays: readonly HolidayOff[]): CompiledSchedule;
}

export function compileConfig(
  config: Config,
  ownNamespace: string,
  figures: WakeFigures = standardFigures,
): CompiledConfig {
  const { controller } = config;
  const week = parseWeek(config.workingHours);
  if (!week.ok) throw new Error(`config.workingHours.${week.problems[0]?.field}: ${week.problems[0]?.message}`);
  let last: { overrides: unknown; holidays: unknown; schedule: CompiledSchedule } | undefined;
  return {
    config,
    targeting: compileTargeting({
      ownNamespace,
      targeting: config.targeting,
      neverScale: config.resourceRules.neverScale,
    }),
    figures: { ...figures, settleTimeoutMs: durationMs(controller.workloadSettleTimeout) },
    reconcileMs: durationMs(controller.reconcileInterval),
    hibernateTierMs: durationMs(controller.hibernateTierTimeout),
    wakeBarrierMs: durationMs(controller.wakeBarrierTimeout),
    schedule(overrides, holidays) {
      const key = JSON.stringify(overrides);
      if (last?.overrides !== key || last.holidays !== holidays) {
        last = { overrides: key, holidays, schedule: compileSchedule(week.week, { overrides, holidays }) };
      }
      return last.schedule;
    },
  };
}
