import type { Continuation, NewPart } from './parts/state-part.ts';

/** A ConfigMap of ours, `svc-state` above all, as it was read: undecoded, with the version that a later write has to name. */
export interface StoredState {
  readonly data: Readonly<Record<string, string>>;
  /** The keys of `data` that were found beside the ConfigMap's own, for want of room there. */
  readonly beside?: readonly string[];
  /** Where its keys go on; absent when the store does not follow them. */
  readonly continuation?: Continuation;
  /** Absent while the ConfigMap does not exist. */
  readonly resourceVersion?: string;
}

export type StateWriteOutcome =
  | { readonly outcome: 'done'; readonly state: StoredState }
  /** Somebody else wrote since the state was read. Nothing was changed; read again, decide again. */
  | { readonly outcome: 'conflict' }
  /** The apiserver's size limit: nothing was changed. */
  | { readonly outcome: 'too-large'; readonly message: string }
  | { readonly outcome: 'refused'; readonly status: number; readonly message: string }
  /** No answer: it may have been written. Read and see. */
  | { readonly outcome: 'unknown'; readonly message: string };

/** What a write needs besides the keys that it sets. */
export interface FurtherWrites {
  /** Keys to be kept beside the data; undefined removes one. */
  readonly beside?: Readonly<Record<string, string | undefined>>;
  /** Parts that the keys name: made before, so that nothing is named that is not there. */
  readonly parts?: readonly NewPart[];
}

export interface StateStore {
  /** The newest state, from the apiserver itself. Rejects when it cannot be read: unreadable is not empty. */
  read(): Promise<StoredState>;
  /**
   * Sets the given keys (undefined removes one) if nobody wrote since `base` was read; creates the ConfigMap if need be.
   * All of it holds afterwards, or nothing.
   */
  write(
    base: StoredState,
    changes: Readonly<Record<string, string | undefined>>,
    further?: FurtherWrites,
  ): Promise<StateWriteOutcome>;
  /** Hears that somebody wrote. */
  onChange(listener: () => void): () => void;
}

/** One whose version can be asked for by itself. */
export interface VersionedStore extends StateStore {
  /** The newest version, from the apiserver itself, asked for once: who asks again knows how old the answer is. Rejects without one. */
  version(): Promise<string | undefined>;
}

/** A ConfigMap of ours that is kept in memory too. */
export interface KeptStore extends StateStore {
  /** As far as it is known here, without asking the cluster. Throws while nothing is known of it. */
  kept(): StoredState;
}
