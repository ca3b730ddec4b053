import type { ContainerStatus, PodCondition, PodStatus } from 'kubernetes-types/core/v1.js';
import { instant, timestamp, wholeSecond } from '../controllers/machinery/timestamps.ts';
import type { EpochMs } from '../ports/clock.ts';
import type { Behaviour } from './behaviour.ts';
import { containerAt, type ScalingFacts, waitingStatus } from './container-lifecycle.ts';
import { initAt } from './init-lifecycle.ts';
import { conditionsAt } from './pod-conditions.ts';
import { EventSpan, earliest, type PodEvent, type PodView } from './pod-view.ts';
import { qosClassOf } from './qos-class.ts';

export interface Placement {
  readonly hostIP: string;
  readonly podIP: string;
}

export interface PodAt {
  readonly status: PodStatus;
  /** When the status changes next by itself; undefined when it stays as it is. */
  readonly nextChangeAt?: EpochMs;
  /** What the kubelet reports of the time after `since`. */
  readonly events: readonly PodEvent[];
  /** The pod was being deleted and its containers have stopped: remove it now, with a grace period of 0. */
  readonly gone: boolean;
}

/** When the pod got its node: its life on the node counts from there. Undefined while it has none. */
export function scheduledAt(pod: PodView): EpochMs | undefined {
  if (pod.spec.nodeName === undefined || pod.spec.nodeName === '') return undefined;
  const condition = pod.status?.conditions?.find((one) => one.type === 'PodScheduled' && one.status === 'True');
  return instant(condition?.lastTransitionTime) ?? instant(pod.metadata.creationTimestamp);
}

/**
 * The status of a pod at an instant, if it behaves as declared. It depends on its arguments alone, so the same
 * behaviours play on the embedded cluster and, through any Kubernetes client, on a real apiserver. Call it for pods
 * that have a node; look again at `nextChangeAt`, and whenever the pod is deleted.
 */
export function podStatusAt(
  pod: PodView,
  behaviour: Behaviour,
  {
    now,
    placement,
    since = Number.NEGATIVE_INFINITY,
  }: { readonly now: EpochMs; readonly placement: Placement; readonly since?: EpochMs },
): PodAt {
  const deletion = deletionOf(pod);
  if (deletion === undefined) return livingPodAt(pod, behaviour, { now, placement, since });
  const asked = livingPodAt(pod, behaviour, { now: Math.min(now, deletion.askedAt), placement, since });
  const running = asked.status.containerStatuses?.some((one) => one.state?.running !== undefined) ?? false;
  const stopping = running ? Math.min(behaviour.terminateSeconds ?? 1, deletion.graceSeconds) : 0;
  const goneAt = deletion.askedAt + stopping * 1000;
  const events = new EventSpan(since, now);
  if (running) noteStopping(events, pod, deletion.askedAt);
  const gone = now >= goneAt;
  return { status: asked.status, events: events.events, gone, ...(gone ? {} : { nextChangeAt: goneAt }) };
}

interface Deletion {
  readonly askedAt: EpochMs;
  readonly graceSeconds: number;
}

/** The deletion timestamp is the instant at which the grace period ends. */
function deletionOf(pod: PodView): Deletion | undefined {
  const endsAt = instant(pod.metadata.deletionTimestamp);
  if (endsAt === undefined) return undefined;
  const graceSeconds = pod.metadata.deletionGracePeriodSeconds ?? 0;
  return { askedAt: endsAt - graceSeconds * 1000, graceSeconds };
}

function livingPodAt(
  pod: PodView,
  behaviour: Behaviour,
  { now, placement, since }: { readonly now: EpochMs; readonly placement: Placement; readonly since: EpochMs },
): PodAt {
  const bound = scheduledAt(pod) ?? wholeSecond(now);
  const around: ScalingFacts = { pod, now, events: new EventSpan(since, now) };
  const sandboxAt = bound + (behaviour.volumeSeconds ?? 0) * 1000;
  noteSlowVolume(around, bound, sandboxAt);
  const parts = sandboxAt > now ? beforeSandbox(around, sandboxAt) : afterSandbox(around, behaviour, sandboxAt);
  const phase = phaseOf(pod, parts);
  const conditions = conditionsAt(pod, now, {
    phase,
    sandbox: sandboxAt <= now,
    initialized: parts.initialized,
    containerStatuses: parts.containerStatuses,
    bound,
  });
  const status = assembled(pod, { phase, conditions, bound, parts, placement, sandbox: sandboxAt <= now });
  const { nextChangeAt } = parts;
  return { status, events: around.events.events, gone: false, ...(nextChangeAt === undefined ? {} : { nextChangeAt }) };
}

