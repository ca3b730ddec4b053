import type { EpochMs } from '../../workload.ts';
import type { WakeFigures } from './figures.ts';

/** When pods are looked at, and since when they count: what happened to them before `from` is no matter of this wake. */
export interface Moment {
  readonly now: EpochMs;
  /** The start of the workload's tier. */
  readonly from: EpochMs;
  readonly figures: WakeFigures;
}
