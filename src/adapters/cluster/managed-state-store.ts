import type { ConfigMap } from 'kubernetes-types/core/v1.d.ts';
import { configMaps, labels } from '../../domain/names.ts';
import type { Logger } from '../../ports/logger.ts';
import { continued, partNumber } from '../../state/parts/continued.ts';
import { knowDecoded } from '../../state/parts/read-key.ts';
import type { NewPart, PartSizes, PartVersion, StatePart } from '../../state/parts/state-part.ts';
import type { FurtherWrites, StateWriteOutcome, StoredState, VersionedStore } from '../../state/state-store.ts';
import { isConflict, isNotFound } from '../kubernetes/client/errors.ts';
import type { KubeClient } from '../kubernetes/client/kube-client.ts';
import { resources } from '../kubernetes/client/resource-type.ts';
import { ConfigMapStateStore, isTooLarge } from './config-map-state-store.ts';
import { outcomeOf } from './write-outcome.ts';

export interface ManagedStateOptions {
  readonly client: KubeClient;
  readonly namespace: string;
  readonly logger: Logger;
  /** Whether it removes parts that are named no more: it needs the right to delete ConfigMaps. */
  readonly collects: boolean;
  readonly sizes: PartSizes;
}

/** So often a part may be gone because the state was written meanwhile. */
const readings = 5;

/**
 * `svc-state` and the ConfigMaps in which its keys go on, as one. A part is made under a number that none had, then
 * `svc-state` names it, under its resourceVersion: that one write is what makes all of it hold. What it names no more is
 * removed afterwards, so a crash in between leaves something over and loses nothing.
 */
export class ManagedStateStore implements VersionedStore {
  readonly #options: ManagedStateOptions;
  readonly #state: ConfigMapStateStore;
  readonly #listeners = new Set<() => void>();
  /** The named parts as they were read last. */
  #parts = new Map<string, StatePart>();
  /** What the watch has said of parts; undefined until there is one. */
  #heard: Map<string, PartVersion> | undefined;
  /** Removed, or being removed, here. */
  readonly #removed = new Set<string>();
  #next = 1;

  constructor(options: ManagedStateOptions) {
    this.#options = options;
    const { client, namespace } = options;
    this.#state = new ConfigMapStateStore(client, { namespace, name: configMaps.state });
  }

  async read(): Promise<StoredState> {
    let before: StoredState | undefined;
    for (let reading = 1; reading <= readings; reading++) {
      const state = await this.#state.read();
      const names = continued.decode(state.data[continued.key]);
      if (!names.ok) return state;
      const parts = await this.#readParts(names.value);
      // Gone under a state that has not changed since: somebody removed it.
      const whole = parts.every(({ version }) => version !== undefined);
      if (whole || before?.resourceVersion === state.resourceVersion) return this.#withParts(state, parts);
      before = state;
    }
    throw new Error('the state was written faster than it could be read');
  }

  version(): Promise<string | undefined> {
    return this.#state.version();
  }

