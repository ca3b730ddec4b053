import type { DeleteOptions, KubeObject, NewObject, ObjectMeta, ObjectStore, StoreEvent } from '../object-store.ts';
import type { Clock } from '../ports/clock.ts';
import type { Random } from '../ports/random.ts';
import { alreadyExists, conflict, notFound, otherUid } from './api-error.ts';
import { Collection } from './collection.ts';
import { decideDeletion, isFinished } from './deletion.ts';
import { desiredStateChanged, hasGeneration } from './generation.ts';
import { keyOf, type VersionedEvent } from './history.ts';
import { generatedName, timestamp, uuid } from './identifiers.ts';
import { sameJson } from './json-value.ts';
import { recordManager, type WriteActor } from './managed-fields.ts';

export interface MemoryStoreOptions {
  /** How many changes of each resource a watch can resume over. */
  readonly historyLimit?: number;
}

export interface WriteOptions {
  readonly actor?: WriteActor;
  /** Everything is checked and computed, nothing is stored. */
  readonly dryRun?: boolean;
  /** Comes back in the change, so that whoever asked for it can be told from everybody else. */
  readonly origin?: unknown;
  /** The uid of a new object, where its content has to name it. */
  readonly uid?: string;
}

export interface StoreChange {
  readonly resource: string;
  readonly event: StoreEvent;
  readonly origin: unknown;
}

/** Everything there was at a version. */
export interface Backup {
  readonly version: number;
  readonly objects: ReadonlyMap<string, readonly KubeObject[]>;
}

const DEFAULT_HISTORY_LIMIT = 4096;
const GENERATED_NAME_TRIES = 8;
const INTERNAL_ACTOR: WriteActor = { manager: 'kube-controller-manager', operation: 'Update' };

/** The objects of the embedded cluster, with one counter of versions as etcd has it. */
export class MemoryStore implements ObjectStore {
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #historyLimit: number;
  readonly #collections = new Map<string, Collection>();
  readonly #anyListeners = new Set<(change: StoreChange) => void>();
  #version = 0;

  constructor(clock: Clock, random: Random, options: MemoryStoreOptions = {}) {
    this.#clock = clock;
    this.#random = random;
    this.#historyLimit = options.historyLimit ?? DEFAULT_HISTORY_LIMIT;
  }

  get(resource: string, namespace: string | undefined, name: string): KubeObject | undefined {
    return this.#collections.get(resource)?.get(namespace, name);
  }

  list(resource: string, namespace?: string): readonly KubeObject[] {
    return this.#collections.get(resource)?.list(namespace) ?? [];
  }

