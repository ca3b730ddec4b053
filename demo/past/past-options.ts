import type { Manifest } from '../../embedded-cluster/apply-objects.ts';
import type { EmbeddedCluster } from '../../embedded-cluster/embedded-cluster.ts';
import type { Clock } from '../../src/ports/clock.ts';
import type { PastClock } from './past-clock.ts';

export interface PastOptions {
  readonly clock: PastClock;
  readonly watchClock: Clock;
  readonly cluster: EmbeddedCluster;
  readonly namespace: string;
  readonly admin: string;
  readonly zone: string;
  /** The dates to live through, the oldest first; and those of them on which nobody works. */
  readonly dates: readonly Temporal.PlainDate[];
  readonly holidays: ReadonlySet<string>;
  /** The fleet as it is now, and as it was until the last of its working days. */
  readonly fleet: readonly Manifest[];
  /** What came to the cluster in each week; the first was there from the start. */
  readonly arrivals: readonly (readonly Manifest[])[];
  /** A workload of the fleet, in a release that cannot start and in the one before it. */
  readonly releases: { readonly good: Manifest; readonly bad: Manifest };
}