  async write(
    base: StoredState,
    changes: Readonly<Record<string, string | undefined>>,
    { parts = [], ...further }: FurtherWrites = {},
  ): Promise<StateWriteOutcome> {
    // What is named by nobody now cannot be named by a write that is decided on an older state than the one that follows.
    const leftOver = this.#leftOver(base);
    const made: StatePart[] = [];
    for (const part of parts) {
      const outcome = await this.#create(part, made);
      if (outcome === undefined) continue;
      await this.#remove(made);
      return outcome;
    }
    const result = await this.#state.write(base, changes, further);
    // Without an answer they may be named by now.
    if (result.outcome === 'unknown') return result;
    if (result.outcome !== 'done') {
      await this.#remove(made);
      return result;
    }
    return { outcome: 'done', state: await this.#afterWrite(base, result.state, made, leftOver) };
  }

  onChange(listener: () => void): () => void {
    const unsubscribe = this.#state.onChange(listener);
    this.#listeners.add(listener);
    return () => {
      unsubscribe();
      this.#listeners.delete(listener);
    };
  }

  onRestored(listener: () => void): () => void {
    return this.#state.onRestored(listener);
  }

  /** Told by whoever watches `svc-state`; undefined when it is gone. */
  heardOfVersion(resourceVersion: string | undefined): void {
    this.#state.heardOfVersion(resourceVersion);
  }

  /** Told by whoever watches the parts, from the moment that all of them are known: they need not be read again then. */
  watchesParts(): void {
    this.#heard ??= new Map();
  }

  /** Undefined when it is gone. Only what is named and was changed or removed by somebody else is news. */
  heardOfPart(name: string, version: PartVersion | undefined): void {
    this.watchesParts();
    const number = partNumber(name);
    if (number === undefined) return;
    this.#next = Math.max(this.#next, number + 1);
    if (version === undefined) this.#heard?.delete(name);
    else this.#heard?.set(name, version);
    const part = this.#parts.get(name);
    if (part === undefined || this.#removed.has(name) || (version !== undefined && !isNews(part, version))) return;
    this.#parts.delete(name);
    for (const listener of this.#listeners) listener();
  }

  #readParts(names: Readonly<Record<string, readonly string[]>>): Promise<readonly StatePart[]> {
    const all = Object.entries(names).flatMap(([key, some]) => some.map((name) => ({ key, name })));
    return Promise.all(all.map(({ key, name }) => this.#readPart(key, name)));
  }

  async #readPart(key: string, name: string): Promise<StatePart> {
    const known = this.#parts.get(name);
    if (this.#heard !== undefined && known?.key === key && known.version !== undefined) return known;
    try {
      const ref = { namespace: this.#options.namespace, name };
      const part = storedPart(key, name, await this.#options.client.get(resources.configMaps, ref));
      // The same resourceVersion holds the same text: what was decoded from it last time is used again.
      return known?.version?.resourceVersion === part.version?.resourceVersion && known?.key === key ? known : part;
    } catch (error) {
      if (isNotFound(error)) return { key, name, text: undefined };
      throw error;
    }
  }

  #withParts(state: StoredState, parts: readonly StatePart[]): StoredState {
    const current = parts.filter((part) => !this.#isOutdated(part));
    this.#parts = new Map(current.map((part) => [part.name, part]));
    for (const { name } of parts) this.#next = Math.max(this.#next, (partNumber(name) ?? 0) + 1);
    const { sizes } = this.#options;
    return { ...state, continuation: { parts, next: this.#next, sizes } };
  }

  /** The watch was faster than the read: it is read again. */
  #isOutdated(part: StatePart): boolean {
    const heard = this.#heard?.get(part.name);
    return heard !== undefined && isNews(part, heard);
  }

  /** Undefined when it is done; the answer of the whole write otherwise. */
  async #create(
    part: NewPart,
    made: StatePart[],
  ): Promise<Exclude<StateWriteOutcome, { outcome: 'done' }> | undefined> {
    const { client, namespace } = this.#options;
    const { name, key, text, elements } = part;
    this.#next = Math.max(this.#next, (partNumber(name) ?? 0) + 1);
    const outcome = await outcomeOf(async () => {
      const metadata = { name, namespace, labels: { [labels.continues]: key } };
      const object: ConfigMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { [key]: text } };
      const created = storedPart(key, name, await client.create(resources.configMaps, namespace, object));
      if (elements !== undefined) knowDecoded(created, elements);
      made.push(created);
    });
    switch (outcome.outcome) {
      case 'done':
        return undefined;
      case 'gone':
        return { outcome: 'refused', status: 404, message: `namespace ${namespace} does not exist` };
      case 'refused':
        return isTooLarge(outcome.status, outcome.message)
          ? { outcome: 'too-large', message: outcome.message }
          : outcome;
      default:
        return outcome;
    }
  }

  async #afterWrite(
    base: StoredState,
    state: StoredState,
    made: readonly StatePart[],
    leftOver: readonly StatePart[],
  ): Promise<StoredState> {
    const names = continued.decode(state.data[continued.key]);
    if (!names.ok) return state;
    const known = new Map([...(base.continuation?.parts ?? []), ...made].map((part) => [part.name, part]));
    const parts = Object.entries(names.value).flatMap(([key, some]) =>
      some.map((name) => known.get(name) ?? { key, name, text: undefined }),
    );
    const kept = new Set(parts.map(({ name }) => name));
    const after = this.#withParts(state, parts);
    const replaced = (base.continuation?.parts ?? []).filter(({ name }) => !kept.has(name));
    await this.#remove([...replaced, ...leftOver.filter(({ name }) => !kept.has(name))]);
    return after;
  }

  /** What lies about since a process died between making a part and naming it. */
  #leftOver({ continuation }: StoredState): readonly StatePart[] {
    if (continuation === undefined) return [];
    const named = new Set(continuation.parts.map(({ name }) => name));
    return [...(this.#heard ?? [])]
      .filter(([name]) => !named.has(name) && !this.#removed.has(name))
      .map(([name, version]) => ({ name, key: '', text: undefined, version }));
  }

  async #remove(parts: readonly StatePart[]): Promise<void> {
    if (!this.#options.collects) return;
    await Promise.all(parts.map((part) => this.#removeOne(part)));
  }

  /** Only as it was read: what a person has changed meanwhile is left for that person to read. */
  async #removeOne({ name, version }: StatePart): Promise<void> {
    if (version === undefined) return;
    const { client, namespace, logger } = this.#options;
    this.#removed.add(name);
    try {
      await client.delete(resources.configMaps, { namespace, name }, { preconditions: version });
    } catch (error) {
      if (isNotFound(error)) return;
      // A later write removes it.
      if (!isConflict(error)) this.#removed.delete(name);
      logger.warn('A ConfigMap that is no longer part of the state could not be removed', {
        configMap: name,
        error: String(error),
      });
    }
  }
}

function isNews({ version }: StatePart, heard: PartVersion): boolean {
  // Any other version is news, an older one too: it is what a cluster has that was restored from a backup.
  return version === undefined || version.uid !== heard.uid || version.resourceVersion !== heard.resourceVersion;
}

function storedPart(key: string, name: string, { metadata, data }: ConfigMap): StatePart {
  const { uid = '', resourceVersion = '' } = metadata ?? {};
  return { key, name, text: data?.[key], version: { uid, resourceVersion } };
}
