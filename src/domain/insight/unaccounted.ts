import type { EpochMs } from '../workload.ts';
import type { Sample, Span } from './account.ts';

/** When a sample was taken, on both clocks. */
export interface SampledAt {
  readonly wall: EpochMs;
  readonly monotonic: number;
}

/** A controller that was away longer has no say about the time in between. */
const longestAbsenceMs = 7 * 24 * 3_600_000;
/** A larger difference between wall and monotonic clock is a jump of the wall clock, not drift. */
const driftMs = 60_000;
/** Books that end later than this from now were kept on a wrong clock. */
const wrongClockMs = 24 * 3_600_000;

/**
 * The span that is not in the books yet and may be entered. The wall clock can jump: time that has not passed on the
 * monotonic clock has not been saved either, and what is in the books already is not entered again.
 */
export function unaccountedSpan(
  accountedUntil: EpochMs | undefined,
  sampledAt: SampledAt | undefined,
  now: SampledAt,
): Span | undefined {
  const booked = accountedUntil !== undefined && accountedUntil <= now.wall + wrongClockMs ? accountedUntil : undefined;
  if (booked === undefined && sampledAt === undefined) return undefined;
  const earliest = sampledAt === undefined ? now.wall - longestAbsenceMs : passedSince(sampledAt, now);
  const from = Math.max(earliest, booked ?? earliest);
  return from < now.wall ? { from, to: now.wall } : undefined;
}

function passedSince(sampledAt: SampledAt, now: SampledAt): EpochMs {
  const passed = now.monotonic - sampledAt.monotonic;
  const jumped = now.wall - sampledAt.wall > passed + driftMs;
  return jumped ? now.wall - passed : sampledAt.wall;
}

/**
 * After a restart nobody remembers the last sample. What is down now has been down since its record says; what is up
 * now may have been either, so nothing is said about it.
 */
export function sampleAfterAbsence(sample: Sample): Sample {
  return {
    ...sample,
    uses: sample.uses.filter(({ downSince }) => downSince !== undefined),
    databases: sample.databases.filter(({ downSince }) => downSince !== undefined),
  };
}
