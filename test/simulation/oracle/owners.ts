import type { KubeObject } from '../../../embedded-cluster/object-store.ts';
import type { StoreChange } from '../../../embedded-cluster/store/memory-store.ts';
import { isMarked, levelOf, markedLevel, refOf } from './workload-level.ts';

/** What the owner of one object wants of it, as far as anybody can know. */
export interface OwnersWish {
  readonly ref: string;
  readonly kind: string;
  /** More than one only where the cluster itself no longer tells which: each of them is right then. */
  wanted: ReadonlySet<number>;
  /** Every level that somebody but us ever gave it. */
  readonly history: Set<number>;
  /** When its owner last changed the level (of the cluster's steady time). */
  touchedAt: number;
  readonly createdAt: number;
  /** When we last took it down; undefined while it is not down by us. */
  loweredAt?: number;
}

/** Keeps, for every workload, what its owner last wanted. Hears of every change of the store, whoever made it. */
export class Owners {
  readonly #byUid = new Map<string, OwnersWish>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  of(object: KubeObject): OwnersWish | undefined {
    return this.#byUid.get(object.metadata.uid);
  }

  ofUid(uid: string): OwnersWish | undefined {
    return this.#byUid.get(uid);
  }

  heard({ event }: StoreChange, byUs: boolean): void {
    const { object, previous, type } = event;
    if (type === 'DELETED') return;
    if (previous === undefined) this.#created(object);
    else if (byUs) this.#changedByUs(object, previous);
    else this.#changedByOwner(object, previous);
  }

  /** The records were lost: where the mark is gone too, nobody can tell any more what the owner wanted. */
  recordsLost(objects: readonly KubeObject[]): void {
    for (const object of objects) {
      const wish = this.of(object);
      if (wish === undefined || levelOf(object) > 0 || markedLevel(object) !== undefined) continue;
      wish.wanted = new Set([...wish.wanted, 0]);
      wish.history.add(0);
    }
  }

  #created(object: KubeObject): void {
    const level = levelOf(object);
    this.#byUid.set(object.metadata.uid, {
      ref: refOf(object),
      kind: object.kind,
      wanted: new Set([level]),
      history: new Set([level]),
      touchedAt: this.#now(),
      createdAt: this.#now(),
    });
  }

  #changedByUs(object: KubeObject, previous: KubeObject): void {
    const wish = this.of(object);
    if (wish === undefined) return;
    if (levelOf(object) === 0 && levelOf(previous) > 0) wish.loweredAt = this.#now();
    else if (levelOf(object) > 0 || !isMarked(object)) delete wish.loweredAt;
  }

  #changedByOwner(object: KubeObject, previous: KubeObject): void {
    const wish = this.of(object);
    const level = levelOf(object);
    if (wish === undefined || level === levelOf(previous)) return;
    const marked = markedLevel(object);
    // A zero that its owner set while our mark was still on it cannot be told from ours by what the object carries.
    wish.wanted = new Set(level === 0 && marked !== undefined ? [0, marked] : [level]);
    wish.history.add(level);
    wish.touchedAt = this.#now();
    if (level > 0) delete wish.loweredAt;
  }
}
