import type { AnswerOf } from '../../contract/operations.ts';
import { planOf } from '../../domain/schedule/plan.ts';
import type { ScheduleOverride } from '../../domain/schedule/week.ts';
import type { CompiledConfig } from '../../service/compiled-config.ts';
import { instant } from '../outlook/wire.ts';

/** The calendar, with the holidays of each day by name, whether the schedule acts on them or not. */
export function planAnswer(
  compiled: CompiledConfig,
  overrides: readonly ScheduleOverride[],
  from: number,
  days: number,
): AnswerOf<'schedule'>['plan'] {
  const plan = planOf(compiled.schedule(overrides), from, days);
  return {
    timezone: plan.timezone,
    from: instant(plan.from),
    to: instant(plan.to),
    days: plan.days.map(({ clockChange, ...day }) => ({
      ...day,
      from: instant(day.from),
      to: instant(day.to),
      holidays: compiled.holidays.on(day.date).map(({ name, region }) => ({ name, region })),
      ...(clockChange === undefined ? {} : { clockChange: { ...clockChange, at: instant(clockChange.at) } }),
    })),
    bands: plan.bands.map((band) => ({ ...band, from: instant(band.from), to: instant(band.to) })),
  };
}
