// Attempts of a container: which ran, which are being made again, and how often.

import type { EpochMs } from '../../workload.ts';
import { second } from './figures.ts';
import type { ContainerTerminated, ContainerView, PodView } from './pod.ts';

/** How the kubelet and older runtimes name an attempt that ended before the container's process ran. */
const neverRanReasons = new Set(['StartError', 'ContainerCannotRun']);

export function neverRan(attempt: ContainerTerminated): boolean {
  return neverRanReasons.has(attempt.reason);
}

/** A start of 1970 is how the kubelet writes "never started". */
export function ran(attempt: ContainerTerminated): attempt is ContainerTerminated & { readonly startedAt: EpochMs } {
  return attempt.startedAt !== undefined && attempt.startedAt > 0 && !neverRan(attempt);
}

/** The attempt that ended last. */
export function attemptBefore(container: ContainerView): ContainerTerminated | undefined {
  return container.state.kind === 'terminated' ? container.state : container.lastTerminated;
}

export function isBackingOff(container: ContainerView): boolean {
  return container.state.kind === 'waiting' && container.state.reason === 'CrashLoopBackOff';
}

/** The containers that make the pod ready: its own, and the sidecars beside them. */
export function serving(pod: PodView): readonly ContainerView[] {
  if (pod.initContainers.length === 0) return pod.containers;
  return [...pod.containers, ...pod.initContainers.filter((container) => container.sidecar === true)];
}

/** The starts that the status still holds: the kubelet keeps the current attempt and the one before. */
export function attemptStarts(container: ContainerView): readonly EpochMs[] {
  const { state, lastTerminated } = container;
  const current = state.kind === 'running' || (state.kind === 'terminated' && ran(state)) ? state.startedAt : undefined;
  const before = lastTerminated !== undefined && ran(lastTerminated) ? lastTerminated.startedAt : undefined;
  return [current, before].filter((start) => start !== undefined);
}

/** True while a container of the pod is visibly on a further attempt of this wake, or waits for one, and is not ready. */
export function isRestarting(pod: PodView, from: EpochMs): boolean {
  return (
    pod.containers.some((container) => containerRestarting(container, pod, from)) ||
    pod.initContainers.some((container) => initRestarting(container, pod, from))
  );
}

/** Restarts since `from`: of the container that restarted most, leaving out attempts that never ran. */
export function restartsOfPod(pod: PodView, from: EpochMs): number {
  // Nothing has restarted more often than its own count, which is mostly nought.
  const most = (so: number, container: ContainerView) =>
    container.restartCount > so ? Math.max(so, restartsOf(container, pod, from)) : so;
  return serving(pod).reduce(most, 0);
}

/** The start of the attempt that runs now, and whether it is a further attempt. */
export function runningAttempt(container: ContainerView): { startedAt: EpochMs; restarted: boolean } | undefined {
  if (container.state.kind !== 'running') return undefined;
  return { startedAt: container.state.startedAt, restarted: container.restartCount > 0 };
}

/** Kubernetes writes whole seconds, so a pod may read up to a second older than it is. */
export function isSince(pod: PodView, from: EpochMs): boolean {
  return pod.createdAt > from - second;
}

/**
 * An attempt that the kubelet could not even start is a refusal, not a restart. The count of a pod that is older than the
 * wake holds what happened before it; of that pod only the attempts count that are seen to have begun since.
 */
function restartsOf(container: ContainerView, pod: PodView, from: EpochMs): number {
  const last = attemptBefore(container);
  if (last !== undefined && neverRan(last)) return 0;
  if (isSince(pod, from)) return container.restartCount;
  return Math.min(container.restartCount, attemptStarts(container).filter((start) => start > from).length);
}

/** Pods of Deployments and StatefulSets restart always, so a container that ended is one that starts again. */
function containerRestarting(container: ContainerView, pod: PodView, from: EpochMs): boolean {
  if (container.ready) return false;
  return container.state.kind === 'terminated' || isBackingOff(container) || hasRestarted(container, pod, from);
}

function initRestarting(container: ContainerView, pod: PodView, from: EpochMs): boolean {
  if (container.state.kind === 'terminated') return container.state.exitCode !== 0 || container.sidecar === true;
  if (container.sidecar === true && container.started) return false;
  return isBackingOff(container) || hasRestarted(container, pod, from);
}

function hasRestarted(container: ContainerView, pod: PodView, from: EpochMs): boolean {
  if (isSince(pod, from)) return container.restartCount > 0;
  return container.restartCount > 0 && attemptStarts(container).some((start) => start > from);
}
