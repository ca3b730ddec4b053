import { isScalable, type Workload, workloadKey } from '../../domain/workload.ts';

interface Lowered {
  readonly uid: string;
  /** This very object. */
  readonly times: number;
  /** Whatever had its name. */
  readonly timesByName: number;
}

/**
 * What this process has taken down since the cluster went to sleep, and has not brought back. Who puts an object back whole, our mark
 * included, or creates it anew, leaves no other trace of that: without this, such a one would be fought for as long as he does it. And what
 * it has sent to bring something back: where awake means that nothing stands there, a raise that arrives late leaves no trace either.
 */
export class Lowerings {
  readonly #byKey = new Map<string, Lowered>();
  /** By key, the uid of what we sent a raise of that nobody has answered: it may still arrive, as long as nothing else changes the object. */
  readonly #raising = new Map<string, string>();
  /** Uids of what another one of us had up again. */
  readonly #byAnother = new Set<string>();

  lowered(workload: Workload): void {
    const key = workloadKey(workload);
    const { uid } = workload;
    this.#raising.delete(key);
    const known = this.#byKey.get(key);
    const times = known?.uid === uid ? known.times + 1 : 1;
    this.#byKey.set(key, { uid, times, timesByName: (known?.timesByName ?? 0) + 1 });
  }

  /** Brought back by us, or left to its owner. Whatever the answer, or none: it may be up by us from now on. */
  givingBack(workload: Workload): void {
    this.#byKey.delete(workloadKey(workload));
    this.#raising.set(workloadKey(workload), workload.uid);
  }

  /** What was sent to give it back will not arrive later. */
  answered(workload: Workload): void {
    this.#raising.delete(workloadKey(workload));
  }

  mayBeRaisedLate(workload: Workload): boolean {
    return this.#raising.get(workloadKey(workload)) === workload.uid;
  }

  times(workload: Workload): number {
    const known = this.#byKey.get(workloadKey(workload));
    return known?.uid === workload.uid ? known.times : 0;
  }

  timesByName(workload: Workload): number {
    return this.#byKey.get(workloadKey(workload))?.timesByName ?? 0;
  }

  /**
   * Others need it, so another one of us may have it up, again. Where being up leaves no name, that we took it down before says nothing of
   * who raised it; where it does, the name says so.
   */
  upForOthers(workload: Workload): void {
    this.#byAnother.delete(workload.uid);
    const known = this.#byKey.get(workloadKey(workload));
    if (known === undefined) return;
    if (isScalable(workload)) this.#byKey.set(workloadKey(workload), { ...known, times: Math.min(known.times, 1) });
    else this.#byKey.delete(workloadKey(workload));
  }

  /** Another one of us brought it back, as it seems. True once: whoever does so under our name after that is not fought. */
  byAnother(workload: Workload): boolean {
    if (this.#byAnother.has(workload.uid)) return false;
    this.#byAnother.add(workload.uid);
    this.#byKey.delete(workloadKey(workload));
    return true;
  }

  /** The cluster is no longer to sleep, or a new night begins. */
  over(): void {
    this.#byKey.clear();
    this.#byAnother.clear();
  }
}
