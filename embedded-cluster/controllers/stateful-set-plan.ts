import { isFinishedPod, isReady } from './machinery/pod-state.ts';
import type { StoredPod, StoredStatefulSet } from './machinery/typed-store.ts';

export type StatefulStep =
  | { readonly kind: 'create'; readonly ordinal: number }
  /** A finished pod is replaced, a surplus or outdated one goes. */
  | { readonly kind: 'delete'; readonly pod: StoredPod; readonly why: 'finished' | 'surplus' | 'outdated' };

export interface StatefulView {
  readonly set: StoredStatefulSet;
  readonly pods: readonly StoredPod[];
  /** The value of the label controller-revision-hash that pods of the newest template carry. */
  readonly updateRevision: string;
}

export const revisionLabel = 'controller-revision-hash';

function ordinalOf(pod: StoredPod): number {
  return Number(/-(\d+)$/.exec(pod.metadata.name)?.[1] ?? -1);
}

export function firstOrdinal(set: StoredStatefulSet): number {
  return set.spec.ordinals?.start ?? 0;
}

export function isHealthy(pod: StoredPod): boolean {
  return pod.status?.phase === 'Running' && isReady(pod) && pod.metadata.deletionTimestamp === undefined;
}

/** What is to be done now; in order (OrderedReady) that is one step at most, in parallel all of them. */
export function statefulSteps(view: StatefulView): StatefulStep[] {
  const { set, pods } = view;
  const ordered = set.spec.podManagementPolicy !== 'Parallel';
  const first = firstOrdinal(set);
  const end = first + (set.spec.replicas ?? 1);
  const byOrdinal = new Map(pods.map((pod) => [ordinalOf(pod), pod]));
  const growth = growthSteps(byOrdinal, first, end, ordered);
  if (growth.blocked) return growth.steps;
  const shrink = shrinkSteps(pods, first, end, ordered);
  if (shrink.blocked) return [...growth.steps, ...shrink.steps];
  const settled = growth.steps.length === 0 && shrink.steps.length === 0;
  return settled ? updateSteps(view, byOrdinal, first, end) : [...growth.steps, ...shrink.steps];
}

interface Part {
  readonly steps: StatefulStep[];
  /** Nothing after this may happen yet. */
  readonly blocked: boolean;
}

function growthSteps(byOrdinal: ReadonlyMap<number, StoredPod>, first: number, end: number, ordered: boolean): Part {
  const steps: StatefulStep[] = [];
  for (let ordinal = first; ordinal < end; ordinal++) {
    const pod = byOrdinal.get(ordinal);
    if (pod === undefined) steps.push({ kind: 'create', ordinal });
    else if (isFinishedPod(pod) && pod.metadata.deletionTimestamp === undefined) {
      steps.push({ kind: 'delete', pod, why: 'finished' });
    } else if (isHealthy(pod) || !ordered) continue;
    if (ordered) return { steps, blocked: true };
  }
  return { steps, blocked: false };
}

/** From the highest ordinal down; in order, one waits for the one above it to be gone. */
function shrinkSteps(pods: readonly StoredPod[], first: number, end: number, ordered: boolean): Part {
  const surplus = pods.filter((pod) => ordinalOf(pod) < first || ordinalOf(pod) >= end);
  surplus.sort((a, b) => ordinalOf(b) - ordinalOf(a));
  const steps: StatefulStep[] = [];
  for (const pod of surplus) {
    if (pod.metadata.deletionTimestamp === undefined) steps.push({ kind: 'delete', pod, why: 'surplus' });
    if (ordered) return { steps, blocked: true };
  }
  return { steps, blocked: false };
}

function updateSteps(
  view: StatefulView,
  byOrdinal: ReadonlyMap<number, StoredPod>,
  first: number,
  end: number,
): StatefulStep[] {
  if (view.set.spec.updateStrategy?.type === 'OnDelete') return [];
  const lowest = Math.max(first, partitionOf(view.set));
  for (let ordinal = end - 1; ordinal >= lowest; ordinal--) {
    const pod = byOrdinal.get(ordinal);
    if (pod === undefined) return [];
    const outdated = pod.metadata.labels?.[revisionLabel] !== view.updateRevision;
    if (outdated && pod.metadata.deletionTimestamp === undefined) return [{ kind: 'delete', pod, why: 'outdated' }];
    if (!isHealthy(pod)) return [];
  }
  return [];
}

export function partitionOf(set: StoredStatefulSet): number {
  return set.spec.updateStrategy?.rollingUpdate?.partition ?? 0;
}
