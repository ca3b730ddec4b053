/** The ConfigMap `svc-state` as it was read: undecoded, with the version that a later write has to name. */
export interface StoredState {
  readonly data: Readonly<Record<string, string>>;
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

export interface StateStore {
  /** The newest state, from the apiserver itself. Rejects when it cannot be read: unreadable is not empty. */
  read(): Promise<StoredState>;
  /** Sets the given keys (undefined removes one) if nobody wrote since `base` was read; creates the ConfigMap if need be. */
  write(base: StoredState, changes: Readonly<Record<string, string | undefined>>): Promise<StateWriteOutcome>;
  /** Hears that somebody wrote. */
  onChange(listener: () => void): () => void;
}
