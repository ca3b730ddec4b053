import { annotations } from '../../domain/names.ts';
import type { CronJob, Scalable, Workload, WorkloadKind, WorkloadRef } from '../../domain/workload.ts';
import type { WorkloadWriter, WriteOutcome } from '../../ports/cluster.ts';
import { isNotFound } from '../kubernetes/client/errors.ts';
import type { KubeClient } from '../kubernetes/client/kube-client.ts';
import { type KubeObject, type ResourceType, resources } from '../kubernetes/client/resource-type.ts';
import type { Projections } from '../kubernetes/projection/projections.ts';
import { replicasOwner } from './replicas-owner.ts';
import { outcomeOf } from './write-outcome.ts';

/** Hears the answer to each write and fresh read, so that the caches know of it before the watch delivers it. */
export type OnAnswer = (workload: Workload) => void;

/** Guarded merge patches: each names the resourceVersion it was decided on and the fields it means, nothing else. */
export class KubernetesWorkloadWriter implements WorkloadWriter {
  readonly #client: KubeClient;
  readonly #projections: Projections;
  readonly #onAnswer: OnAnswer;
  readonly #release: string | undefined;

  /** `release`: the namespace of the release, which its marks then name. */
  constructor(client: KubeClient, projections: Projections, onAnswer: OnAnswer, release?: string) {
    this.#client = client;
    this.#projections = projections;
    this.#onAnswer = onAnswer;
    this.#release = release;
  }

  lower(workload: Scalable, count: number, epoch: number): Promise<WriteOutcome> {
    const mark = { [annotations.hibernatedReplicas]: String(count), ...this.#signature(workload, epoch) };
    return this.#patch(workload, mark, { replicas: 0 });
  }

  raise(workload: Scalable, count: number): Promise<WriteOutcome> {
    return this.#patch(workload, unmark(workload), { replicas: count });
  }

  suspend(cronJob: CronJob, epoch: number): Promise<WriteOutcome> {
    const mark = { [annotations.suspendedByService]: 'true', ...this.#signature(cronJob, epoch) };
    return this.#patch(cronJob, mark, { suspend: true });
  }

  resume(cronJob: CronJob): Promise<WriteOutcome> {
    return this.#patch(cronJob, unmark(cronJob), { suspend: false });
  }

  disown(workload: Workload): Promise<WriteOutcome> {
    return this.#patch(workload, unmark(workload), undefined);
  }

  async read(ref: WorkloadRef): Promise<Workload | undefined> {
    try {
      const raw = await this.#client.get(typeOf(ref.kind), ref);
      const workload = this.#project(ref.kind, raw);
      const read = withOwner(workload, replicasOwner(raw));
      this.#onAnswer(read);
      return read;
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  /** Whose mark it is, and of which object: what a mark must say to be believed. */
  #signature({ uid }: Workload, epoch: number): Record<string, string> {
    return {
      [annotations.markedUid]: uid,
      [annotations.markedEpoch]: String(epoch),
      ...(this.#release === undefined ? {} : { [annotations.markedBy]: this.#release }),
    };
  }

  #patch(
    workload: Workload,
    marks: Readonly<Record<string, string | null>>,
    spec: object | undefined,
  ): Promise<WriteOutcome> {
    const metadata = { resourceVersion: workload.resourceVersion, annotations: marks };
    const body = spec === undefined ? { metadata } : { metadata, spec };
    return outcomeOf(async () => {
      const raw = await this.#client.patch(typeOf(workload.kind), workload, { type: 'merge', body }, { once: true });
      this.#onAnswer(this.#project(workload.kind, raw));
    });
  }

  #project(kind: WorkloadKind, raw: KubeObject): Workload {
    const { deployment, statefulSet, cronJob } = this.#projections;
    if (kind === 'CronJob') return cronJob(raw as Parameters<typeof cronJob>[0]);
    const project = kind === 'Deployment' ? deployment : statefulSet;
    return project(raw as Parameters<typeof project>[0]);
  }
}

function withOwner(workload: Workload, setBy: string | undefined): Workload {
  if (setBy === undefined) return workload;
  return workload.kind === 'CronJob' ? { ...workload, suspendSetBy: setBy } : { ...workload, replicasSetBy: setBy };
}

/** The marks that are there, to be removed: a merge patch removes with null. */
function unmark(workload: Workload): Record<string, null> {
  const { hibernatedReplicas, suspendedByService, markedUid, markedBy, markedEpoch } = annotations;
  const marks = [hibernatedReplicas, suspendedByService, markedUid, markedBy, markedEpoch];
  return Object.fromEntries(
    marks.filter((mark) => workload.annotations[mark] !== undefined).map((mark) => [mark, null]),
  );
}

function typeOf(kind: WorkloadKind): ResourceType<KubeObject> {
  const types = { Deployment: resources.deployments, StatefulSet: resources.statefulSets, CronJob: resources.cronJobs };
  return types[kind] as ResourceType<KubeObject>;
}
