import type { ContainerStatus, PodCondition } from 'kubernetes-types/core/v1.js';
import { timestamp } from '../controllers/machinery/timestamps.ts';
import type { EpochMs } from '../ports/clock.ts';
import type { PodView } from './pod-view.ts';

export interface PodFacts {
  readonly phase: string;
  /** Volumes are mounted and the network is set up. */
  readonly sandbox: boolean;
  readonly initialized: boolean;
  readonly containerStatuses: readonly ContainerStatus[];
  readonly bound: EpochMs;
}

interface Wanted {
  readonly type: string;
  readonly met: boolean;
  readonly reason?: string;
  readonly message?: string;
}

/** The five conditions in the kubelet's order; a condition that keeps its status keeps its transition time. */
export function conditionsAt(pod: PodView, now: EpochMs, facts: PodFacts): PodCondition[] {
  const unready = facts.containerStatuses.filter((one) => !one.ready).map((one) => one.name);
  const ready = unready.length === 0;
  const over = facts.phase === 'Succeeded' || facts.phase === 'Failed';
  const lacking = over
    ? { reason: facts.phase === 'Succeeded' ? 'PodCompleted' : 'PodFailed' }
    : { reason: 'ContainersNotReady', message: `containers with unready status: [${unready.join(' ')}]` };
  const conditions: PodCondition[] = [
    at(pod, now, { type: 'PodReadyToStartContainers', met: facts.sandbox && !over }),
    at(pod, now, { type: 'Initialized', met: facts.initialized, ...(facts.initialized ? {} : notInitialized(pod)) }),
    at(pod, now, { type: 'Ready', met: ready, ...(ready ? {} : lacking) }),
    at(pod, now, { type: 'ContainersReady', met: ready, ...(ready ? {} : lacking) }),
    at(pod, facts.bound, { type: 'PodScheduled', met: true }),
  ];
  return conditions;
}

function notInitialized(pod: PodView): Pick<Wanted, 'reason' | 'message'> {
  const names = (pod.spec.initContainers ?? []).map((one) => one.name).join(' ');
  return { reason: 'ContainersNotInitialized', message: `containers with incomplete status: [${names}]` };
}

function at(pod: PodView, now: EpochMs, wanted: Wanted): PodCondition {
  const before = pod.status?.conditions?.find((one) => one.type === wanted.type);
  const status = wanted.met ? 'True' : 'False';
  const kept = before?.status === status ? before.lastTransitionTime : undefined;
  return {
    type: wanted.type,
    status,
    lastTransitionTime: kept ?? timestamp(now),
    ...(wanted.reason === undefined ? {} : { reason: wanted.reason }),
    ...(wanted.message === undefined ? {} : { message: wanted.message }),
  };
}
