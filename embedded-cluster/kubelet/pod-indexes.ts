interface IndexedPod {
  readonly metadata: {
    readonly name: string;
    readonly uid: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly ownerReferences?: readonly {
      readonly uid: string;
      readonly kind: string;
      readonly controller?: boolean;
    }[];
  };
}

interface Place {
  readonly owner: string;
  readonly index: number;
}

/**
 * Numbers the pods of each owner from 0, so that pods of one workload can be told to behave differently: a
 * StatefulSet's pods by their ordinal, others by the lowest number that no living sibling has.
 */
export class PodIndexes {
  readonly #places = new Map<string, Place>();
  readonly #taken = new Map<string, Set<number>>();

  /** Gives the pod its number; the first sight of a pod decides. */
  see(pod: IndexedPod): void {
    this.of(pod);
  }

  of(pod: IndexedPod): number {
    const { uid } = pod.metadata;
    const known = this.#places.get(uid);
    if (known !== undefined) return known.index;
    const owner = pod.metadata.ownerReferences?.find((one) => one.controller === true);
    const place = { owner: owner?.uid ?? uid, index: 0 };
    if (owner?.kind === 'StatefulSet') place.index = ordinalOf(pod);
    else place.index = this.#lowestFree(place.owner);
    this.#places.set(uid, place);
    return place.index;
  }

  forget(pod: IndexedPod): void {
    const place = this.#places.get(pod.metadata.uid);
    if (place === undefined) return;
    this.#places.delete(pod.metadata.uid);
    const taken = this.#taken.get(place.owner);
    taken?.delete(place.index);
    if (taken?.size === 0) this.#taken.delete(place.owner);
  }

  #lowestFree(owner: string): number {
    let taken = this.#taken.get(owner);
    if (taken === undefined) {
      taken = new Set();
      this.#taken.set(owner, taken);
    }
    let index = 0;
    while (taken.has(index)) index++;
    taken.add(index);
    return index;
  }
}

function ordinalOf(pod: IndexedPod): number {
  return Number(/-(\d+)$/.exec(pod.metadata.name)?.[1] ?? 0);
}
