import type { CompiledSchedule } from '../schedule/compile.ts';
import type { EpochMs } from '../workload.ts';
import { accountSpan, type SampledUse } from './account.ts';
import type { EnergyFactors } from './energy.ts';
import { type InsightsReport, insightsReport } from './report.ts';

const days = 7;

export interface ProjectionInputs {
  readonly now: EpochMs;
  readonly timezone: string;
  readonly schedule: CompiledSchedule;
  readonly uses: readonly SampledUse[];
  readonly databases: readonly string[];
  readonly factors: EnergyFactors;
}

/**
 * The coming seven whole days, had everything slept exactly as the schedule says: the books and the formulas of what was
 * measured, with `planned` alone filled. It is no measurement, and whoever shows it says so.
 */
export function projectionOf({ now, timezone, schedule, uses, databases, factors }: ProjectionInputs): InsightsReport {
  const { zone } = schedule;
  const { day } = zone.wallTime(now);
  const span = { from: zone.firstReading(day + 1, 0), to: zone.firstReading(day + 1 + days, 0) };
  const running = uses.map(({ namespace, request }) => ({ namespace, request }));
  const sample = { uses: running, databases: databases.map((name) => ({ name })) };
  const ledger = accountSpan(new Map(), span, sample, schedule);
  return insightsReport({ timezone, head: { nights: [] }, days: ledger, factors });
}
