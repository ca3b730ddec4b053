import type { EpochMs } from '../../workload.ts';
import type { WakeFigures } from './figures.ts';

/** When pods are looked at, and for which wake: what happened to them before `from` is none of its business. */
export interface Moment {
  readonly now: EpochMs;
  /** The start of the workload's tier. */
  readonly from: EpochMs;
  readonly figures: WakeFigures;
}
