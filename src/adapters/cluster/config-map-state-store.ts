import type { StateStore, StateWriteOutcome, StoredState } from '../../ports/state-store.ts';
import { isNotFound } from '../kubernetes/errors.ts';
import type { KubeClient } from '../kubernetes/kube-client.ts';
import { resources } from '../kubernetes/resource-type.ts';
import { outcomeOf } from './write-outcome.ts';

interface Place {
  readonly namespace: string;
  readonly name: string;
}

type ConfigMapObject = { metadata?: { resourceVersion?: string }; data?: Record<string, string> };

/** `svc-state`, written with the resourceVersion it was read at, so that two writers never overwrite each other. */
export class ConfigMapStateStore implements StateStore {
  readonly #client: KubeClient;
  readonly #place: Place;
  readonly #listeners = new Set<() => void>();
  #ownVersion: string | undefined;

  constructor(client: KubeClient, place: Place) {
    this.#client = client;
    this.#place = place;
  }

  async read(): Promise<StoredState> {
    try {
      return storedState(await this.#client.get(resources.configMaps, this.#place));
    } catch (error) {
      if (isNotFound(error)) return { data: {} };
      throw error;
    }
  }

  async write(base: StoredState, changes: Readonly<Record<string, string | undefined>>): Promise<StateWriteOutcome> {
    let written: StoredState = base;
    const outcome = await outcomeOf(async () => {
      const object =
        base.resourceVersion === undefined ? await this.#create(changes) : await this.#patch(base, changes);
      written = storedState(object);
      this.#ownVersion = written.resourceVersion;
    });
    switch (outcome.outcome) {
      case 'done':
        return { outcome: 'done', state: written };
      case 'gone':
        // It was deleted since it was read, and with it what the decision stood on.
        return base.resourceVersion === undefined
          ? { outcome: 'refused', status: 404, message: `namespace ${this.#place.namespace} does not exist` }
          : { outcome: 'conflict' };
      case 'refused':
        return isTooLarge(outcome.status, outcome.message)
          ? { outcome: 'too-large', message: outcome.message }
          : outcome;
      default:
        return outcome;
    }
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Told by whoever watches the ConfigMap. Our own writes are no news to us. */
  heardOfVersion(resourceVersion: string | undefined): void {
    if (resourceVersion !== undefined && resourceVersion === this.#ownVersion) return;
    for (const listener of this.#listeners) listener();
  }

  #patch(base: StoredState, changes: Readonly<Record<string, string | undefined>>): Promise<ConfigMapObject> {
    const data = Object.fromEntries(Object.entries(changes).map(([key, text]) => [key, text ?? null]));
    const body = { metadata: { resourceVersion: base.resourceVersion }, data };
    return this.#client.patch(resources.configMaps, this.#place, { type: 'merge', body });
  }

  #create(changes: Readonly<Record<string, string | undefined>>): Promise<ConfigMapObject> {
    const { namespace, name } = this.#place;
    const data = Object.fromEntries(
      Object.entries(changes).filter((entry): entry is [string, string] => entry[1] !== undefined),
    );
    return this.#client.create(resources.configMaps, namespace, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name, namespace },
      data,
    });
  }
}

function storedState(object: ConfigMapObject): StoredState {
  const resourceVersion = object.metadata?.resourceVersion;
  return { data: object.data ?? {}, ...(resourceVersion === undefined ? {} : { resourceVersion }) };
}

/** 422 from validation, 413 from the request limit, 400 from etcd's own limit, each with its own words. */
function isTooLarge(status: number, message: string): boolean {
  return status === 413 || ((status === 422 || status === 400) && /too long|too large/i.test(message));
}
