import type { StateStore, StoredState } from '../../state/state-store.ts';
import { Refusal } from '../call/refusal.ts';
import type { PasskeyRecords, StoredPasskey } from './records.ts';

const tries = 5;

/** What becomes of the passkeys of one person. It is asked again of what somebody else wrote meanwhile, and may refuse. */
export type PasskeyEdit = (
  records: readonly StoredPasskey[],
  /** Whether somebody else has a passkey of this id. */
  isAnothers: (id: string) => boolean,
) => readonly StoredPasskey[];

interface Change {
  readonly key: string;
  readonly edit: PasskeyEdit;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

export interface PasskeyWritesOptions {
  readonly store: Pick<StateStore, 'write'>;
  readonly records: PasskeyRecords;
  /** The newest, from the apiserver itself. */
  readonly read: () => Promise<StoredState>;
}

/**
 * Writes to the one ConfigMap that the passkeys of all people share. People who sign in at the same moment must not refuse each
 * other: what comes while a write is under way goes together with the next one.
 */
export class PasskeyWrites {
  readonly #options: PasskeyWritesOptions;
  #waiting: Change[] = [];
  #writing = false;

  constructor(options: PasskeyWritesOptions) {
    this.#options = options;
  }

  change(key: string, edit: PasskeyEdit): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ key, edit, resolve, reject });
      void this.#writeAll();
    });
  }

  async #writeAll(): Promise<void> {
    if (this.#writing) return;
    this.#writing = true;
    while (this.#waiting.length > 0) {
      const batch = this.#waiting;
      this.#waiting = [];
      await this.#write(batch);
    }
    this.#writing = false;
  }

  /** Never rejects: each hears for itself. */
  async #write(batch: readonly Change[]): Promise<void> {
    try {
      const outcome = await this.#attempt(batch);
      if (outcome === 'done') for (const { resolve } of batch) resolve();
      // One of them is too large: the others must not suffer for it.
      else for (const one of batch) await this.#write([one]);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  async #attempt(batch: readonly Change[]): Promise<'done' | 'one by one'> {
    let unsure: string | undefined;
    let willing = batch;
    for (let attempt = 0; attempt < tries; attempt++) {
      const stored = await this.#options.read();
      const { changes, refused } = this.#edited(willing, stored);
      willing = willing.filter((one) => !refused.has(one));
      if (Object.keys(changes).length === 0) return 'done';
      const result = await this.#options.store.write(stored, changes);
      if (result.outcome === 'done') return 'done';
      if (result.outcome === 'too-large' && batch.length > 1) return 'one by one';
      if (result.outcome === 'too-large') {
        throw new Refusal('state_full', `The passkeys have no room left: ${result.message}`);
      }
      if (result.outcome === 'refused') throw unwritable(result.message);
      unsure = result.outcome === 'unknown' ? result.message : undefined;
    }
    throw unsure === undefined ? new Refusal('state_conflict') : unwritable(unsure);
  }

  /** The keys that are not what they were. Who refuses his own edit hears so, and the others go on. */
  #edited(batch: readonly Change[], { data }: StoredState) {
    const { records } = this.#options;
    const edited = new Map<string, readonly StoredPasskey[]>();
    const refused = new Set<Change>();
    const now = (key: string) => edited.get(key) ?? records.decode(key, data[key]);
    for (const one of batch) {
      const { key, edit, reject } = one;
      const isAnothers = (id: string) =>
        [...Object.keys(data), ...edited.keys()].some(
          // Few of the texts have to be checked for being genuine.
          (other) =>
            other !== key &&
            (edited.has(other) || data[other]?.includes(JSON.stringify(id))) &&
            now(other).some((passkey) => passkey.id === id),
        );
      try {
        edited.set(key, edit(now(key), isAnothers));
      } catch (error) {
        refused.add(one);
        reject(error);
      }
    }
    const changes: Record<string, string | undefined> = {};
    for (const [key, after] of edited) {
      const before = records.decode(key, data[key]);
      if (JSON.stringify(after) === JSON.stringify(before)) continue;
      changes[key] = after.length === 0 ? undefined : records.encode(key, after);
    }
    return { changes, refused };
  }
}

function unwritable(message: string): Refusal {
  return new Refusal('managed_state_unavailable', `The passkeys could not be written: ${message}`, {
    retryAfterSeconds: 5,
  });
}
