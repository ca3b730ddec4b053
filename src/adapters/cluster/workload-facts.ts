import type { ContainerStatus, Event, Pod } from 'kubernetes-types/core/v1.d.ts';
import { runsOf, type WorkloadKind } from '../../domain/kinds/kinds.ts';
import type { EpochMs, LabelSelector, Scalable, Workload } from '../../domain/workload.ts';
import type {
  ConditionFacts,
  ContainerFacts,
  EventFacts,
  Part,
  PodFacts,
  WorkloadFacts,
} from '../../ports/workload-facts.ts';
import type { KubeClient } from '../kubernetes/client/kube-client.ts';
import { type ResourceType, resources } from '../kubernetes/client/resource-type.ts';

/** One page, and no more: who has more pods than this sees enough in them. */
const mostPods = 50;
const mostEvents = 100;
/** Events of so many pods are asked for, each with a request of its own. */
const mostPodsAsked = 4;
const shownEvents = 25;
/** Messages of the cluster are short; what is not is cut before it is sent on. */
const longestMessage = 600;

/** Reads pods and events of a workload from the apiserver, past every cache, a page at most each. */
export class ClusterWorkloadFacts implements WorkloadFacts {
  readonly #client: KubeClient;

  constructor(client: KubeClient) {
    this.#client = client;
  }

  async pods({ kind, namespace, name, selector }: Scalable, signal?: AbortSignal): Promise<Part<PodFacts>> {
    const labelSelector = selectorText(selector);
    return part(async () => {
      const page = await this.#page(resources.pods, { namespace, labelSelector, pageSize: mostPods }, signal);
      const mine = page.items.filter((pod) => belongsTo(pod, kind, name));
      return { items: mine.map(podFacts).toSorted(readyLast), more: page.more };
    });
  }

  async events(workload: Workload, pods: readonly string[], signal?: AbortSignal): Promise<Part<EventFacts>> {
    const { kind, namespace, name } = workload;
    const about = (field: string) => this.#page(resources.events, eventsAbout(namespace, field), signal);
    return part(async () => {
      const pages = await Promise.all([
        about(`involvedObject.kind=${kind},involvedObject.name=${name}`),
        // Why a Deployment's pods cannot be created is an event of its ReplicaSet. Their names begin with the Deployment's, and field
        // selectors match whole names only, so those of all ReplicaSets are read and sorted out here.
        ...(hasReplicaSets(kind) ? [about('involvedObject.kind=ReplicaSet')] : []),
        ...pods.slice(0, mostPodsAsked).map((pod) => about(`involvedObject.kind=Pod,involvedObject.name=${pod}`)),
      ]);
      const found = pages.flatMap(({ items }) => items).filter((event) => isAbout(event, name));
      const items = found.map(eventFacts).toSorted((a, b) => b.at - a.at);
      return { items: items.slice(0, shownEvents), more: items.length > shownEvents };
    });
  }

  async #page<T>(
    type: ResourceType<T>,
    options: {
      readonly namespace: string;
      readonly labelSelector?: string;
      readonly fieldSelector?: string;
      readonly pageSize: number;
    },
    signal: AbortSignal | undefined,
  ): Promise<{ readonly items: readonly T[]; readonly more: boolean }> {
    const asked = { ...options, ...(signal === undefined ? {} : { signal }) };
    for await (const { items } of this.#client.pages(type, asked))
      return { items, more: items.length >= options.pageSize };
    return { items: [], more: false };
  }
}

async function part<T>(read: () => Promise<Omit<Extract<Part<T>, { ok: true }>, 'ok'>>): Promise<Part<T>> {
  try {
    return { ok: true, ...(await read()) };
  } catch (error) {
    return { ok: false, problem: error instanceof Error ? error.message : String(error) };
  }
}

function eventsAbout(namespace: string, fieldSelector: string) {
  return { namespace, fieldSelector, pageSize: mostEvents };
}

function selectorText({ matchLabels, matchExpressions }: LabelSelector): string {
  const equal = Object.entries(matchLabels).map(([key, value]) => `${key}=${value}`);
  const others = matchExpressions.map(({ key, operator, values }) => {
    if (operator === 'Exists') return key;
    if (operator === 'DoesNotExist') return `!${key}`;
    return `${key} ${operator === 'In' ? 'in' : 'notin'} (${values.join(',')})`;
  });
  return [...equal, ...others].join(',');
}

