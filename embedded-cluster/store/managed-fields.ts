import type { KubeObject } from '../object-store.ts';
import { timestamp } from './identifiers.ts';
import { arrayOf, isObject, type JsonObject, objectOf, sameJson } from './json-value.ts';

export interface WriteActor {
  readonly manager: string;
  readonly operation: 'Update' | 'Apply';
  readonly subresource?: string;
  /** The fields of an apply, which are owned whether or not they changed. */
  readonly applied?: JsonObject;
}

/** One entry of `metadata.managedFields`. */
interface Entry extends JsonObject {
  readonly manager: string;
  readonly operation: string;
  readonly subresource?: string;
  readonly fieldsV1?: JsonObject;
}

/** `spec.replicas` is `['spec', 'replicas']`; nothing is tracked deeper than two or three steps. */
type Path = readonly string[];

/** Maps whose every key has an owner of its own. */
const KEYED_METADATA = ['annotations', 'labels'];
const LISTED_METADATA = ['finalizers', 'ownerReferences'];
const UNTRACKED = new Set(['apiVersion', 'kind', 'metadata']);

/**
 * The object with its managedFields brought up to date: the actor owns what it changed (or applied), others lose it.
 * Coarser than a real apiserver's (fields of spec and status, keys of annotations, labels and data), and so kept small.
 */
export function recordManager(
  before: KubeObject | undefined,
  after: KubeObject,
  actor: WriteActor,
  now: number,
): KubeObject {
  const { set, removed } = withoutZeroScale(changedPaths(before, after), after, actor);
  const applied = actor.applied === undefined ? [] : leafPaths(actor.applied);
  if (set.length === 0 && removed.length === 0 && applied.length === 0) return after;
  const own = actor.operation === 'Apply' ? applied : set;
  const entries = (arrayOf(before?.metadata['managedFields']) as readonly Entry[])
    .map((entry) => (isOwn(entry, actor) ? entry : without(entry, [...set, ...removed])))
    .filter((entry): entry is Entry => entry !== undefined);
  const mine = entries.find((entry) => isOwn(entry, actor));
  const kept = actor.operation === 'Apply' || mine === undefined ? {} : (without(mine, removed)?.fieldsV1 ?? {});
  const others = entries.filter((entry) => entry !== mine);
  const managedFields =
    own.length === 0 && mine === undefined ? others : [...others, entryOf(actor, after, now, { kept, paths: own })];
  return { ...after, metadata: { ...after.metadata, managedFields } };
}

interface ChangedPaths {
  readonly set: readonly Path[];
  readonly removed: readonly Path[];
}

/** A Scale of 0 carries no count at all, so whoever scales to zero through it owns nothing, and nor does anybody else. */
function withoutZeroScale({ set, removed }: ChangedPaths, after: KubeObject, actor: WriteActor): ChangedPaths {
  if (actor.subresource !== 'scale' || objectOf(after['spec'])['replicas'] !== 0) return { set, removed };
  const isReplicas = (path: Path) => path.join('.') === 'spec.replicas';
  return { set: set.filter((path) => !isReplicas(path)), removed: [...removed, ...set.filter(isReplicas)] };
}

/** The paths that an actor's last apply owned; what the next one leaves out is removed. */
export function appliedPaths(object: KubeObject, manager: string): readonly Path[] {
  const entries = arrayOf(object.metadata['managedFields']) as readonly Entry[];
  const entry = entries.find((candidate) => candidate.manager === manager && candidate.operation === 'Apply');
  return entry?.fieldsV1 === undefined ? [] : pathsOf(entry.fieldsV1);
}

/** The fields an apply sets, at the granularity of ownership. */
export function leafPaths(object: JsonObject): readonly Path[] {
  return changedPaths(undefined, object).set;
}

/** Who else owns one of these paths, as the conflict of an apply without force names them. */
export function otherOwners(object: KubeObject, paths: readonly Path[], manager: string): ReadonlyMap<string, string> {
  const owners = new Map<string, string>();
  for (const entry of arrayOf(object.metadata['managedFields']) as readonly Entry[]) {
    if (entry.manager === manager && entry.operation === 'Apply') continue;
    const owned = new Set(pathsOf(entry.fieldsV1 ?? {}).map((path) => path.join('\n')));
    for (const path of paths) if (owned.has(path.join('\n'))) owners.set(path.join('\n'), ownerText(entry));
  }
  return owners;
}

