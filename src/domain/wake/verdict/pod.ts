// What a verdict needs to know of one pod, projected from the cluster's own object. Every instant is EpochMs.

import type { EpochMs } from '../../workload.ts';

export type PodPhase = 'Pending' | 'Running' | 'Succeeded' | 'Failed' | 'Unknown';

interface ContainerWaiting {
  readonly kind: 'waiting';
  /** `ContainerCreating`, `ImagePullBackOff`, `CreateContainerConfigError`, `CrashLoopBackOff`, …; empty when the kubelet gave none. */
  readonly reason: string;
  readonly message: string;
}

interface ContainerRunning {
  readonly kind: 'running';
  readonly startedAt: EpochMs;
}

export interface ContainerTerminated {
  readonly kind: 'terminated';
  readonly exitCode: number;
  readonly reason: string;
  /** Absent for a container that was never started (`ContainerStatusUnknown`, a refused start). */
  readonly startedAt?: EpochMs;
  readonly finishedAt?: EpochMs;
}

export type ContainerState = ContainerWaiting | ContainerRunning | ContainerTerminated;

/** One entry of `status.containerStatuses` or `status.initContainerStatuses`. */
export interface ContainerView {
  readonly name: string;
  /** A status without any state is `waiting` with an empty reason, as the API documents it. */
  readonly state: ContainerState;
  /** `lastState.terminated`: the attempt before this one. */
  readonly lastTerminated?: ContainerTerminated;
  readonly ready: boolean;
  /** `started`: the start-up probe has passed, or none is declared and the container runs. */
  readonly started: boolean;
  readonly restartCount: number;
  /** An init container with `restartPolicy: Always` (a sidecar): it never finishes and holds nobody up once started. */
  readonly sidecar?: boolean;
}

export interface ScheduledCondition {
  readonly status: 'True' | 'False' | 'Unknown';
  /** `Unschedulable`, `SchedulingGated`, `SchedulerError` or empty. */
  readonly reason: string;
  readonly message: string;
  readonly at: EpochMs;
}

export interface ReadyCondition {
  readonly status: boolean;
  /** `lastTransitionTime`. */
  readonly since: EpochMs;
}

export interface PodView {
  readonly name: string;
  readonly createdAt: EpochMs;
  /** True once the pod carries a deletion timestamp: it is on its way out and counts for nothing. */
  readonly deleting: boolean;
  readonly phase: PodPhase;
  readonly nodeName?: string;
  /** The condition `PodScheduled`; absent until the scheduler has looked at the pod. */
  readonly scheduled?: ScheduledCondition;
  readonly initContainers: readonly ContainerView[];
  readonly containers: readonly ContainerView[];
  /** The condition `Ready`; absent until the kubelet has reported. */
  readonly ready?: ReadyCondition;
}

/** Pods that count towards a wake: not leaving, and not a finished or evicted leftover that its controller replaces. */
export function livePods(pods: readonly PodView[]): readonly PodView[] {
  return pods.every(isLive) ? pods : pods.filter(isLive);
}

function isLive({ deleting, phase }: PodView): boolean {
  return !deleting && phase !== 'Failed' && phase !== 'Succeeded';
}
