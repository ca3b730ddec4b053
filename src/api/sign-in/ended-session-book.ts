import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import { type EndedSession, endedSessions, withEnded } from '../../state/access/ended-sessions.ts';
import { set } from '../../state/snapshot.ts';
import type { Intents } from '../state/intents.ts';

const againMs = 10_000;

/** Writes ended sessions into the state, so that they stay ended after a restart. What ends meanwhile goes with the next write. */
export class EndedSessionBook {
  readonly #intents: Intents;
  readonly #clock: Clock;
  readonly #logger: Logger;
  #unwritten: readonly EndedSession[] = [];
  #writing = false;
  #cancel: () => void = () => {};

  constructor(intents: Intents, clock: Clock, logger: Logger) {
    this.#intents = intents;
    this.#clock = clock;
    this.#logger = logger;
  }

  /** Nobody waits for it: a sign-out holds at once in this process, whatever the cluster answers. */
  add(ended: EndedSession): void {
    this.#unwritten = withEnded(this.#unwritten, [ended], this.#clock.now());
    void this.#write();
  }

  stop(): void {
    this.#cancel();
  }

  async #write(): Promise<void> {
    if (this.#writing || this.#unwritten.length === 0) return;
    this.#writing = true;
    this.#cancel();
    const batch = this.#unwritten;
    try {
      await this.#intents.write((snapshot) => {
        const known = snapshot.read(endedSessions);
        return {
          edits: [set(endedSessions, withEnded(known.ok ? known.value : [], batch, this.#clock.now()))],
          answer: undefined,
        };
      });
      this.#unwritten = this.#unwritten.filter((one) => !batch.includes(one));
      this.#writing = false;
      void this.#write();
    } catch (error) {
      this.#writing = false;
      this.#logger.warn('Ended sessions could not be stored; they are ended until the API restarts', {
        error: String(error),
      });
      this.#cancel = this.#clock.after(againMs, () => void this.#write());
    }
  }
}