/** An owner by update is named with its version, one by apply without. */
function ownerText(entry: Entry): string {
  return entry.operation === 'Apply' ? `"${entry.manager}"` : `"${entry.manager}" using ${entry['apiVersion']}`;
}

function isOwn(entry: Entry, actor: WriteActor): boolean {
  return (
    entry.manager === actor.manager && entry.operation === actor.operation && entry.subresource === actor.subresource
  );
}

interface Changes {
  readonly set: Path[];
  readonly removed: Path[];
}

/** Compared field by field, so that a write pays only for what it changed. */
function changedPaths(before: JsonObject | undefined, after: JsonObject): Changes {
  const changes: Changes = { set: [], removed: [] };
  const oldMetadata = objectOf(before?.['metadata']);
  const metadata = objectOf(after['metadata']);
  for (const map of KEYED_METADATA) compareKeys(oldMetadata[map], metadata[map], ['metadata', map], changes);
  for (const field of LISTED_METADATA) compare(oldMetadata[field], metadata[field], ['metadata', field], changes);
  const old = before ?? {};
  for (const field in after) if (!UNTRACKED.has(field)) compareField(old[field], after[field], field, changes);
  for (const field in old)
    if (!UNTRACKED.has(field) && !(field in after)) compareField(old[field], undefined, field, changes);
  return changes;
}

function compareField(before: unknown, after: unknown, field: string, changes: Changes): void {
  if (isObject(before ?? after) && isObject(after ?? before)) compareKeys(before, after, [field], changes);
  else compare(before, after, [field], changes);
}

function compareKeys(before: unknown, after: unknown, path: Path, changes: Changes): void {
  if (before === after) return;
  const old = objectOf(before);
  const current = objectOf(after);
  for (const key in current) if (old[key] !== current[key]) compare(old[key], current[key], [...path, key], changes);
  for (const key in old) if (current[key] === undefined) compare(old[key], undefined, [...path, key], changes);
}

function compare(before: unknown, after: unknown, path: Path, changes: Changes): void {
  if (sameJson(before, after)) return;
  if (after === undefined) changes.removed.push(path);
  else changes.set.push(path);
}

function entryOf(
  actor: WriteActor,
  object: KubeObject,
  now: number,
  { kept, paths }: { readonly kept: JsonObject; readonly paths: readonly Path[] },
): Entry {
  let fieldsV1: JsonObject = kept;
  for (const path of paths) fieldsV1 = withPath(fieldsV1, path);
  return {
    manager: actor.manager,
    operation: actor.operation,
    apiVersion: object.apiVersion,
    time: timestamp(now),
    fieldsType: 'FieldsV1',
    fieldsV1,
    ...(actor.subresource === undefined ? {} : { subresource: actor.subresource }),
  };
}

function withPath(fields: JsonObject, path: Path): JsonObject {
  const [step, ...rest] = path;
  if (step === undefined) return fields;
  const known = fields[`f:${step}`];
  const inner = withPath(objectOf(known), rest);
  return inner === known ? fields : { ...fields, [`f:${step}`]: inner };
}

/** The entry without these paths; undefined when nothing is left of it. */
function without(entry: Entry, paths: readonly Path[]): Entry | undefined {
  if (entry.fieldsV1 === undefined) return entry;
  let fields: JsonObject | undefined = entry.fieldsV1;
  for (const path of paths) if (fields !== undefined) fields = withoutPath(fields, path);
  if (fields === entry.fieldsV1) return entry;
  return fields === undefined ? undefined : { ...entry, fieldsV1: fields };
}

function withoutPath(fields: JsonObject, path: Path): JsonObject | undefined {
  const [step, ...rest] = path;
  const key = `f:${step}`;
  if (!(key in fields)) return fields;
  const inner = rest.length === 0 ? undefined : withoutPath(objectOf(fields[key]), rest);
  if (inner === fields[key]) return fields;
  const { [key]: _gone, ...others } = fields;
  if (inner !== undefined) return { ...others, [key]: inner };
  return Object.keys(others).length === 0 ? undefined : others;
}

function pathsOf(fields: JsonObject): readonly Path[] {
  return Object.entries(fields).flatMap(([key, inner]): Path[] => {
    const step = key.slice(2);
    const deeper = pathsOf(objectOf(inner));
    return deeper.length === 0 ? [[step]] : deeper.map((path) => [step, ...path]);
  });
}
