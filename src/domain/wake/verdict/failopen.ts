// When the whole wake stops waiting, whatever is missing.
//
// A workload raised at the start is written off at its ceiling at the latest, which lies the fail-open margin (2 minutes)
// before the fail-open. Its band of 5 minutes then ends 3 minutes past the fail-open, and with the 45-second settle margin
// the wake is over 3m45s past it. After a restart a write-off can be late by up to that margin, so the band may begin at the
// fail-open itself: 5m45s. Bands are cut at these ends, so the outside figure holds for every wake.

import type { EpochMs } from '../../workload.ts';
import { type BudgetedSpec, workloadCeilingMs } from './budget.ts';
import type { WakeFigures } from './figures.ts';
import type { WakeState } from './wake-state.ts';

/** `specs` has one entry for each workload, undefined for one that could not be read. */
export function deriveFailOpenMs(specs: readonly (BudgetedSpec | undefined)[], figures: WakeFigures): number {
  let highest = 0;
  for (const spec of specs) highest = Math.max(highest, workloadCeilingMs(spec, figures));
  const derived = specs.length === 0 ? 0 : highest + figures.failOpenMarginMs;
  return Math.max(derived, figures.failOpenFloorMs);
}

/** No band of the wake may end after this. */
export function latestBandEnd(wake: WakeState, figures: WakeFigures): EpochMs {
  const late = wake.resumedAt === undefined ? figures.failOpenMarginMs : 0;
  return wake.startedAt + wake.failOpenMs + Math.max(0, figures.graceMs - late);
}

/** The hard deadline: the wake ends at this instant whatever is still starting. */
export function outsideAt(wake: WakeState, figures: WakeFigures): EpochMs {
  return latestBandEnd(wake, figures) + figures.settleMarginMs;
}

/** `bandEnds`: the ends of the bands that are live, or ended so recently that their settle margin still runs. */
export function failOpenAt(wake: WakeState, bandEnds: readonly EpochMs[], figures: WakeFigures): EpochMs {
  let due = wake.startedAt + wake.failOpenMs;
  for (const end of bandEnds) due = Math.max(due, end + figures.settleMarginMs);
  return Math.min(due, outsideAt(wake, figures));
}
