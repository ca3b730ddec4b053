import { type Clock, sleep } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import { type Decision, decideAndWrite } from '../../state/session/decide-and-write.ts';
import { StateConflict, StateFull, StateUndecodable, StateUnwritable } from '../../state/session/state-errors.ts';
import { StateSession } from '../../state/session/state-session.ts';
import type { StateEdit, StateSnapshot } from '../../state/snapshot.ts';
import type { StateStore } from '../../state/state-store.ts';
import { logLostAnnouncements } from '../../state/storing.ts';
import { Refusal } from '../call/refusal.ts';
import { asUnavailable, type ManagedState } from './managed-state.ts';

const tries = 8;
const pauseMs = 20;

export interface IntentsOptions {
  readonly store: StateStore;
  readonly state: ManagedState;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly onWritten: () => void;
}

/**
 * Writes what people and clusters want into `svc-state`, for the controller to act on. A refusal (thrown by `decide`)
 * comes before any write; what goes wrong with the state becomes an answer of the catalogue.
 */
export class Intents {
  readonly #store: StateStore;
  readonly #state: ManagedState;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #onWritten: () => void;

  constructor({ store, state, clock, logger, onWritten }: IntentsOptions) {
    this.#store = store;
    this.#state = state;
    this.#clock = clock;
    this.#logger = logger;
    this.#onWritten = onWritten;
  }

  async write<A>(decide: (snapshot: StateSnapshot) => Decision<A>): Promise<A> {
    try {
      let lost: readonly Pick<StateEdit, 'lost'>[] = [];
      const deciding = (snapshot: StateSnapshot) => {
        const decision = decide(snapshot);
        lost = decision.edits;
        return decision;
      };
      const { answer, written, session } = await decideAndWrite(() => this.#open(), deciding, {
        tries,
        // The controller writes often while it works; the first tries go at once.
        pause: async (attempt) => (attempt > 3 ? sleep(this.#clock, pauseMs * attempt) : undefined),
      });
      if (written) {
        this.#state.forget();
        this.#state.learn({ stored: session.stored, snapshot: session.snapshot });
        logLostAnnouncements(this.#logger, lost);
        this.#onWritten();
      }
      return answer;
    } catch (error) {
      throw asRefusal(error);
    }
  }

  async #open(): Promise<StateSession> {
    const { stored, snapshot } = await this.#state.readNewest();
    return new StateSession(this.#store, stored, snapshot);
  }
}

function asRefusal(error: unknown): unknown {
  if (error instanceof StateFull) return new Refusal('state_full', error.message);
  if (error instanceof StateUndecodable) {
    return new Refusal('managed_state_unavailable', error.message, { details: { key: error.key } });
  }
  if (error instanceof StateUnwritable) return unwritable(error.why);
  if (error instanceof StateConflict) {
    return error.outcome === 'unknown' ? unwritable('no answer came') : new Refusal('state_conflict');
  }
  return asUnavailable(error);
}

function unwritable(message: string): Refusal {
  return new Refusal('managed_state_unavailable', `The managed state could not be written: ${message}`);
}
