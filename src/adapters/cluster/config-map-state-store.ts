import { annotations } from '../../domain/names.ts';
import type { FurtherWrites, StateWriteOutcome, StoredState, VersionedStore } from '../../state/state-store.ts';
import { isNotFound } from '../kubernetes/client/errors.ts';
import type { KubeClient } from '../kubernetes/client/kube-client.ts';
import type { CallOptions } from '../kubernetes/client/request-options.ts';
import { resources } from '../kubernetes/client/resource-type.ts';
import { isAtLeast, newer } from '../kubernetes/client/resource-version.ts';
import { outcomeOf } from './write-outcome.ts';

interface Place {
  readonly namespace: string;
  readonly name: string;
}

type ConfigMapObject = {
  metadata?: { resourceVersion?: string; annotations?: Record<string, string> };
  data?: Record<string, string>;
};

type Changes = Readonly<Record<string, string | undefined>>;

/**
 * One ConfigMap of ours, written with the resourceVersion it was read at, so that two writers never overwrite each other.
 * What is kept beside its data is in its annotations, for which the apiserver has a limit of their own.
 */
export class ConfigMapStateStore implements VersionedStore {
  readonly #client: KubeClient;
  readonly #place: Place;
  readonly #listeners = new Set<() => void>();
  readonly #restoredListeners = new Set<() => void>();
  /** The newest version that was read or written here: what the watch says up to it is no news. */
  #known: string | undefined;
  #writing = 0;
  #heardMeanwhile: string | undefined;

  constructor(client: KubeClient, place: Place) {
    this.#client = client;
    this.#place = place;
  }

  async read(): Promise<StoredState> {
    const state = await this.#read();
    this.#know(state.resourceVersion);
    return state;
  }

  async version(): Promise<string | undefined> {
    return (await this.#read({ once: true })).resourceVersion;
  }

  async #read(options: CallOptions = {}): Promise<StoredState> {
    const before = this.#known;
    try {
      const state = storedState(await this.#client.get(resources.configMaps, this.#place, options));
      // What is older than what was known when it was asked for is that of a cluster that was restored from a backup.
      if (isOlder(state.resourceVersion, before)) this.#restored();
      return state;
    } catch (error) {
      if (!isNotFound(error)) throw error;
      // The next one that there is has another history.
      this.#known = undefined;
      return { data: {} };
    }
  }

  async write(base: StoredState, changes: Changes, { beside = {} }: FurtherWrites = {}): Promise<StateWriteOutcome> {
    let written: StoredState = base;
    this.#writing++;
    const outcome = await outcomeOf(async () => {
      const object =
        base.resourceVersion === undefined ? await this.#create(changes) : await this.#patch(base, changes, beside);
      written = storedState(object);
      this.#know(written.resourceVersion);
    });
    this.#wrote();
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

  /** Hears that what was read is older than what was known: the cluster was restored from a backup. */
  onRestored(listener: () => void): () => void {
    this.#restoredListeners.add(listener);
    return () => this.#restoredListeners.delete(listener);
  }

  #restored(): void {
    this.#known = this.#heardMeanwhile = undefined;
    for (const listener of this.#restoredListeners) listener();
  }

  /**
   * Told by whoever watches the ConfigMap; undefined when it is gone. Our own writes are no news to us, also when the
   * watch is faster than the answer to the write, or slower than the next one.
   */
  heardOfVersion(resourceVersion: string | undefined): void {
    if (resourceVersion !== undefined && this.#isKnown(resourceVersion)) return;
    if (resourceVersion !== undefined && this.#writing > 0) {
      this.#heardMeanwhile = newer(resourceVersion, this.#heardMeanwhile);
      return;
    }
    for (const listener of this.#listeners) listener();
  }

  #wrote(): void {
    this.#writing--;
    const heard = this.#heardMeanwhile;
    if (this.#writing > 0 || heard === undefined) return;
    this.#heardMeanwhile = undefined;
    this.heardOfVersion(heard);
  }

  #know(resourceVersion: string | undefined): void {
    if (resourceVersion !== undefined) this.#known = newer(resourceVersion, this.#known);
  }

  #isKnown(resourceVersion: string): boolean {
    return this.#known !== undefined && newer(resourceVersion, this.#known) === this.#known;
  }

  #patch(base: StoredState, changes: Changes, beside: Changes): Promise<ConfigMapObject> {
    const data = nulled(changes);
    const kept = nulled(beside, (key) => annotations.besideData + key.replaceAll('_', '-'));
    const body = {
      metadata: { resourceVersion: base.resourceVersion, ...(kept === undefined ? {} : { annotations: kept }) },
      ...(data === undefined ? {} : { data }),
    };
    return this.#client.patch(resources.configMaps, this.#place, { type: 'merge', body });
  }

  /** One that begins has room for everything. */
  #create(changes: Changes): Promise<ConfigMapObject> {
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

function isOlder(version: string | undefined, other: string | undefined): boolean {
  return version !== undefined && other !== undefined && !isAtLeast(version, other);
}

function storedState(object: ConfigMapObject): StoredState {
  const resourceVersion = object.metadata?.resourceVersion;
  const version = resourceVersion === undefined ? {} : { resourceVersion };
  const kept = Object.entries(object.metadata?.annotations ?? {}).filter(([name]) =>
    name.startsWith(annotations.besideData),
  );
  if (kept.length === 0) return { data: object.data ?? {}, ...version };
  const beside = kept.map(([name, text]) => [
    name.slice(annotations.besideData.length).replaceAll('-', '_'),
    text,
  ]) as readonly (readonly [string, string])[];
  const data = { ...object.data, ...Object.fromEntries(beside) };
  return { data, beside: beside.map(([key]) => key), ...version };
}

/** As a merge patch has it: what is removed is null. Undefined when there is nothing. */
function nulled(changes: Changes, nameOf = (key: string) => key): Record<string, string | null> | undefined {
  const entries = Object.entries(changes);
  if (entries.length === 0) return undefined;
  return Object.fromEntries(entries.map(([key, text]) => [nameOf(key), text ?? null]));
}

/** 422 from validation, 413 from the request limit, 400 from etcd's own limit, each with its own words. */
export function isTooLarge(status: number, message: string): boolean {
  return status === 413 || ((status === 422 || status === 400) && /too long|too large/i.test(message));
}
