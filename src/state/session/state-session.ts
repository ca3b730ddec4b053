import type { StateCodec } from '../codec.ts';
import { decodeState, planStateWrite, type StateEdit, type StateSnapshot } from '../snapshot.ts';
import type { StateStore, StoredState } from './state-store.ts';

/** A value of the state cannot be decoded: nothing that depends on it is decided, and it is never overwritten. */
export class StateUndecodable extends Error {
  override readonly name = 'StateUndecodable';
}

/** The state could not be written as decided; the pass ends and the next one looks again. */
export class LookAgain extends Error {
  override readonly name = 'LookAgain';
}

/** The apiserver takes no larger state: nothing more can be recorded, so nothing more is taken down. */
export class StateFull extends Error {
  override readonly name = 'StateFull';
}

/** `svc-state` during one pass: decoded on demand, written only as it was read. */
export class StateSession {
  readonly #store: StateStore;
  #stored: StoredState;
  #snapshot: StateSnapshot;

  private constructor(store: StateStore, stored: StoredState) {
    this.#store = store;
    this.#stored = stored;
    this.#snapshot = decodeState(stored.data, stored.resourceVersion);
  }

  static async open(store: StateStore): Promise<StateSession> {
    return new StateSession(store, await store.read());
  }

  get snapshot(): StateSnapshot {
    return this.#snapshot;
  }

  get<T>(codec: StateCodec<T>): T {
    const decoded = this.#snapshot.read(codec);
    if (!decoded.ok) throw new StateUndecodable(decoded.message);
    return decoded.value;
  }

  /** The same for what can wait: false when the state has no room for it. */
  async writeIfRoom(...edits: readonly StateEdit[]): Promise<boolean> {
    try {
      await this.write(...edits);
      return true;
    } catch (error) {
      if (error instanceof StateFull) return false;
      throw error;
    }
  }

  /** Makes the edits durable, all in one write; nothing is written when they hold already. */
  async write(...edits: readonly StateEdit[]): Promise<void> {
    const plan = planStateWrite(this.#snapshot, edits);
    if (plan.outcome === 'nothing') return;
    if (plan.outcome === 'refused') {
      throw plan.why === 'too-large' ? new StateFull(plan.message) : new StateUndecodable(plan.message);
    }
    const result = await this.#store.write(this.#stored, plan.changes);
    switch (result.outcome) {
      case 'done':
        this.#stored = result.state;
        this.#snapshot = decodeState(result.state.data, result.state.resourceVersion);
        return;
      case 'conflict':
        throw new LookAgain('somebody else wrote the state first');
      case 'unknown':
        throw new LookAgain(`it is not known whether the state was written: ${result.message}`);
      case 'too-large':
        throw new StateFull(result.message);
      case 'refused':
        throw new Error(`the state could not be written: ${result.message}`);
    }
  }
}
