import type { Clock } from '../../ports/clock.ts';
import { epoch, nextEpoch } from '../../state/epoch.ts';
import type { StateSession } from '../../state/session/state-session.ts';
import { type StateEdit, set } from '../../state/snapshot.ts';

/**
 * This life of the controller among those before and after it. A life that is about to lower something counts itself in
 * the state first, so that what an earlier one still has on its way can be refused by the apiserver when it arrives.
 */
export class Life {
  readonly #clock: Clock;
  #epoch: number | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The number that the lowerings of this life carry; known once it is counted. */
  get epoch(): number {
    if (this.#epoch === undefined) throw new Error('This life of the controller is not counted yet.');
    return this.#epoch;
  }

  /** What has to be written before anything is lowered: nothing once this is the newest life. */
  count(session: StateSession): readonly StateEdit[] {
    const newest = session.get(epoch);
    if (this.#epoch === undefined || newest > this.#epoch) this.#epoch = nextEpoch(newest, this.#clock.now());
    return newest === this.#epoch ? [] : [set(epoch, this.#epoch)];
  }
}
