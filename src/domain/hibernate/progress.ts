// A running hibernation for the screen: tiers as steps, and what the one under work still waits for.

import type { EpochMs } from '../workload.ts';

export interface HibernationTier {
  readonly name: string;
  readonly state: 'waiting' | 'running' | 'released';
  /** Its time-out passed before all its pods were gone, and the next tier was not held up any longer. */
  readonly timedOut: boolean;
  readonly startedAt?: EpochMs;
  /** When the next tier stops waiting for this one. */
  readonly deadlineAt?: EpochMs;
  readonly workloads: number;
  /** How many of them are down, their pods gone. */
  readonly down: number;
  readonly databases: readonly string[];
}

export interface HibernationProgress {
  readonly id: string;
  readonly startedAt: EpochMs;
  readonly endedAt?: EpochMs;
  /** `stopped`: the cluster was wanted up again before everything slept. */
  readonly endedBy?: 'complete' | 'stopped';
  readonly down: number;
  readonly total: number;
  /** In hibernate order. Empty in the last frame of one that was stopped: there is nothing left to go through. */
  readonly tiers: readonly HibernationTier[];
  /** Still to be recorded, lowered or suspended in the tier under work. */
  readonly toLower: number;
  /** Lowered, and their pods are not gone yet. */
  readonly draining: readonly string[];
  /** What the cluster would not let us lower, with its own words. */
  readonly failed: Readonly<Record<string, string>>;
  /** Raised by their owners meanwhile, and left alone. */
  readonly respected: readonly string[];
}
