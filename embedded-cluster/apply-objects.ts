import { withDefaults } from './api/kinds/defaults.ts';
import type { ResourceRegistry } from './api/kinds/resource-registry.ts';
import { apiVersionOf, type ResourceType } from './api/kinds/resource-type.ts';
import { initialStatus } from './api/verbs/status-part.ts';
import type { KubeObject, NewObject, OwnerReference } from './object-store.ts';
import type { Random } from './ports/random.ts';
import type { MemoryStore, WriteOptions } from './store/memory-store.ts';

/** A manifest: what a file for `kubectl apply` holds. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string } & Readonly<Record<string, unknown>>;
  readonly [field: string]: unknown;
}

export interface ApplyTarget {
  readonly store: MemoryStore;
  readonly registry: ResourceRegistry;
  readonly random: Random;
}

/** Creates or replaces the objects in one go, with the API's defaults; a namespace that is missing is made. */
export function applyObjects(
  target: ApplyTarget,
  objects: readonly Manifest[],
  as: WriteOptions = {},
): readonly KubeObject[] {
  return objects.map((object) => applyOne(target, object, as));
}

function applyOne(target: ApplyTarget, manifest: Manifest, as: WriteOptions): KubeObject {
  const type = typeOf(target.registry, manifest);
  const namespace = type.namespaced ? (manifest.metadata.namespace ?? 'default') : undefined;
  if (namespace !== undefined) ensureNamespace(target, namespace);
  const metadata = { ...manifest.metadata, ...(namespace === undefined ? {} : { namespace }) };
  const owned = { ...metadata, ...ownersWithUid(target, metadata, namespace) };
  // A manifest is an object that has not got its uid and version yet; the store gives them.
  const placed = initialStatus(type, { ...manifest, metadata: owned } as unknown as KubeObject);
  const wanted = withDefaults(type, placed, target);
  const before = target.store.get(type.storage, namespace, manifest.metadata.name);
  // As above: what the store adds is all that is missing.
  if (before === undefined) return target.store.create(type.storage, wanted as unknown as NewObject, as);
  return target.store.update(type.storage, successor(before, wanted), as);
}

/** A manifest cannot know its owner's uid; a reference without one means the owner of that name, applied before. */
function ownersWithUid(target: ApplyTarget, metadata: Manifest['metadata'], namespace: string | undefined) {
  const owners = metadata['ownerReferences'] as readonly OwnerReference[] | undefined;
  if (owners === undefined) return {};
  const ownerReferences = owners.map((owner) => {
    if (owner.uid !== undefined && owner.uid !== '') return owner;
    const type = typeOf(target.registry, { ...owner, metadata: { name: owner.name } });
    const found = target.store.get(type.storage, type.namespaced ? namespace : undefined, owner.name);
    if (found === undefined)
      throw new Error(`${metadata.name}: its owner ${owner.kind} ${owner.name} is not there; apply it first.`);
    return { ...owner, uid: found.metadata.uid };
  });
  return { ownerReferences };
}

function successor(before: KubeObject, wanted: KubeObject): KubeObject {
  const { labels, annotations } = wanted.metadata;
  const metadata = {
    ...before.metadata,
    ...(labels === undefined ? {} : { labels: { ...before.metadata.labels, ...labels } }),
    ...(annotations === undefined ? {} : { annotations: { ...before.metadata.annotations, ...annotations } }),
  };
  const status = before['status'];
  return { ...wanted, metadata, ...(status === undefined ? {} : { status }) };
}

function typeOf(registry: ResourceRegistry, { apiVersion, kind, metadata }: Manifest): ResourceType {
  const type = registry.all().find((one) => one.kind === kind && apiVersionOf(one.group, one.version) === apiVersion);
  if (type === undefined) {
    throw new Error(
      `${kind} ${metadata.name}: the cluster serves no kind ${kind} of ${apiVersion}; apply its definition first.`,
    );
  }
  return type;
}

function ensureNamespace(target: ApplyTarget, name: string): void {
  if (target.store.get('namespaces', undefined, name) !== undefined) return;
  applyOne(target, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }, {});
}
