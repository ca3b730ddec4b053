import type { ByAnnotation, ByField } from '../../domain/kinds/kind-row.ts';
import { rowOf } from '../../domain/kinds/kinds.ts';
import { patchAt, stepsTo, stepsToClear } from '../../domain/kinds/place.ts';
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
    return this.#patch(workload, mark, 0);
  }

  raise(workload: Scalable, count: number): Promise<WriteOutcome> {
    return this.#patch(workload, unmark(workload), count);
  }

  suspend(workload: Switched, epoch: number): Promise<WriteOutcome> {
    const { value } = workload;
    const before = value === undefined ? {} : { [annotations.valueBefore]: value };
    const mark = { [annotations.suspendedByService]: 'true', ...before, ...this.#signature(workload, epoch) };
    return this.#patch(workload, mark, switchOf(workload).value);
  }

  resume(workload: Switched, before?: string): Promise<WriteOutcome> {
    const value = before === undefined ? awakeValue(workload) : (JSON.parse(before) as Value);
    return this.#patch(workload, unmark(workload), value);
  }

  disown(workload: Workload): Promise<WriteOutcome> {
    return this.#patch(workload, unmark(workload));
  }

  async read(ref: WorkloadRef): Promise<Workload | undefined> {
    try {
      const raw = await this.#client.get(resourceOf(ref.kind), ref);
      const workload = this.#projections.workload[ref.kind](raw);
      const read = withOwner(workload, levelOwner(raw, rowOf(ref.kind)));
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

  /** The marks, and the value at the place that the kind sleeps by; null takes it away, undefined leaves it alone. */
  #patch(workload: Workload, marks: Marks, value?: Value): Promise<WriteOutcome> {
    const metadata = { resourceVersion: workload.resourceVersion, annotations: marks };
    const body = value === undefined ? { metadata } : withValue(workload, metadata, value);
    return outcomeOf(async () => {
      const type = resourceOf(workload.kind);
      const raw = await this.#client.patch(type, workload, { type: 'merge', body }, { once: true });
      this.#onAnswer(this.#projections.workload[workload.kind](raw));
    });
  }
}

type Marks = Readonly<Record<string, string | null>>;
type Value = boolean | number | string | null;

interface PatchedMetadata {
  readonly resourceVersion: string;
  readonly annotations: Marks;
}

function withValue(workload: Workload, metadata: PatchedMetadata, value: Value): object {
  const { sleep } = rowOf(workload.kind);
  if (sleep.by !== 'annotation') {
    const alone = !isScalable(workload) && workload.alone === true;
    return { metadata, ...patchAt(value === null ? stepsToClear(sleep, alone) : stepsTo(sleep), value) };
  }
  return { metadata: { ...metadata, annotations: { ...metadata.annotations, [sleep.name]: value } } };
}

/** A switched kind sleeps by a value. */
function switchOf({ kind }: Switched): ByField | ByAnnotation {
  return rowOf(kind).sleep as ByField | ByAnnotation;
}

function awakeValue(workload: Switched): Value {
  const sleep = switchOf(workload);
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
