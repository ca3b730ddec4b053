import type { ConfigMap } from 'kubernetes-types/core/v1.d.ts';
import { labels } from '../../domain/names.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Random } from '../../ports/random.ts';
import type { PartVersion } from '../../state/parts/state-part.ts';
import { Reflector } from '../kubernetes/cache/reflector.ts';
import type { KubeClient } from '../kubernetes/client/kube-client.ts';
import { resources } from '../kubernetes/client/resource-type.ts';
import type { ManagedStateStore } from './managed-state-store.ts';

export interface StatePartsWatchOptions {
  readonly client: KubeClient;
  readonly namespace: string;
  readonly state: ManagedStateStore;
  /** The cluster was restored from a backup. */
  readonly onRestored: () => void;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
}

/** A page of parts is as large as they are. */
const pageSize = 5;

/** Tells the store which parts there are and when one changes. Of what they hold it keeps nothing. */
export class StatePartsWatch {
  readonly #reflector: Reflector<ConfigMap, PartVersion & { readonly name: string }>;
  readonly #state: ManagedStateStore;

  constructor({ state, ...options }: StatePartsWatchOptions) {
    this.#state = state;
    this.#reflector = new Reflector({
      answered: undefined,
      ...options,
      type: resources.configMaps,
      labelSelector: labels.continues,
      pageSize,
      project: ({ metadata }: ConfigMap) => ({
        name: metadata?.name ?? '',
        uid: metadata?.uid ?? '',
        resourceVersion: metadata?.resourceVersion ?? '',
      }),
    });
    this.#reflector.onChange(({ type, object: { name, ...version } }) =>
      state.heardOfPart(name, type === 'deleted' ? undefined : version),
    );
  }

  /** Resolves when it is known which parts there are. */
  async start(): Promise<void> {
    if (await this.#reflector.start().synced) this.#state.watchesParts();
  }

  stop(): void {
    this.#reflector.stop();
  }
}
