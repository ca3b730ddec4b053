import type {
  ContainerStateTerminated,
  ContainerStatus,
  Pod,
  PodCondition,
  PodSpec,
  ContainerState as RawState,
} from 'kubernetes-types/core/v1.d.ts';
import type { ObjectMeta } from 'kubernetes-types/meta/v1.d.ts';
import { type BuiltInKind, kindNames, rowOf, type WorkloadKind } from '../../../domain/kinds/kinds.ts';
import type {
  ContainerState,
  ContainerTerminated,
  ContainerView,
  PodPhase,
  PodView,
  ReadyCondition,
  ScheduledCondition,
} from '../../../domain/wake/verdict/pod.ts';
import { workloadKey } from '../../../domain/workload.ts';
import type { StringPool } from '../json/string-pool.ts';
import { instantOf } from './instant.ts';

/** A pod as a verdict sees it, and the workload that it belongs to. */
export interface ProjectedPod extends PodView {
  readonly namespace: string;
  /** The workload's key; absent for a pod of something else. One text for all pods of the workload. */
  readonly workload?: string;
}

const phases: ReadonlySet<string> = new Set(['Pending', 'Running', 'Succeeded', 'Failed', 'Unknown']);
const none: readonly never[] = Object.freeze([]);

export function projectPod(pool: StringPool): (raw: Pod) => ProjectedPod {
  return ({ metadata, spec, status }) => {
    const namespace = pool.text(metadata?.namespace ?? '');
    const name = metadata?.name ?? '';
    const createdAt = instantOf(metadata?.creationTimestamp);
    const deleting = metadata?.deletionTimestamp !== undefined;
    const phase = phaseOf(status?.phase, pool);
    const initContainers = containersOf(status?.initContainerStatuses, sidecarsOf(spec), pool);
    const containers = containersOf(status?.containerStatuses, none, pool);
    // One literal without spreading: V8 then keeps all of its fields in the object itself.
    const pod = {
      namespace,
      name,
      createdAt,
      deleting,
      phase,
      initContainers,
      containers,
      workload: workloadOf(metadata, pool),
      nodeName: spec?.nodeName ? pool.text(spec.nodeName) : undefined,
      scheduled: scheduledOf(status?.conditions, pool),
      ready: readyOf(status?.conditions, pool),
    };
    return isWhole(pod) ? pod : withoutAbsent(pod);
  };
}

type Looked = Omit<ProjectedPod, 'workload' | 'nodeName' | 'scheduled' | 'ready'> & {
  readonly [K in 'workload' | 'nodeName' | 'scheduled' | 'ready']: ProjectedPod[K] | undefined;
};

/** A pod of a workload that the scheduler and a kubelet have looked at: nearly every one. */
function isWhole(pod: Looked): pod is Looked & Required<ProjectedPod> {
  const { workload, nodeName, scheduled, ready } = pod;
  return workload !== undefined && nodeName !== undefined && scheduled !== undefined && ready !== undefined;
}

function withoutAbsent(pod: Looked): ProjectedPod {
  // The same fields; entries lose the types of their values.
  return Object.fromEntries(Object.entries(pod).filter(([, value]) => value !== undefined)) as unknown as ProjectedPod;
}

/** Kinds that their pods name as their owner. */
const owningKinds: ReadonlyMap<string, WorkloadKind> = new Map(
  kindNames.flatMap((kind) => (podsOf(kind)?.through === 'itself' ? [[kind, kind]] : [])),
);

/** Kinds whose pods belong to ReplicaSets, by the label that holds the hash. */
const hashLabels: readonly (readonly [label: string, kind: WorkloadKind])[] = kindNames.flatMap((kind) => {
  const pods = podsOf(kind);
  return pods?.through === 'ReplicaSet' ? [[pods.hashLabel, kind] as const] : [];
});

function podsOf(kind: BuiltInKind) {
  const { runs } = rowOf(kind);
  return typeof runs === 'object' ? runs.pods : undefined;
}

/** A Deployment names its ReplicaSets `<deployment>-<hash>` and labels their pods with the hash: no ReplicaSet is needed. */
function workloadOf(metadata: ObjectMeta | undefined, pool: StringPool): string | undefined {
  const namespace = metadata?.namespace ?? '';
  const owner = metadata?.ownerReferences?.find((reference) => reference.controller === true);
  if (owner === undefined) return undefined;
  const kind = owningKinds.get(owner.kind);
  if (kind !== undefined) return pool.text(workloadKey({ kind, namespace, name: owner.name }));
  if (owner.kind !== 'ReplicaSet') return undefined;
  for (const [label, through] of hashLabels) {
    const hash = metadata?.labels?.[label];
    if (hash === undefined || !owner.name.endsWith(`-${hash}`)) continue;
    return pool.text(workloadKey({ kind: through, namespace, name: owner.name.slice(0, -hash.length - 1) }));
  }
  return undefined;
}

