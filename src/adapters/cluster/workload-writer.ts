import type { ByAnnotation, ByField, KindRow } from '../../domain/kinds/kind-row.ts';
import { patchAt, stepsTo } from '../../domain/kinds/place.ts';
import { annotations } from '../../domain/names.ts';
import { isScalable, type Scalable, type Switched, type Workload, type WorkloadRef } from '../../domain/workload.ts';
import type { WorkloadWriter, WriteOutcome } from '../../ports/cluster.ts';
import { isNotFound } from '../kubernetes/client/errors.ts';
import type { KubeClient } from '../kubernetes/client/kube-client.ts';
import { resourceOf } from '../kubernetes/client/resource-type.ts';
import type { Projections } from '../kubernetes/projection/projections.ts';
import { levelOwner } from './level-owner.ts';
import { outcomeOf } from './write-outcome.ts';

/** Hears the answer to each write and fresh read, so that the caches know of it before the watch delivers it. */
export type OnAnswer = (workload: Workload) => void;

/** Guarded merge patches: each names the resourceVersion it was decided on and the fields it means, nothing else. */
export class KubernetesWorkloadWriter implements WorkloadWriter {
  readonly #client: KubeClient;
  readonly #projections: Projections;
  readonly #onAnswer: OnAnswer;
  readonly #release: string;

  /** `release`: the namespace of the release, which its marks then name. */
  constructor(client: KubeClient, projections: Projections, onAnswer: OnAnswer, release: string) {
    this.#client = client;
    this.#projections = projections;
    this.#onAnswer = onAnswer;
    this.#release = release;
  }

  lower(workload: Scalable, count: number, epoch: number): Promise<WriteOutcome> {
    const mark = { [annotations.hibernatedReplicas]: String(count), ...this.#signature(workload, epoch) };
    return this.#patch(workload, mark, () => 0);
  }

  raise(workload: Scalable, count: number): Promise<WriteOutcome> {
    return this.#patch(workload, unmark(workload), () => count);
  }

  suspend(workload: Switched, epoch: number): Promise<WriteOutcome> {
    const { value } = workload;
    const before = value === undefined ? {} : { [annotations.valueBefore]: value };
    const mark = { [annotations.suspendedByService]: 'true', ...before, ...this.#signature(workload, epoch) };
    return this.#patch(workload, mark, ({ sleep }) => (sleep as Switch).value);
  }

  resume(workload: Switched, before?: string): Promise<WriteOutcome> {
    if (before !== undefined) return this.#patch(workload, unmark(workload), () => JSON.parse(before) as Value);
    return this.#patch(workload, unmark(workload), awakeValue, workload.loneAfter);
  }

  disown(workload: Workload): Promise<WriteOutcome> {
    return this.#patch(workload, unmark(workload));
  }

  async read(ref: WorkloadRef): Promise<Workload | undefined> {
    try {
      const row = this.#projections.workload.row(ref.kind);
      const raw = await this.#client.get(resourceOf(ref.kind, row), ref);
      const workload = this.#projections.workload.of(ref.kind)(raw);
      const read = withOwner(workload, levelOwner(raw, row));
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
      [annotations.markedBy]: this.#release,
    };
  }

  /** The marks, and the value at the place that the kind sleeps by; null takes it away. Without a value the place is left alone. `steps`: how many of those to the place are taken, when not all. */
  #patch(workload: Workload, marks: Marks, value?: (row: KindRow) => Value, steps?: number): Promise<WriteOutcome> {
    const metadata = { resourceVersion: workload.resourceVersion, annotations: marks };
    return outcomeOf(async () => {
      const row = this.#projections.workload.row(workload.kind);
      const body = value === undefined ? { metadata } : withValue(row, metadata, value(row), steps);
      const type = resourceOf(workload.kind, row);
      const raw = await this.#client.patch(type, workload, { type: 'merge', body }, paced);
      this.#onAnswer(this.#projections.workload.of(workload.kind)(raw));
    });
  }
}

/** Whoever calls keeps a pace of its own, and what is kept of the answer has no managedFields. */
const paced = { once: true, withoutManagedFields: true } as const;

type Marks = Readonly<Record<string, string | null>>;
type Value = boolean | number | string | null;
/** A switched kind sleeps by a value. */
type Switch = ByField | ByAnnotation;

interface PatchedMetadata {
  readonly resourceVersion: string;
  readonly annotations: Marks;
}

function withValue({ sleep }: KindRow, metadata: PatchedMetadata, value: Value, steps?: number): object {
  if (sleep.by !== 'annotation') return { metadata, ...patchAt(stepsTo(sleep).slice(0, steps), value) };
  return { metadata: { ...metadata, annotations: { ...metadata.annotations, [sleep.name]: value } } };
}

function awakeValue({ sleep }: KindRow): Value {
  return (sleep.by === 'field' ? sleep.filledIn : undefined) ?? null;
}

function withOwner(workload: Workload, setBy: string | undefined): Workload {
  if (setBy === undefined) return workload;
  return isScalable(workload) ? { ...workload, replicasSetBy: setBy } : { ...workload, suspendSetBy: setBy };
}

/** The marks that are there, to be removed: a merge patch removes with null. */
function unmark(workload: Workload): Record<string, null> {
  const { hibernatedReplicas, suspendedByService, valueBefore, markedUid, markedBy, markedEpoch } = annotations;
  const marks = [hibernatedReplicas, suspendedByService, valueBefore, markedUid, markedBy, markedEpoch];
  return Object.fromEntries(
    marks.filter((mark) => workload.annotations[mark] !== undefined).map((mark) => [mark, null]),
  );
}
