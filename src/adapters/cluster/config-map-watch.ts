import type { ConfigMap } from 'kubernetes-types/core/v1.d.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Random } from '../../ports/random.ts';
import { Reflector } from '../kubernetes/cache/reflector.ts';
import type { KubeClient } from '../kubernetes/client/kube-client.ts';
import { resources } from '../kubernetes/client/resource-type.ts';

export interface WatchedConfigMap {
  readonly resourceVersion: string;
  readonly data: Readonly<Record<string, string>>;
}

export interface ConfigMapWatchOptions {
  readonly client: KubeClient;
  readonly namespace: string;
  readonly name: string;
  /** Keeps nothing of the data: for a large ConfigMap of which only the version matters. */
  readonly versionOnly?: boolean;
  /** The cluster was restored from a backup. */
  readonly onRestored: () => void;
  /** It can be read again, whether or not it is another. */
  readonly onReadable?: () => void;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
}

/** One ConfigMap, kept by a watch of its name. */
export class ConfigMapWatch {
  readonly #reflector: Reflector<ConfigMap, WatchedConfigMap>;
  readonly #options: ConfigMapWatchOptions;

  constructor(options: ConfigMapWatchOptions) {
    this.#options = options;
    const { client, namespace, name, onRestored, clock, random, logger } = options;
    this.#reflector = new Reflector<ConfigMap, WatchedConfigMap>({
      answered: undefined,
      client,
      type: resources.configMaps,
      namespace,
      fieldSelector: `metadata.name=${name}`,
      project: (object) => ({
        resourceVersion: object.metadata?.resourceVersion ?? '',
        data: options.versionOnly ? {} : (object.data ?? {}),
      }),
      onRestored,
      ...(options.onReadable === undefined ? {} : { onReadable: options.onReadable }),
      clock,
      random,
      logger,
    });
  }

  /** Resolves when it is known whether the ConfigMap exists. */
  async start(): Promise<this> {
    await this.#reflector.start().synced;
    return this;
  }

  get synced(): boolean {
    return this.#reflector.isSynced;
  }

  /** Why it cannot be read at the moment, if it cannot. */
  get error(): unknown {
    return this.#reflector.unreadable;
  }

  current(): WatchedConfigMap | undefined {
    return this.#reflector.objects.get(this.#options.namespace, this.#options.name);
  }

  /** Hears of every change; undefined when the ConfigMap is gone. */
  onChange(listener: (configMap: WatchedConfigMap | undefined) => void): () => void {
    return this.#reflector.onChange(({ type, object }) => listener(type === 'deleted' ? undefined : object));
  }

  stop(): void {
    this.#reflector.stop();
  }
}
