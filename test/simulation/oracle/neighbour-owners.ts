import type { KubeObject } from '../../../embedded-cluster/object-store.ts';
import type { StoreChange } from '../../../embedded-cluster/store/memory-store.ts';
import { isQuiet, markedStanding, placeOf, standing } from './neighbour-place.ts';
import { refOf } from './workload-level.ts';

/** What the owner of a ScaledObject, a Kustomization, … wants to stand at the place by which it is quieted. */
export interface NeighbourWish {
  readonly ref: string;
  readonly asleep: string;
  /** More than one only where the cluster itself no longer tells which. */
  wanted: ReadonlySet<string>;
  readonly history: Set<string>;
  readonly createdAt: number;
  touchedAt: number;
}

/** Keeps it for every such object; hears of every change, whoever made it. */
export class NeighbourOwners {
  readonly #byUid = new Map<string, NeighbourWish>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  ofUid(uid: string): NeighbourWish | undefined {
    return this.#byUid.get(uid);
  }

  of(object: KubeObject): NeighbourWish | undefined {
    return this.ofUid(object.metadata.uid);
  }

  heard({ event: { object, previous, type } }: StoreChange, byUs: boolean): void {
    if (type === 'DELETED' || byUs) return;
    const stands = standing(object);
    const wish = this.of(object);
    if (wish === undefined || previous === undefined) {
      this.#byUid.set(object.metadata.uid, {
        ref: refOf(object),
        asleep: placeOf(object).asleep,
        wanted: new Set([stands]),
        history: new Set([stands]),
        createdAt: this.#now(),
        touchedAt: this.#now(),
      });
    } else if (stands !== standing(previous)) {
      const marked = markedStanding(object);
      // Quieted by its owner while our mark was still on it: what it carries cannot be told from ours.
      wish.wanted = new Set(isQuiet(object) && marked !== undefined ? [stands, marked] : [stands]);
      wish.history.add(stands);
      wish.touchedAt = this.#now();
    }
  }

  /** Without records, what is quiet and carries no mark is its owner's as far as anybody can tell. */
  recordsLost(objects: readonly KubeObject[]): void {
    for (const object of objects) {
      const wish = this.of(object);
      if (wish === undefined || !isQuiet(object) || markedStanding(object) !== undefined) continue;
      wish.wanted = new Set([...wish.wanted, wish.asleep]);
      wish.history.add(wish.asleep);
    }
  }
}
