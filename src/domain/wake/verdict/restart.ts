// Attempts of a container: which ran, which are being made again, and how often.

import type { EpochMs } from '../../workload.ts';
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

/** True while a container of the pod is visibly on a further attempt, or waits for one, and is not ready. */
export function isRestarting(pod: PodView): boolean {
  return pod.containers.some(containerRestarting) || pod.initContainers.some(initRestarting);
}

/** Restarts before the pod was ready: of the container that restarted most, leaving out attempts that never ran. */
export function restartsBeforeReady(pod: PodView): number {
  return pod.ready?.status === true ? 0 : restartsOfPod(pod);
}

export function restartsOfPod(pod: PodView): number {
  return Math.max(0, ...pod.containers.map(restartsOf));
}

/** The start of the attempt that runs now, and whether it is a further attempt. */
export function runningAttempt(container: ContainerView): { startedAt: EpochMs; restarted: boolean } | undefined {
  if (container.state.kind !== 'running') return undefined;
  return { startedAt: container.state.startedAt, restarted: container.restartCount > 0 };
}

/** An attempt that the kubelet could not even start is a refusal, not a restart. */
function restartsOf(container: ContainerView): number {
  const last = attemptBefore(container);
  return last !== undefined && neverRan(last) ? 0 : container.restartCount;
}

/** Pods of Deployments and StatefulSets restart always, so a container that ended is one that starts again. */
function containerRestarting(container: ContainerView): boolean {
  if (container.ready) return false;
  return container.state.kind === 'terminated' || container.restartCount > 0 || isBackingOff(container);
}

function initRestarting(container: ContainerView): boolean {
  if (container.state.kind === 'terminated') return container.state.exitCode !== 0 || container.sidecar === true;
  if (container.sidecar === true && container.started) return false;
  return container.restartCount > 0 || isBackingOff(container);
}
