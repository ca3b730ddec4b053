import { standDownSummary } from '../../domain/stops/stand-down-state.ts';
import type { StateSnapshot } from '../../state/snapshot.ts';
import { standDown } from '../../state/stand-down.ts';
import type { ApiPorts } from '../call/ports.ts';
import type { Outlooks } from '../outlook/outlook.ts';
import type { ManagedState } from '../state/managed-state.ts';
import type { StreamHub } from '../stream/hub.ts';
import { hibernationStatus } from './status.ts';

/** Changes come in bursts while the controller works; the stream shows a few a second. */
const gatherMs = 250;
/** What can be read again tells nobody that it can; who signed in before a restart waits for it. */
const readAgainMs = 5_000;

/** Watches `svc-state`, the cluster, the configuration and the license, and tells the streams when what the status says has changed. */
export class StateNews {
  readonly #ports: ApiPorts;
  readonly #state: ManagedState;
  readonly #outlooks: Outlooks;
  readonly #hub: StreamHub;
  readonly #onSnapshot: (snapshot: StateSnapshot) => void;
  #unsubscribe: (() => void)[] = [];
  #cancel: (() => void) | undefined;
  #cancelAgain: () => void = () => {};
  #running = false;

  // biome-ignore lint/complexity/useMaxParams: what it listens to and whom it tells.
  constructor(
    ports: ApiPorts,
    state: ManagedState,
    outlooks: Outlooks,
    hub: StreamHub,
    onSnapshot: (snapshot: StateSnapshot) => void,
  ) {
    this.#ports = ports;
    this.#state = state;
    this.#outlooks = outlooks;
    this.#hub = hub;
    this.#onSnapshot = onSnapshot;
  }

  start(): void {
    this.#running = true;
    const { state, view, onInputs } = this.#ports;
    this.#unsubscribe = [
      state.onChange(() => this.soon()),
      view.onChange(() => this.soon()),
      onInputs(() => this.soon()),
    ];
    this.soon();
  }

  stop(): void {
    this.#running = false;
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    this.#cancel?.();
    this.#cancel = undefined;
    this.#cancelAgain();
  }

  soon(): void {
    if (!this.#running || this.#cancel !== undefined) return;
    this.#cancelAgain();
    this.#cancel = this.#ports.clock.after(gatherMs, () => {
      this.#cancel = undefined;
      void this.#look();
    });
  }

  #again(): void {
    this.#cancelAgain();
    if (this.#running) this.#cancelAgain = this.#ports.clock.after(readAgainMs, () => this.soon());
  }

  /** What cannot be read or decoded is no news: the status route says so to whoever asks. */
  async #look(): Promise<void> {
    try {
      const { snapshot } = await this.#state.read().catch((error: unknown) => {
        this.#again();
        throw error;
      });
      this.#onSnapshot(snapshot);
      const stood = snapshot.read(standDown);
      if (stood.ok) this.#hub.publish('stand-down-update', { standDown: standDownSummary(stood.value) });
      if (this.#ports.view.synced()) this.#hub.publish('status', hibernationStatus(this.#outlooks.of(snapshot)));
    } catch (error) {
      this.#ports.logger.debug('The streams were told nothing', { error: String(error) });
    }
  }
}
