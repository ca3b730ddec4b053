import { phase } from '../../../state/phase.ts';
import type { StateSession } from '../../../state/session/state-session.ts';

/**
 * Whether this process ended a wake of the whole cluster while `phase` could not be decoded. That the cluster is awake then
 * stands nowhere, and every pass would wake it again, with a card each.
 */
export class UnnotedWake {
  #ended = false;

  ended(session: StateSession): void {
    this.#ended = !session.read(phase).ok;
  }

  /** Until `phase` can be read again. */
  holds(session: StateSession): boolean {
    if (session.read(phase).ok) this.#ended = false;
    return this.#ended;
  }
}
