import type { EpochMs } from '../workload.ts';

/**
 * What to say when the known holidays run out within a year, or have: from then on no holiday is shown or acted on.
 * Undefined while there is time.
 */
export function holidayDataEnd(lastYear: number, now: EpochMs): string | undefined {
  const year = new Date(now).getUTCFullYear();
  if (year < lastYear) return undefined;
  const remedy = 'upgrade to a release that knows later years';
  return year > lastYear
    ? `No holiday after ${lastYear} is known: none is shown or acted on; ${remedy}`
    : `No holiday after ${lastYear} is known; ${remedy} before the year ends`;
}
