import { type Clock, sleep } from '../../ports/clock.ts';
import type { StateStore } from '../../state/session/state-store.ts';
import { planStateWrite, type StateEdit, type StateSnapshot } from '../../state/snapshot.ts';
import { Refusal } from '../refusal.ts';
import { asUnavailable, type ManagedState } from './managed-state.ts';

export interface Decision<A> {
  readonly edits: readonly StateEdit[];
  readonly answer: A;
}

const tries = 8;
const pauseMs = 20;

/**
 * Writes what people and clusters want into `svc-state`, for the controller to act on. A refusal (thrown by `decide`)
 * comes before any write; a conflict reads again and decides again.
 */
export class Intents {
  readonly #store: StateStore;
  readonly #state: ManagedState;
  readonly #clock: Clock;
  readonly #onWritten: () => void;

  constructor(store: StateStore, state: ManagedState, clock: Clock, onWritten: () => void) {
    this.#store = store;
    this.#state = state;
    this.#clock = clock;
    this.#onWritten = onWritten;
  }

  // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: the one session protocol of controller and api takes its place.
  async write<A>(decide: (snapshot: StateSnapshot) => Decision<A>): Promise<A> {
    let unsure: Decision<A> | undefined;
    for (let attempt = 1; attempt <= tries; attempt++) {
      const { stored, snapshot } = await this.#state.readNewest().catch((error: unknown) => {
        throw asUnavailable(error);
      });
      // After an answer that left it open: if what we wanted is there, it was us.
      if (unsure !== undefined && planStateWrite(snapshot, unsure.edits).outcome === 'nothing') {
        return this.#written(unsure.answer);
      }
      const decision = decide(snapshot);
      const plan = planStateWrite(snapshot, decision.edits);
      if (plan.outcome === 'nothing') return decision.answer;
      if (plan.outcome === 'refused') {
        if (plan.why === 'too-large') throw new Refusal('state_full', plan.message);
        const key = decision.edits.find((edit) => !edit.current(snapshot).ok)?.key;
        throw new Refusal('managed_state_unavailable', plan.message, { details: { key } });
      }
      const result = await this.#store.write(stored, plan.changes);
      if (result.outcome === 'done') return this.#written(decision.answer);
      if (result.outcome === 'too-large') throw new Refusal('state_full', result.message);
      if (result.outcome === 'refused') throw unwritable(result.message);
      unsure = result.outcome === 'unknown' ? decision : undefined;
      // The controller writes often while it works; the first tries go at once.
      if (attempt > 3) await sleep(this.#clock, pauseMs * attempt);
    }
    if (unsure !== undefined) throw unwritable('no answer came');
    throw new Refusal('state_conflict');
  }

  #written<A>(answer: A): A {
    this.#state.forget();
    this.#onWritten();
    return answer;
  }
}

function unwritable(message: string): Refusal {
  return new Refusal('managed_state_unavailable', `The managed state could not be written: ${message}`);
}
