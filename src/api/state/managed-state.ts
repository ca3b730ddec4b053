import { configMaps } from '../../domain/names.ts';
import { type Clock, sleep } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import type { StateCodec } from '../../state/codec/codec.ts';
import { decodeState, type StateSnapshot } from '../../state/snapshot.ts';
import type { StateStore, StoredState } from '../../state/state-store.ts';
import { Refusal } from '../call/refusal.ts';

/** The state could not be read at all. */
class StateUnreadable extends Error {
  override readonly name = 'StateUnreadable';
}

export interface ReadState {
  readonly stored: StoredState;
  readonly snapshot: StateSnapshot;
}

const freshMs = 1_000;
/** A screen is told that the state cannot be read; it does not wait for the cluster to come back. */
const readTimeoutMs = 5_000;
/** How old what is kept for who need not sign in may become before it is read again, when nobody told that it changed. */
export const keptForMs = 300_000;
/** Changes that come together are read together, and what could not be read is tried again, no sooner than this. */
const againMs = 1_000;

/**
 * `svc-state` for reading. Many requests of who is signed in share one read of at most a second ago; nothing older is served, so an
 * apiserver that went away shows at once instead of being guessed around. Who need not sign in is answered from what is kept:
 * what was read or written last, by whomever, or by us at a pace of our own.
 */
export class ManagedState {
  readonly #store: StateStore;
  readonly #clock: Clock;
  readonly #logger: Logger;
  #reading: Promise<ReadState> | undefined;
  #readAt = Number.NEGATIVE_INFINITY;
  #last: ReadState | undefined;
  #turn = 0;
  /** Has what could not be read tried again, whoever it was that tried; nobody does before `keepFresh`. */
  #readAgain = () => {};
  /** What came of the read or write that began last, of those that are over. */
  #kept: { readonly turn: number; readonly outcome: ReadState | StateUnreadable } = {
    turn: 0,
    outcome: new StateUnreadable('it has not been read yet'),
  };

  constructor(store: StateStore, clock: Clock, logger: Logger) {
    this.#store = store;
    this.#clock = clock;
    this.#logger = logger;
    store.onChange(() => this.forget());
  }

  /** What was read last, however old; for counting, never for an answer. */
  get last(): ReadState | undefined {
    return this.#last;
  }

  /** Without asking the cluster. Throws `StateUnreadable` when it could not be read the last time, or never was. */
  kept(): ReadState {
    const { outcome } = this.#kept;
    if (outcome instanceof StateUnreadable) throw outcome;
    return outcome;
  }

  /** Reads what has changed, or has become old by `upkeep`, at a pace that no caller has a part in; the answer ends it. */
  keepFresh(upkeep: Clock): () => void {
    let cancelOld = () => {};
    let cancelSoon: (() => void) | undefined;
    const cancel = () => {
      cancelOld();
      cancelSoon?.();
      cancelSoon = undefined;
    };
    const read = () => {
      cancel();
      cancelOld = upkeep.after(keptForMs, read);
      // What failed is shared for a second, by who asks; it is no answer to who tries again.
      if (this.#kept.outcome instanceof StateUnreadable) this.forget();
      // What comes of it is kept; where it fails, it has been tried for nobody else.
      this.read().catch(() => {});
    };
    // Changes that do not end put nothing off.
    const readIn = (ms: number) => {
      cancelSoon ??= this.#clock.after(ms, read);
    };
    readIn(0);
    this.#readAgain = () => readIn(againMs);
    const unsubscribe = this.#store.onChange(() => readIn(againMs));
    return () => {
      this.#readAgain = () => {};
      unsubscribe();
      cancel();
    };
  }

  /** What we have written ourselves is kept at once. */
  learn(written: ReadState): void {
    this.#last = written;
    this.#keep(++this.#turn, written);
  }

  /** Rejects with `StateUnreadable`. */
  read(): Promise<ReadState> {
    const age = this.#clock.monotonic() - this.#readAt;
    if (this.#reading !== undefined && age < freshMs) return this.#reading;
    this.#readAt = this.#clock.monotonic();
    this.#reading = this.#readNow();
    return this.#reading;
  }

  /** The next reader reads anew. */
  forget(): void {
    this.#readAt = Number.NEGATIVE_INFINITY;
  }

  /** Past the cache, for a decision that will be written. */
  async readNewest(): Promise<ReadState> {
    this.forget();
    return this.read();
  }

  #keep(turn: number, outcome: ReadState | StateUnreadable): void {
    if (turn > this.#kept.turn) this.#kept = { turn, outcome };
  }

  async #readNow(): Promise<ReadState> {
    const turn = ++this.#turn;
    const timeout = new AbortController();
    try {
      const stored = await Promise.race([
        this.#store.read(),
        sleep(this.#clock, readTimeoutMs, timeout.signal).then(() => {
          throw new Error(`no answer within ${readTimeoutMs / 1000} s`);
        }),
      ]);
      const same =
        stored.resourceVersion !== undefined && stored.resourceVersion === this.#last?.stored.resourceVersion;
      this.#last = same ? this.#last : { stored, snapshot: decodeState(stored.data, stored.resourceVersion, stored) };
      this.#keep(turn, this.#last!);
      return this.#last!;
    } catch (error) {
      this.#logger.warn('The managed state could not be read', { error: String(error) });
      const unreadable = new StateUnreadable(String(error instanceof Error ? error.message : error));
      this.#keep(turn, unreadable);
      this.#readAgain();
      throw unreadable;
    } finally {
      timeout.abort();
    }
  }
}

/** Turns a failed read into the answer of everything but the listings. */
export async function readOr503(state: ManagedState): Promise<ReadState> {
  try {
    return await state.read();
  } catch (error) {
    throw asUnavailable(error);
  }
}

/** For who need not sign in: accounts, workloads and addresses of the inside are for the log and for admins, not for them. */
export function inPlainWords(error: unknown): unknown {
  if (error instanceof StateUnreadable) {
    return new Refusal('managed_state_unavailable', 'The managed state could not be read.', {
      retryAfterSeconds: againMs / 1000,
    });
  }
  const key =
    error instanceof Refusal && error.code === 'managed_state_unavailable' ? error.details?.['key'] : undefined;
  if (key === undefined) return error;
  return new Refusal(
    'managed_state_unavailable',
    `The value of ${String(key)} in ConfigMap ${configMaps.state} cannot be decoded.`,
    {
      details: { key },
    },
  );
}

export function asUnavailable(error: unknown): unknown {
  if (!(error instanceof StateUnreadable)) return error;
  return new Refusal('managed_state_unavailable', `The managed state could not be read: ${error.message}`);
}

/** The value of a key that the answer stands on; one that cannot be decoded is refused by name. */
export function need<T>(snapshot: StateSnapshot, codec: StateCodec<T>): T {
  const decoded = snapshot.read(codec);
  if (decoded.ok) return decoded.value;
  throw new Refusal('managed_state_unavailable', decoded.message, { details: { key: codec.key } });
}

/** The value of a key that the answer can do without; what stands in for it is logged. */
export function degrade<T>(snapshot: StateSnapshot, codec: StateCodec<T>, logger: Logger, level: 'debug' | 'warn'): T {
  const decoded = snapshot.read(codec);
  if (decoded.ok) return decoded.value;
  logger[level]('A value of the managed state cannot be decoded and is left out', {
    key: codec.key,
    error: decoded.message,
  });
  return codec.empty;
}
