import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import { type EndedSession, endedSessions, withEnded } from '../../state/access/ended-sessions.ts';
import { set } from '../../state/snapshot.ts';
import { Refusal } from '../call/refusal.ts';
import type { Intents } from '../state/intents.ts';

const againMs = 10_000;
/** Whoever stops has seconds: a cluster that can be written again is not to be missed. */
const againAtStopMs = 1_000;

const lostMessage =
  'Stopped before sign-outs were stored; until their tokens expire they are good again after the restart';

/** Writes ended sessions into the state, so that they stay ended after a restart. What ends meanwhile goes with the next write. */
export class EndedSessionBook {
  readonly #intents: Intents;
  readonly #clock: Clock;
  readonly #logger: Logger;
  #unwritten: readonly EndedSession[] = [];
  #writing = false;
  #cancel: () => void = () => {};
  /** Set by who waits for the end. */
  #onEnd: (() => void) | undefined;

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

  /** Tries what is open at once and again, and resolves when nothing is, or when no further try can help. Never rejects. */
  async finish(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#onEnd = resolve;
    void this.#write();
    if (this.#unwritten.length > 0) await promise;
  }

  /** No further try. What is still open is lost with this process, which somebody has to know. */
  stop(): void {
    this.#cancel();
    const sessions = this.#unwritten.length;
    if (sessions > 0) this.#logger.error(lostMessage, { sessions });
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
      if (this.#unwritten.length === 0) this.#onEnd?.();
      void this.#write();
    } catch (error) {
      this.#writing = false;
      this.#failed(error);
    }
  }

  #failed(error: unknown): void {
    this.#logger.warn('Ended sessions could not be stored; they are ended until the API restarts', {
      error: String(error),
    });
    if (this.#onEnd !== undefined && isLasting(error)) this.#onEnd();
    else {
      const waitMs = this.#onEnd === undefined ? againMs : againAtStopMs;
      this.#cancel = this.#clock.after(waitMs, () => void this.#write());
    }
  }
}

/** Somebody has to repair or to empty the state first. */
function isLasting(error: unknown): boolean {
  return error instanceof Refusal && (error.code === 'state_full' || error.details?.['key'] !== undefined);
}