function sidecarsOf(spec: PodSpec | undefined): readonly string[] {
  const sidecars = spec?.initContainers?.filter((container) => container.restartPolicy === 'Always');
  return sidecars?.map((container) => container.name) ?? none;
}

function phaseOf(phase: string | undefined, pool: StringPool): PodPhase {
  return phase !== undefined && phases.has(phase) ? (pool.text(phase) as PodPhase) : 'Unknown';
}

function containersOf(
  statuses: readonly ContainerStatus[] | undefined,
  sidecars: readonly string[],
  pool: StringPool,
): readonly ContainerView[] {
  if (statuses === undefined || statuses.length === 0) return none;
  return statuses.map((status) => containerOf(status, sidecars.includes(status.name), pool));
}

/** Thousands of containers start in the same second of a wake, so equal ones are one value. */
function containerOf(status: ContainerStatus, sidecar: boolean, pool: StringPool): ContainerView {
  const { name, ready, restartCount, state, lastState } = status;
  const started = status.started ?? state?.running != null;
  const last = keyOfTerminated(lastState?.terminated);
  const key = `status ${name} ${ready} ${started} ${restartCount} ${sidecar}\0${last}\0${keyOf(state)}`;
  return pool.value(key, () => ({
    name: pool.text(name),
    state: stateOf(state, pool),
    ready: ready ?? false,
    started,
    restartCount: restartCount ?? 0,
    ...(lastState?.terminated == null ? {} : { lastTerminated: terminatedOf(lastState.terminated, pool) }),
    ...(sidecar ? { sidecar: true } : {}),
  }));
}

/** Tells states apart; the fields that the view drops (a container's id) are left out, or no two would be equal. */
function keyOf(state: RawState | undefined): string {
  if (state?.terminated != null) return keyOfTerminated(state.terminated);
  if (state?.running != null) return `r ${state.running.startedAt}`;
  return state?.waiting == null ? '' : `w ${state.waiting.reason}\0${state.waiting.message}`;
}

function keyOfTerminated(state: ContainerStateTerminated | undefined): string {
  return state == null ? '' : `t ${state.exitCode} ${state.startedAt} ${state.finishedAt} ${state.reason}`;
}

function stateOf(state: RawState | undefined, pool: StringPool): ContainerState {
  if (state?.terminated != null) return terminatedOf(state.terminated, pool);
  if (state?.running != null) return { kind: 'running', startedAt: instantOf(state.running.startedAt) };
  const { reason = '', message = '' } = state?.waiting ?? {};
  return { kind: 'waiting', reason: pool.text(reason), message: pool.text(message) };
}

function terminatedOf(raw: ContainerStateTerminated, pool: StringPool): ContainerTerminated {
  return {
    kind: 'terminated',
    exitCode: raw.exitCode,
    reason: pool.text(raw.reason ?? ''),
    ...(raw.startedAt ? { startedAt: instantOf(raw.startedAt) } : {}),
    ...(raw.finishedAt ? { finishedAt: instantOf(raw.finishedAt) } : {}),
  };
}

function scheduledOf(
  conditions: readonly PodCondition[] | undefined,
  pool: StringPool,
): ScheduledCondition | undefined {
  const condition = conditions?.find((candidate) => candidate.type === 'PodScheduled');
  if (condition === undefined) return undefined;
  const { status, reason = '', message = '', lastTransitionTime } = condition;
  return pool.value(
    `scheduled ${status} ${lastTransitionTime} ${reason}\0${message}`,
    (): ScheduledCondition => ({
      status: status === 'True' || status === 'False' ? status : 'Unknown',
      reason: pool.text(reason),
      message: pool.text(message),
      at: instantOf(lastTransitionTime),
    }),
  );
}

function readyOf(conditions: readonly PodCondition[] | undefined, pool: StringPool): ReadyCondition | undefined {
  const condition = conditions?.find((candidate) => candidate.type === 'Ready');
  if (condition === undefined) return undefined;
  const { status, lastTransitionTime } = condition;
  return pool.value(`ready ${status} ${lastTransitionTime}`, () => ({
    status: status === 'True',
    since: instantOf(lastTransitionTime),
  }));
}
