// A running wake as data. It is plain JSON (strings, numbers, arrays, objects without undefined values), small enough for a
// ConfigMap with 5,000 workloads: tiers by figures, workloads only where something out of the ordinary happened. What the
// pods tell (started, ready, restarted) is never kept; it is read again at every pass.

import type { EpochMs } from '../../workload.ts';
import type { ReasonCode } from './failure-sentence.ts';

export type ReleasedBy = 'settled' | 'barrier';
export type EndedBy = 'settled' | 'fail_open' | 'superseded' | 'not_observed';

export interface TierState {
  readonly name: string;
  /** The tier's barrier time-out. The last tier has no tier to let through, so its barrier never fires. */
  readonly barrierMs: number;
  /** How many workloads the tier began with. */
  readonly workloads: number;
  readonly databases: readonly string[];
  readonly startedAt?: EpochMs;
  /** Phase 1 is judged once: who is not written off then had started every replica. */
  readonly judgedAt?: EpochMs;
  readonly releasedAt?: EpochMs;
  readonly releasedBy?: ReleasedBy;
}

/** How a write-off was withdrawn; see `recovery.ts` for the words. */
export interface Lift {
  readonly at: EpochMs;
  readonly ending: 'restart' | 'waiting' | 'unmeasured' | 'back';
  /** The measured gap; absent for `unmeasured` and `back`. */
  readonly gapMs?: number;
  /** Restarts already made when it came up; restarts of a second breakdown are counted from here. */
  readonly restarts?: number;
  /** Not ready now, although the lift stands. */
  readonly broken?: true;
}

export interface WriteOff {
  readonly code: ReasonCode;
  readonly at: EpochMs;
  readonly ms?: number;
  readonly detail?: string;
  /** How long the kubelet may take to kill the container. Set on a first write-off because of the declared start-up budget. */
  readonly killMs?: number;
  /** Present on a write-off that came back after a lift: it gets no band. */
  readonly again?: true;
  readonly lift?: Lift;
}

/** A hosting cluster that a wake waits for before it begins, and how long at most. */
export interface WaitedHost {
  readonly cluster: string;
  readonly until: EpochMs;
  /** What was last wrong with it. */
  readonly why?: string;
}

export interface WakeState {
  readonly id: string;
  readonly startedAt: EpochMs;
  /** The derived fail-open, after `startedAt`, fixed at the start so that a later change of a spec cannot move it. */
  readonly failOpenMs: number;
  /** When a restarted controller took the wake over; gives the longer outside figure. */
  readonly resumedAt?: EpochMs;
  readonly tiers: readonly TierState[];
  /** By `workloadKey`. */
  readonly writeOffs: Readonly<Record<string, WriteOff>>;
  readonly endedAt?: EpochMs;
  readonly endedBy?: EndedBy;
}
