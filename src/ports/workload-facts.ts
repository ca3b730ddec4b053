import type { EpochMs, Scalable, Workload } from '../domain/workload.ts';

/** A pod as somebody who wonders about its workload sees it; nothing of its spec. */
export interface PodFacts {
  readonly name: string;
  readonly createdAt: EpochMs;
  readonly phase: string;
  readonly ready: boolean;
  /** On its way out. */
  readonly deleting: boolean;
  readonly node?: string;
  readonly containers: readonly ContainerFacts[];
  /** Those that are not as they should be. */
  readonly conditions: readonly ConditionFacts[];
}

export interface ContainerFacts {
  readonly name: string;
  readonly init: boolean;
  readonly ready: boolean;
  readonly restarts: number;
  readonly state: 'waiting' | 'running' | 'terminated';
  /** Since when it runs, or when it ended. */
  readonly at?: EpochMs;
  readonly reason?: string;
  readonly message?: string;
  readonly exitCode?: number;
  /** How it ended the time before. */
  readonly last?: { readonly exitCode: number; readonly reason?: string; readonly at?: EpochMs };
}

export interface ConditionFacts {
  readonly type: string;
  readonly reason?: string;
  readonly message?: string;
  readonly since?: EpochMs;
}

export interface EventFacts {
  /** `Pod cart-7f8c-x2x`. */
  readonly about: string;
  readonly type: string;
  readonly reason: string;
  readonly message: string;
  readonly count: number;
  readonly at: EpochMs;
}

/** One part of the facts, or why it could not be read: the others are shown all the same. */
export type Part<T> =
  | { readonly ok: true; readonly items: readonly T[]; readonly more: boolean }
  | { readonly ok: false; readonly problem: string };

/** What the cluster says of one workload now, read when somebody asks and never kept. Every read is bounded; none rejects. */
export interface WorkloadFacts {
  pods(workload: Scalable, signal?: AbortSignal): Promise<Part<PodFacts>>;
  /** Of the workload, of what it owns, and of the pods that are named. Newest first. */
  events(workload: Workload, pods: readonly string[], signal?: AbortSignal): Promise<Part<EventFacts>>;
}
