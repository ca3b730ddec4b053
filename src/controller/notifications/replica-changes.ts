import { unexpectedReplicaChange } from '../../domain/announcement/conditions.ts';
import type { EpochMs } from '../../domain/workload.ts';
import type { PassConditions } from './pass-conditions.ts';

interface Group {
  /** Those that it began with, in order: they name the condition for as long as it holds. */
  readonly workloads: readonly string[];
  readonly sentences: Map<string, string>;
}

/**
 * What owners did to the scale of workloads that sleep, as a condition: it holds until they sleep again or the cluster wakes.
 * What was found in one pass is one card.
 */
export class ReplicaChanges {
  #groups: Group[] = [];

  /**
   * `changed`: what this pass found, a sentence a workload. `standing`: what is up now by its owner's doing, with a sentence
   * for those that an earlier process found.
   */
  update(
    conditions: PassConditions,
    changed: ReadonlyMap<string, string>,
    standing: ReadonlyMap<string, string>,
    at: EpochMs,
  ): void {
    for (const { sentences } of this.#groups) {
      for (const workload of sentences.keys()) {
        const sentence = changed.get(workload);
        if (sentence !== undefined) sentences.set(workload, sentence);
        else if (!standing.has(workload)) sentences.delete(workload);
      }
    }
    this.#groups = this.#groups.filter(({ sentences }) => sentences.size > 0);
    const known = new Set(this.#groups.flatMap(({ sentences }) => [...sentences.keys()]));
    const fresh = [...standing, ...changed].filter(([workload]) => !known.has(workload));
    const sentences = new Map(fresh.toSorted(([a], [b]) => (a < b ? -1 : 1)));
    if (sentences.size > 0) this.#groups.push({ workloads: [...sentences.keys()], sentences });
    this.goOn(conditions, at);
  }

  /** In a pass that looks for no changes, because the cluster is on its way down: what was found holds on. */
  goOn(conditions: PassConditions, at: EpochMs): void {
    for (const group of this.#groups) {
      conditions.holds(unexpectedReplicaChange(group.workloads, [...group.sentences.values()], at));
    }
  }

  /** Found while the cluster was still on its way down, a sentence a workload: a condition from the first update on. */
  found(sentences: ReadonlyMap<string, string>): void {
    const ordered = new Map([...sentences].toSorted(([a], [b]) => (a < b ? -1 : 1)));
    this.#groups.push({ workloads: [...ordered.keys()], sentences: ordered });
  }

  /** The cluster is no longer asleep. */
  over(): void {
    this.#groups = [];
  }
}
