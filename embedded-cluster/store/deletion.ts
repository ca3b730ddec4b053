import type { DeleteOptions, KubeObject, ObjectMeta } from '../object-store.ts';
import { conflict } from './api-error.ts';
import { timestamp } from './identifiers.ts';
import { arrayOf, numberOf, valueAt } from './json-value.ts';

export type DeletionDecision =
  | { readonly kind: 'remove'; readonly object: KubeObject }
  | { readonly kind: 'mark'; readonly object: KubeObject }
  | { readonly kind: 'unchanged' };

const ORPHAN = 'orphan';
const FOREGROUND = 'foregroundDeletion';
const DEFAULT_POD_GRACE_SECONDS = 30;

/** Whether a delete removes the object now, marks it as being deleted, or finds it marked already. */
export function decideDeletion(
  resource: string,
  object: KubeObject,
  options: DeleteOptions,
  now: number,
): DeletionDecision {
  checkPreconditions(object, options);
  const grace = graceSeconds(resource, object, options);
  const finalizers = finalizersAfter(object.metadata.finalizers ?? [], options);
  const waits = finalizers.length > 0 || arrayOf(valueAt(object, 'spec', 'finalizers')).length > 0;
  if (!waits && grace === 0) {
    return {
      kind: 'remove',
      object: resource === 'pods' ? marked(resource, object, finalizers, { grace: 0, now }) : object,
    };
  }
  const { deletionTimestamp, deletionGracePeriodSeconds } = object.metadata;
  const sameFinalizers = finalizers.length === (object.metadata.finalizers?.length ?? 0);
  if (deletionTimestamp !== undefined && grace >= (deletionGracePeriodSeconds ?? 0) && sameFinalizers) {
    return { kind: 'unchanged' };
  }
  return { kind: 'mark', object: marked(resource, object, finalizers, { grace, now }) };
}

/** Whether an update of an object that is being deleted took away the last thing that held it. */
export function isFinished(before: KubeObject, after: KubeObject): boolean {
  if (before.metadata.deletionTimestamp === undefined) return false;
  if ((before.metadata.deletionGracePeriodSeconds ?? 0) > 0) return false;
  return (after.metadata.finalizers?.length ?? 0) === 0 && arrayOf(valueAt(after, 'spec', 'finalizers')).length === 0;
}

function checkPreconditions({ kind, apiVersion, metadata }: KubeObject, options: DeleteOptions): void {
  const { uid, resourceVersion } = options.preconditions ?? {};
  // Here the apiserver speaks of the kind, not of the resource.
  const what = apiVersion.includes('/') ? `${kind}.${apiVersion.split('/')[0]}` : kind;
  if (uid !== undefined && uid !== metadata.uid) {
    const why = `the UID in the precondition (${uid}) does not match the UID in record (${metadata.uid}). The object might have been deleted and then recreated`;
    throw conflict(what, metadata.name, why);
  }
  if (resourceVersion !== undefined && resourceVersion !== metadata.resourceVersion) {
    const why = `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${metadata.resourceVersion}). The object might have been modified`;
    throw conflict(what, metadata.name, why);
  }
}

/** Only pods are deleted gracefully, and only those that a kubelet may be running. */
function graceSeconds(resource: string, object: KubeObject, options: DeleteOptions): number {
  if (resource !== 'pods') return 0;
  const phase = valueAt(object, 'status', 'phase');
  if (valueAt(object, 'spec', 'nodeName') === undefined || phase === 'Succeeded' || phase === 'Failed') return 0;
  const declared = numberOf(valueAt(object, 'spec', 'terminationGracePeriodSeconds'));
  return Math.max(0, options.gracePeriodSeconds ?? declared ?? DEFAULT_POD_GRACE_SECONDS);
}

/** The policy is kept as a finalizer, for the garbage collector to act on. */
function finalizersAfter(finalizers: readonly string[], options: DeleteOptions): readonly string[] {
  if (options.propagationPolicy === undefined) return finalizers;
  const others = finalizers.filter((finalizer) => finalizer !== ORPHAN && finalizer !== FOREGROUND);
  if (options.propagationPolicy === 'Orphan') return [...others, ORPHAN];
  return options.propagationPolicy === 'Foreground' ? [...others, FOREGROUND] : others;
}

function marked(
  resource: string,
  object: KubeObject,
  finalizers: readonly string[],
  { grace, now }: { readonly grace: number; readonly now: number },
): KubeObject {
  const first = object.metadata.deletionTimestamp === undefined;
  const { generation } = object.metadata;
  const metadata: ObjectMeta = {
    ...object.metadata,
    ...(finalizers.length > 0 ? { finalizers } : {}),
    // A shorter grace brings the end nearer, counted from now.
    deletionTimestamp:
      first || grace < (object.metadata.deletionGracePeriodSeconds ?? 0)
        ? timestamp(now + grace * 1000)
        : object.metadata.deletionTimestamp!,
    ...(resource === 'namespaces' ? {} : { deletionGracePeriodSeconds: grace }),
    ...(first && generation !== undefined ? { generation: generation + 1 } : {}),
  };
  if (resource !== 'namespaces') return { ...object, metadata };
  return { ...object, metadata, status: { ...(valueAt(object, 'status') as object), phase: 'Terminating' } };
}