interface Parts {
  readonly initContainerStatuses: ContainerStatus[];
  readonly containerStatuses: ContainerStatus[];
  readonly initialized: boolean;
  readonly initFailed: boolean;
  readonly nextChangeAt: EpochMs | undefined;
}

function beforeSandbox(around: ScalingFacts, sandboxAt: EpochMs): Parts {
  const init = around.pod.spec.initContainers ?? [];
  const reason = init.length > 0 ? 'PodInitializing' : 'ContainerCreating';
  return {
    initContainerStatuses: init.map((one) => waitingStatus(around, one, { reason })),
    containerStatuses: around.pod.spec.containers.map((one) => waitingStatus(around, one, { reason })),
    initialized: init.length === 0,
    initFailed: false,
    nextChangeAt: sandboxAt,
  };
}

function afterSandbox(around: ScalingFacts, behaviour: Behaviour, sandboxAt: EpochMs): Parts {
  const { pod, now } = around;
  const init = initAt(around, behaviour, sandboxAt);
  const initContainerStatuses = init.statuses;
  const { doneAt } = init;
  if (doneAt === undefined || doneAt > now) {
    const containerStatuses = pod.spec.containers.map((one) =>
      waitingStatus(around, one, { reason: 'PodInitializing' }),
    );
    const { nextChangeAt, failedForGood: initFailed } = init;
    return { initContainerStatuses, containerStatuses, initialized: false, initFailed, nextChangeAt };
  }
  let nextChangeAt: EpochMs | undefined;
  const containerStatuses = pod.spec.containers.map((container) => {
    const one = containerAt(around, container, behaviour, doneAt);
    nextChangeAt = earliest(nextChangeAt, one.nextChangeAt);
    return one.status;
  });
  return { initContainerStatuses, containerStatuses, initialized: true, initFailed: false, nextChangeAt };
}

/** The kubelet's own rule: a container that waits and never ran keeps the pod Pending. */
function phaseOf(pod: PodView, parts: Parts): 'Pending' | 'Running' | 'Succeeded' | 'Failed' {
  if (parts.initFailed) return 'Failed';
  if (!parts.initialized) return 'Pending';
  let running = false;
  let failed = false;
  for (const { state, lastState } of parts.containerStatuses) {
    if (state?.waiting !== undefined && lastState?.terminated === undefined) return 'Pending';
    if (state?.terminated === undefined) running = true;
    else if (state.terminated.exitCode !== 0) failed = true;
  }
  if (running || pod.spec.restartPolicy === undefined || pod.spec.restartPolicy === 'Always') return 'Running';
  return failed ? 'Failed' : 'Succeeded';
}

interface Pieces {
  readonly phase: string;
  readonly conditions: PodCondition[];
  readonly bound: EpochMs;
  readonly parts: Parts;
  readonly placement: Placement;
  readonly sandbox: boolean;
}

function assembled(pod: PodView, pieces: Pieces): PodStatus {
  const { parts, placement } = pieces;
  const podIP = pieces.sandbox ? (pod.status?.podIP ?? placement.podIP) : undefined;
  const hostIP = pod.status?.hostIP ?? placement.hostIP;
  return {
    phase: pieces.phase,
    conditions: pieces.conditions,
    hostIP,
    hostIPs: [{ ip: hostIP }],
    ...(podIP === undefined ? {} : { podIP, podIPs: [{ ip: podIP }] }),
    startTime: pod.status?.startTime ?? timestamp(pieces.bound),
    ...(parts.initContainerStatuses.length === 0 ? {} : { initContainerStatuses: parts.initContainerStatuses }),
    containerStatuses: parts.containerStatuses,
    qosClass: pod.status?.qosClass ?? qosClassOf(pod.spec),
  };
}

const mountTimeout = 123_000;

function noteSlowVolume(around: ScalingFacts, bound: EpochMs, sandboxAt: EpochMs): void {
  if (sandboxAt - bound <= mountTimeout) return;
  const volumes = (around.pod.spec.volumes ?? []).map((volume) => volume.name).join(' ');
  const text = () =>
    `Unable to attach or mount volumes: unmounted volumes=[${volumes}]: timed out waiting for the condition`;
  around.events.note(bound + mountTimeout, 'Warning', 'FailedMount', undefined, text);
}

function noteStopping(events: EventSpan, pod: PodView, at: EpochMs): void {
  for (const { name } of pod.spec.containers) {
    events.note(at, 'Normal', 'Killing', name, () => `Stopping container ${name}`);
  }
}
