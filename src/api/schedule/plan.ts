import type { AnswerOf } from '../../contract/operations.ts';
import type { CompiledSchedule } from '../../domain/schedule/compile.ts';
import { planOf } from '../../domain/schedule/plan.ts';
import { instant } from '../status/wire.ts';

export function planAnswer(schedule: CompiledSchedule, from: number, days: number): AnswerOf<'schedule'>['plan'] {
  const plan = planOf(schedule, from, days);
  return {
    timezone: plan.timezone,
    from: instant(plan.from),
    to: instant(plan.to),
    days: plan.days.map(({ clockChange, ...day }) => ({
      ...day,
      from: instant(day.from),
      to: instant(day.to),
      ...(clockChange === undefined ? {} : { clockChange: { ...clockChange, at: instant(clockChange.at) } }),
    })),
    bands: plan.bands.map((band) => ({ ...band, from: instant(band.from), to: instant(band.to) })),
  };
}
