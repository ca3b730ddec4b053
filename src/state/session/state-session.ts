import type { Decoded, StateCodec } from '../codec/codec.ts';
import { decodeState, type StateEdit, type StateSnapshot } from '../snapshot.ts';
import type { StateStore, StateWriteOutcome, StoredState } from '../state-store.ts';
import { type PlannedWrite, planBeside, planStateWrite, type Room } from './plan-write.ts';
import { StateConflict, StateFull, StateUndecodable, StateUnwritable } from './state-errors.ts';

/**
 * `svc-state` from one read on: values are decoded on demand, and a write names the version that was read or written last.
 * Every process reads and writes the state through this.
 */
export class StateSession {
  readonly #store: StateStore;
  #stored: StoredState;
  #snapshot: StateSnapshot;

  /** `snapshot` spares decoding anew what somebody else has read already. */
  constructor(
    store: StateStore,
    stored: StoredState,
    snapshot: StateSnapshot = decodeState(stored.data, stored.resourceVersion, stored),
  ) {
    this.#store = store;
    this.#stored = stored;
    this.#snapshot = snapshot;
  }

  static async open(store: StateStore): Promise<StateSession> {
    return new StateSession(store, await store.read());
  }

  /** As it was read, or written last. */
  get stored(): StoredState {
    return this.#stored;
  }

  get snapshot(): StateSnapshot {
    return this.#snapshot;
  }

  /** For a decision that has its own answer to a value that cannot be decoded. */
  read<T>(codec: StateCodec<T>): Decoded<T> {
    return this.#snapshot.read(codec);
  }

  /** The value of a key; throws, and so ends the pass, when it cannot be decoded. */
  get<T>(codec: StateCodec<T>): T {
    const decoded = this.#snapshot.read(codec);
    if (!decoded.ok) throw new StateUndecodable(codec.key, decoded.message);
    return decoded.value;
  }

  /**
   * For what goes on without the value, or with what can be read of it. Never for a decision to take something down: a value that cannot be decoded is not
   * empty, it may be what keeps the cluster up.
   */
  getOrEmpty<T>(codec: StateCodec<T>): T {
    const decoded = this.#snapshot.read(codec);
    return decoded.ok ? decoded.value : (decoded.rest ?? codec.empty);
  }

  /** For what can wait, or holds without being stored: false when there is no room for it. */
  async writeIfRoom(room: Room, ...edits: readonly StateEdit[]): Promise<boolean> {
    try {
      await this.#write(edits, room);
      return true;
    } catch (error) {
      if (error instanceof StateFull) return false;
      throw error;
    }
  }

  /** Before something is taken down: leaves the reserve to what brings it back. */
  async writeOutsideReserve(...edits: readonly StateEdit[]): Promise<void> {
    await this.#write(edits, 'ordinary');
  }

  /** Makes the edits durable, all in one write; nothing is written when they hold already. */
  async write(...edits: readonly StateEdit[]): Promise<void> {
    await this.#write(edits, 'reserve');
  }

  /** The same where it matters whether anything had to be written, and how much room it may take. */
  async writeIn(room: Room, edits: readonly StateEdit[]): Promise<'written' | 'nothing'> {
    return this.#write(edits, room);
  }

  /** Whether the edits hold already: after an answer that was lost, that it was us. */
  holds(edits: readonly StateEdit[]): boolean {
    return planStateWrite(this.#snapshot, edits).outcome === 'nothing';
  }

  async #write(edits: readonly StateEdit[], room: Room): Promise<'written' | 'nothing'> {
    const plan = planStateWrite(this.#snapshot, edits, room);
    if (plan.outcome === 'nothing') return 'nothing';
    if (plan.outcome === 'refused') {
      throw plan.why === 'too-large' ? new StateFull(plan.message) : new StateUndecodable(plan.key, plan.message);
    }
    let result = await this.#apply(plan);
    if (result.outcome === 'too-large' && room === 'reserve') {
      const beside = planBeside(this.#snapshot, edits);
      if (beside !== undefined) result = await this.#apply(beside);
    }
    switch (result.outcome) {
      case 'done':
        this.#stored = result.state;
        this.#snapshot = decodeState(result.state.data, result.state.resourceVersion, result.state);
        return 'written';
      case 'conflict':
        throw new StateConflict('conflict', 'somebody else wrote the state first');
      case 'unknown':
        throw new StateConflict('unknown', `it is not known whether the state was written: ${result.message}`);
      case 'too-large':
        throw new StateFull(result.message);
      case 'refused':
        throw new StateUnwritable(result.message);
    }
  }

  #apply({ changes, beside, parts }: PlannedWrite): Promise<StateWriteOutcome> {
    const further = { ...(beside === undefined ? {} : { beside }), ...(parts === undefined ? {} : { parts }) };
    return this.#store.write(this.#stored, changes, further);
  }
}