  create(resource: string, object: NewObject, options: WriteOptions = {}): KubeObject {
    const collection = this.#collection(resource);
    const name = this.#newName(resource, collection, object);
    const { creationTimestamp: _c, resourceVersion: _r, uid: _u, generation: _g, name: _n, ...given } = object.metadata;
    const now = this.#clock.now();
    const metadata = {
      name,
      ...withoutSystemFields(given),
      uid: options.uid ?? uuid(this.#random),
      ...(options.dryRun === true ? {} : { resourceVersion: String(this.#version + 1) }),
      ...(hasGeneration(resource) ? { generation: 1 } : {}),
      creationTimestamp: timestamp(now),
    } as ObjectMeta;
    const { apiVersion, kind, metadata: _m, ...content } = object;
    const unmanaged: KubeObject = { kind, apiVersion, metadata, ...content };
    const created = options.actor === undefined ? unmanaged : recordManager(undefined, unmanaged, options.actor, now);
    if (options.dryRun !== true) this.#commit(resource, collection, { type: 'ADDED', object: created }, options.origin);
    return created;
  }

  update(resource: string, object: KubeObject, options: WriteOptions = {}): KubeObject {
    const { namespace, name } = object.metadata;
    const collection = this.#collection(resource);
    const before = collection.get(namespace, name);
    if (before === undefined) throw notFound(resource, name);
    this.#checkFresh(resource, before, object.metadata);
    const next = this.#successor(resource, before, object);
    if (next === before) return before;
    const actor = options.actor ?? (next['spec'] === before['spec'] ? undefined : INTERNAL_ACTOR);
    const recorded = actor === undefined ? next : recordManager(before, next, actor, this.#clock.now());
    if (options.dryRun === true) return recorded;
    if (isFinished(before, recorded)) {
      this.#remove(resource, collection, recorded, options.origin);
      return recorded;
    }
    this.#commit(resource, collection, { type: 'MODIFIED', object: recorded, previous: before }, options.origin);
    return recorded;
  }

  delete(resource: string, namespace: string | undefined, name: string, options: DeleteOptions = {}): void {
    this.remove(resource, namespace, name, options);
  }

  /** `delete`, telling what became of the object: the last state, and whether it is gone. */
  remove(
    resource: string,
    namespace: string | undefined,
    name: string,
    options: DeleteOptions & Omit<WriteOptions, 'actor'> = {},
  ): { readonly object: KubeObject; readonly gone: boolean } {
    const collection = this.#collection(resource);
    const before = collection.get(namespace, name);
    if (before === undefined) throw notFound(resource, name);
    const decision = decideDeletion(resource, before, options, this.#clock.now());
    if (decision.kind === 'unchanged') return { object: before, gone: false };
    if (options.dryRun === true) return { object: before, gone: decision.kind === 'remove' };
    if (decision.kind === 'remove') {
      return { object: this.#remove(resource, collection, decision.object, options.origin), gone: true };
    }
    const marked = withMetadata(decision.object, { resourceVersion: String(this.#version + 1) });
    this.#commit(resource, collection, { type: 'MODIFIED', object: marked, previous: before }, options.origin);
    return { object: marked, gone: false };
  }

  onChange(resource: string, listener: (event: StoreEvent) => void): () => void {
    return this.#collection(resource).listen(listener);
  }

  onAnyChange(listener: (change: StoreChange) => void): () => void {
    this.#anyListeners.add(listener);
    return () => this.#anyListeners.delete(listener);
  }

  /** The version of the newest change of any object. */
  get version(): number {
    return this.#version;
  }

  resources(): readonly string[] {
    return [...this.#collections.keys()];
  }

  /** The changes of a resource after a version; undefined when it is older than what the history remembers. */
  changesSince(resource: string, version: number): readonly VersionedEvent[] | undefined {
    return this.#collection(resource).history.since(version);
  }

  oldestVersion(resource: string): number {
    return this.#collection(resource).history.oldestKnown;
  }

  /** The list as it was at a version, or undefined when that is too long ago. */
  listAt(resource: string, namespace: string | undefined, version: number): readonly KubeObject[] | undefined {
    const collection = this.#collection(resource);
    const objects = collection.history.rewind(collection.list(), version);
    if (objects === undefined || namespace === undefined) return objects;
    return objects.filter((object) => object.metadata.namespace === namespace);
  }

  /** Forgets the history, so that every older resourceVersion and continue token answers 410. */
  compact(resource?: string): void {
    if (resource !== undefined) this.#collection(resource).history.compact(this.#version);
    else for (const collection of this.#collections.values()) collection.history.compact(this.#version);
  }

  backup(): Backup {
    return {
      version: this.#version,
      objects: new Map([...this.#collections].map(([resource, collection]) => [resource, [...collection.list()]])),
    };
  }

  /**
   * As after a restored etcd: objects and versions are those of the backup, and versions go on from there. Who listens
   * hears of the differences; watches of before are for the caller to end, as a restarted apiserver does.
   */
  restore({ version, objects }: Backup): void {
    const differences = [...this.#collections].flatMap(([resource, collection]) =>
      differencesTo(collection.list(), objects.get(resource) ?? []).map((event) => ({ resource, collection, event })),
    );
    this.#version = version;
    for (const collection of this.#collections.values()) collection.history.backTo(version);
    for (const { collection, event } of differences) {
      if (event.type === 'DELETED') collection.remove(event.object);
      else collection.put(event.object);
    }
    for (const { resource, collection, event } of differences) {
      for (const listener of this.#anyListeners) listener({ resource, event, origin: undefined });
      collection.tell(event);
    }
  }

  #collection(resource: string): Collection {
    let collection = this.#collections.get(resource);
    if (collection === undefined) {
      collection = new Collection(this.#historyLimit);
      this.#collections.set(resource, collection);
    }
    return collection;
  }

  #newName(resource: string, collection: Collection, object: NewObject): string {
    const { name, generateName, namespace } = object.metadata;
    if (name !== undefined && name !== '') {
      if (collection.get(namespace, name) !== undefined) throw alreadyExists(resource, name);
      return name;
    }
    for (let tries = 0; ; tries++) {
      const candidate = generatedName(generateName ?? '', this.#random);
      if (collection.get(namespace, candidate) === undefined) return candidate;
      if (tries >= GENERATED_NAME_TRIES) throw alreadyExists(resource, candidate);
    }
  }

  #checkFresh(resource: string, before: KubeObject, given: ObjectMeta): void {
    const { uid, resourceVersion, name } = before.metadata;
    if (given.uid !== undefined && given.uid !== '' && given.uid !== uid) {
      throw otherUid(resource, before.metadata.namespace, name, { given: given.uid, uid });
    }
    const expected = given.resourceVersion;
    if (expected !== undefined && expected !== '' && expected !== resourceVersion) throw conflict(resource, name);
  }

  /** The object as it will be stored: system fields from the old one; the old one itself when nothing differs. */
  #successor(resource: string, before: KubeObject, object: KubeObject): KubeObject {
    const { uid, creationTimestamp, deletionTimestamp, deletionGracePeriodSeconds, generation } = before.metadata;
    const { resourceVersion, managedFields } = before.metadata;
    const kept = { uid, creationTimestamp, deletionTimestamp, deletionGracePeriodSeconds, generation, managedFields };
    const candidate = withMetadata(object, { ...kept, resourceVersion });
    if (sameJson(candidate, before)) return before;
    const bumped = generation !== undefined && desiredStateChanged(resource, before, candidate);
    return withMetadata(candidate, {
      resourceVersion: String(this.#version + 1),
      ...(bumped ? { generation: generation + 1 } : {}),
    });
  }

  #remove(resource: string, collection: Collection, last: KubeObject, origin: unknown): KubeObject {
    const previous = collection.get(last.metadata.namespace, last.metadata.name) ?? last;
    const object = withMetadata(last, { resourceVersion: String(this.#version + 1) });
    this.#commit(resource, collection, { type: 'DELETED', object, previous }, origin);
    return object;
  }

  #commit(resource: string, collection: Collection, event: StoreEvent, origin: unknown): void {
    this.#version++;
    if (event.type === 'DELETED') collection.remove(event.object);
    else collection.put(event.object);
    const versioned = { ...event, version: this.#version };
    collection.history.append(versioned);
    for (const listener of this.#anyListeners) listener({ resource, event: versioned, origin });
    collection.tell(versioned);
  }
}

/** The events that lead from what is there to what is to be there. */
function differencesTo(now: readonly KubeObject[], wanted: readonly KubeObject[]): readonly StoreEvent[] {
  const left = new Map(now.map((object) => [keyOf(object), object]));
  const events: StoreEvent[] = [];
  for (const object of wanted) {
    const previous = left.get(keyOf(object));
    left.delete(keyOf(object));
    if (previous === undefined) events.push({ type: 'ADDED', object });
    else if (previous !== object) events.push({ type: 'MODIFIED', object, previous });
  }
  for (const object of left.values()) events.push({ type: 'DELETED', object, previous: object });
  return events;
}

/** What a creator may not choose. */
function withoutSystemFields(metadata: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { deletionTimestamp: _d, deletionGracePeriodSeconds: _g, selfLink: _s, managedFields: _m, ...rest } = metadata;
  return rest;
}

/** A copy with these metadata fields replaced; undefined removes one. */
function withMetadata(object: KubeObject, changes: { readonly [Field in keyof ObjectMeta]?: unknown }): KubeObject {
  const metadata: Record<string, unknown> = { ...object.metadata };
  for (const [field, value] of Object.entries(changes)) {
    if (value === undefined) delete metadata[field];
    else metadata[field] = value;
  }
  // What was left out above is optional, and everything else was an ObjectMeta.
  return { ...object, metadata: metadata as unknown as ObjectMeta };
}
