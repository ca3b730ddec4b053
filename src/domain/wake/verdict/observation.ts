// What one pass gathered about a wake: plain values, one entry for each workload and database the wake is about.

import type { EpochMs, Scalable, WorkloadRef } from '../../workload.ts';
import type { PodView } from './pod.ts';

/**
 * What reading the workload gave. `unreadable`: its spec or its pods cannot be read, and what was known of them is old.
 * `left`: deleted, or taken over by its owner; the wake no longer asks about it.
 */
export type WorkloadReading =
  | { readonly kind: 'read'; readonly workload: Scalable }
  /** `reportedReady`: how many replicas its own status calls ready, where only the pods cannot be read. */
  | { readonly kind: 'unreadable'; readonly reportedReady?: number }
  /** Its own status says whether it is up; nothing is known of its pods. `since`: 0 where the status does not say. */
  | { readonly kind: 'reported'; readonly up: boolean; readonly since: EpochMs }
  | { readonly kind: 'left' };

export interface WorkloadObservation {
  readonly ref: WorkloadRef;
  /** Index into the wake's tiers. */
  readonly tier: number;
  /** The recorded count that the wake restores; 1 of what has no pods that we know of. */
  readonly replicas: number;
  readonly reading: WorkloadReading;
  readonly pods: readonly PodView[];
  /**
   * The cluster's message when it refused the scale-up and a retry at once would change nothing (a denial, an invalid
   * object). A conflict, a time-out or a throttled call is no refusal.
   */
  readonly refused?: string;
}

export type DatabaseStatus = 'available' | 'starting' | 'failed';

export interface DatabaseObservation {
  readonly name: string;
  readonly status: DatabaseStatus;
  /** When it became available or failed, where known; names the critical path. */
  readonly since?: EpochMs;
}

/** A CronJob that we suspended and that is suspended still. A wake waits for nothing else of it. */
export interface CronJobObservation {
  readonly workload: string;
  /** Index into the wake's tiers. */
  readonly tier: number;
  /** The cluster's message, while it refuses to let it be resumed. */
  readonly refused?: string;
}

export interface WakeObservations {
  readonly workloads: readonly WorkloadObservation[];
  readonly databases: readonly DatabaseObservation[];
  readonly cronJobs: readonly CronJobObservation[];
  /** `namespace/name` of Services that point at their satellites although the wake is over for their pods. */
  readonly redirected?: readonly string[];
}
