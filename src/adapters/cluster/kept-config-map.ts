import type { FurtherWrites, KeptStore, StateStore, StateWriteOutcome, StoredState } from '../../state/state-store.ts';
import { isAtLeast } from '../kubernetes/client/resource-version.ts';
import type { ConfigMapWatch, WatchedConfigMap } from './config-map-watch.ts';

interface Watch extends Pick<ConfigMapWatch, 'synced' | 'current' | 'onChange' | 'stop'> {
  start(): Promise<unknown>;
}

/**
 * A ConfigMap of ours that is also kept in memory, from when a watch of it is started: who need not sign in is answered from there. What
 * we have read or written ourselves is kept at once; what another process wrote, when the watch tells of it.
 */
export class KeptConfigMap implements KeptStore {
  readonly #store: StateStore;
  readonly #watch: Watch;
  /** Read or written here, and not heard of by the watch yet. */
  #own: StoredState | undefined;
  #heard: string | undefined;

  constructor(store: StateStore, watch: Watch) {
    this.#store = store;
    this.#watch = watch;
    watch.onChange((configMap) => this.#hear(configMap));
  }

  /** Resolves when it is known whether there is one. */
  async keep(): Promise<void> {
    await this.#watch.start();
  }

  kept(): StoredState {
    if (!this.#watch.synced) throw new Error('it has not been read yet');
    if (this.#own !== undefined) return this.#own;
    const { data = {}, ...version } = this.#watch.current() ?? {};
    return { data, ...version };
  }

  async read(): Promise<StoredState> {
    const read = await this.#store.read();
    this.#know(read);
    return read;
  }

  async write(
    base: StoredState,
    changes: Readonly<Record<string, string | undefined>>,
    further?: FurtherWrites,
  ): Promise<StateWriteOutcome> {
    const result = await this.#store.write(base, changes, further);
    if (result.outcome === 'done') this.#know(result.state);
    return result;
  }

  onChange(listener: () => void): () => void {
    return this.#store.onChange(listener);
  }

  stop(): void {
    this.#watch.stop();
  }

  #know(state: StoredState): void {
    const known = this.#own?.resourceVersion ?? this.#heard;
    const { resourceVersion } = state;
    if (resourceVersion === undefined || (known !== undefined && isAtLeast(known, resourceVersion))) return;
    this.#own = state;
  }

  /** A watch that goes back is that of a cluster that was restored from a backup: what we knew is of the time before. */
  #hear(configMap: WatchedConfigMap | undefined): void {
    const version = configMap?.resourceVersion;
    const own = this.#own?.resourceVersion;
    const wentBack = version !== undefined && this.#heard !== undefined && !isAtLeast(version, this.#heard);
    if (version === undefined || wentBack || own === undefined || isAtLeast(version, own)) this.#own = undefined;
    this.#heard = version ?? this.#heard;
  }
}