/** Another workload may carry the same labels; its pods say whose they are. */
function belongsTo({ metadata }: Pod, kind: WorkloadKind, name: string): boolean {
  const owner = metadata?.ownerReferences?.find((reference) => reference.controller === true);
  if (owner === undefined) return false;
  return hasReplicaSets(kind)
    ? owner.kind === 'ReplicaSet' && owner.name.slice(0, owner.name.lastIndexOf('-')) === name
    : owner.kind === kind && owner.name === name;
}

function hasReplicaSets(kind: WorkloadKind): boolean {
  const runs = runsOf(kind);
  return typeof runs === 'object' && runs.pods.through === 'ReplicaSet';
}

/** Of ReplicaSets all of the namespace were asked for. */
function isAbout({ involvedObject }: Event, name: string): boolean {
  if (involvedObject?.kind !== 'ReplicaSet') return true;
  const { name: set = '' } = involvedObject;
  return set.slice(0, set.lastIndexOf('-')) === name;
}

function readyLast(a: PodFacts, b: PodFacts): number {
  return Number(a.ready) - Number(b.ready) || (a.name < b.name ? -1 : 1);
}

function podFacts({ metadata, spec, status }: Pod): PodFacts {
  const conditions = status?.conditions ?? [];
  const node = spec?.nodeName;
  return {
    name: metadata?.name ?? '',
    createdAt: at(metadata?.creationTimestamp) ?? 0,
    phase: status?.phase ?? 'Unknown',
    ready: conditions.some(({ type, status: is }) => type === 'Ready' && is === 'True'),
    deleting: metadata?.deletionTimestamp !== undefined,
    ...(node === undefined || node === '' ? {} : { node }),
    containers: [
      ...(status?.initContainerStatuses ?? []).map((container) => containerFacts(container, true)),
      ...(status?.containerStatuses ?? []).map((container) => containerFacts(container, false)),
    ],
    conditions: conditions.flatMap(({ type, status: is, reason, message, lastTransitionTime }) =>
      is === 'True'
        ? []
        : [withoutAbsent<ConditionFacts>({ type, reason, message: cut(message), since: at(lastTransitionTime) })],
    ),
  };
}

function containerFacts(
  { name, ready, restartCount, state, lastState }: ContainerStatus,
  init: boolean,
): ContainerFacts {
  const common = { name, init, ready: ready ?? false, restarts: restartCount ?? 0 };
  const before = lastState?.terminated;
  const last =
    before == null
      ? {}
      : { last: withoutAbsent({ exitCode: before.exitCode, reason: before.reason, at: at(before.finishedAt) }) };
  if (state?.terminated != null) {
    const { exitCode, reason, finishedAt } = state.terminated;
    return { ...common, ...last, state: 'terminated', exitCode, ...withoutAbsent({ reason, at: at(finishedAt) }) };
  }
  if (state?.running != null)
    return { ...common, ...last, state: 'running', ...withoutAbsent({ at: at(state.running.startedAt) }) };
  const { reason, message } = state?.waiting ?? {};
  return { ...common, ...last, state: 'waiting', ...withoutAbsent({ reason, message: cut(message) }) };
}

function eventFacts(event: Event): EventFacts {
  const { involvedObject, type, reason, message, count, lastTimestamp, eventTime, series, metadata } = event;
  return {
    about: `${involvedObject?.kind ?? ''} ${involvedObject?.name ?? ''}`,
    type: type ?? 'Normal',
    reason: reason ?? '',
    message: cut(message) ?? '',
    count: series?.count ?? count ?? 1,
    at: at(series?.lastObservedTime ?? lastTimestamp ?? eventTime ?? metadata?.creationTimestamp) ?? 0,
  };
}

function at(text: string | null | undefined): EpochMs | undefined {
  const instant = text == null || text === '' ? Number.NaN : Date.parse(text);
  return Number.isNaN(instant) ? undefined : instant;
}

function cut(text: string | undefined): string | undefined {
  if (text === undefined || text === '') return undefined;
  return text.length <= longestMessage ? text : `${text.slice(0, longestMessage - 1)}…`;
}

type Present<T> = { readonly [K in keyof T]: Exclude<T[K], undefined> };

/** The same without what is undefined. */
function withoutAbsent<T extends object>(facts: { readonly [K in keyof T]: T[K] | undefined }): Present<T> {
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined)) as Present<T>;
}
