import type { ScopedSnapshot } from '../snapshot/snapshot.ts';
import type { WatchOutages } from '../transition/watch-outages.ts';
import type { AdvanceWakeStep } from './course/advance-wake.ts';
import type { StartWakeStep } from './course/start-wake.ts';
import type { TakeOverStep } from './take-over.ts';

/** What bringing the cluster up, whole or in part, needs of a pass: beginning, advancing, repairing and ending a wake. */
export interface WakeStep extends StartWakeStep, AdvanceWakeStep, TakeOverStep {
  readonly snapshot: ScopedSnapshot;
  readonly watchOutages: WatchOutages;
}
