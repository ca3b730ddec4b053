// One replica on its way to a started container: whether it has one, since when, and what holds it up if not.

import type { EpochMs } from '../../workload.ts';
import type { FailureReason } from './failure-sentence.ts';
import { furthest } from './furthest-pod.ts';
import type { ContainerView, PodView } from './pod.ts';
import { attemptBefore, isBackingOff, neverRan, ran } from './restart.ts';

const refusedReasons = new Set([
  'CreateContainerConfigError',
  'CreateContainerError',
  'RunContainerError',
  'PreCreateHookError',
  'PreStartHookError',
]);
const failingPullReasons = new Set([
  'ErrImagePull',
  'ImagePullBackOff',
  'ImageInspectError',
  'RegistryUnavailable',
  'SignatureValidationFailed',
]);

/** When every container of the pod had first started; undefined while one has not. */
export function startedAt(pod: PodView): EpochMs | undefined {
  if (pod.containers.length === 0) return undefined;
  let latest = 0;
  for (const container of pod.containers) {
    const start = firstStart(container);
    if (start === undefined) return undefined;
    latest = Math.max(latest, start);
  }
  return latest;
}

/** What keeps the pod from a started container; undefined once it has one. */
export function holdUp(pod: PodView): FailureReason | undefined {
  if (startedAt(pod) !== undefined) return undefined;
  const refusal = furthest([...pod.initContainers, ...pod.containers].flatMap((one) => kubeletRefusal(one) ?? []));
  if (refusal !== undefined) return refusal;
  if (pod.nodeName === undefined || pod.nodeName === '') return { code: withoutNode(pod) };
  if (pod.initContainers.some(initUnfinished)) return { code: 'init_not_finished' };
  return { code: 'still_pulling' };
}

function withoutNode(pod: PodView): 'unschedulable' | 'pending_no_node' {
  const unschedulable = pod.scheduled?.status === 'False' && pod.scheduled.reason === 'Unschedulable';
  return unschedulable ? 'unschedulable' : 'pending_no_node';
}

function kubeletRefusal(container: ContainerView): FailureReason | undefined {
  const { state } = container;
  if (state.kind === 'running') return undefined;
  const attempt = attemptBefore(container);
  if (state.kind === 'waiting') {
    if (refusedReasons.has(state.reason)) return { code: 'container_refused', detail: state.reason };
    if (state.reason === 'InvalidImageName') return { code: 'invalid_image_reference' };
    if (state.reason === 'ErrImageNeverPull') return { code: 'image_never_pull' };
    if (failingPullReasons.has(state.reason)) return { code: 'pull_failed' };
  }
  return attempt !== undefined && neverRan(attempt) ? { code: 'container_refused', detail: attempt.reason } : undefined;
}

/** Running, failed, or between two attempts. One that only waits for its first attempt is still being created. */
function initUnfinished(container: ContainerView): boolean {
  const { state } = container;
  if (state.kind === 'running') return !(container.sidecar === true && container.started);
  if (state.kind === 'terminated') return state.exitCode !== 0 || container.sidecar === true;
  return isBackingOff(container) || container.lastTerminated !== undefined;
}

/** The first attempt's start where the status still holds it: the kubelet keeps the current attempt and the one before. */
function firstStart(container: ContainerView): EpochMs | undefined {
  const { state, lastTerminated } = container;
  if (lastTerminated !== undefined && ran(lastTerminated)) return lastTerminated.startedAt;
  if (state.kind === 'running') return state.startedAt;
  return state.kind === 'terminated' && ran(state) ? state.startedAt : undefined;
}
