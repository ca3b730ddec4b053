import type { KubeClient } from '../../../src/adapters/kubernetes/client/kube-client.ts';
import {
  type CustomObject,
  type ResourceType,
  resources,
} from '../../../src/adapters/kubernetes/client/resource-type.ts';

/** What people own and we must leave as it was; pods, ReplicaSets and events are the cluster's own. */
const looked = [
  resources.deployments,
  resources.statefulSets,
  resources.cronJobs,
  resources.services,
  resources.configMaps,
  resources.secrets,
  resources.namespaces,
  resources.horizontalPodAutoscalers,
] as unknown as readonly ResourceType<CustomObject>[]; // Compared as a whole, so what every object has is enough.

/** Everything but status and what every write changes, by kind and name; all of the cluster but the release's own namespace. */
export async function clusterSpecs(
  client: KubeClient,
  releaseNamespace: string,
): Promise<Readonly<Record<string, unknown>>> {
  const lists = await Promise.all(looked.map(async (type) => ({ type, items: (await client.list(type)).items })));
  const leaving = new Set(
    lists.flatMap(({ items }) => items.filter(isDeleting).map(({ metadata }) => metadata?.name ?? '')),
  );
  const entries = lists.flatMap(({ type, items }) =>
    items
      .filter((object) => !isDeleting(object) && !leaving.has(object.metadata?.namespace ?? ''))
      .filter(({ metadata }) => metadata?.namespace !== releaseNamespace && metadata?.name !== releaseNamespace)
      .map((object) => [`${type.plural} ${object.metadata?.namespace ?? ''}/${object.metadata?.name}`, kept(object)]),
  );
  return Object.fromEntries(entries) as Readonly<Record<string, unknown>>;
}

/** Other tests' namespaces may still be on their way out, and what is in them with them. */
function isDeleting({ metadata }: CustomObject): boolean {
  return metadata?.deletionTimestamp !== undefined;
}

function kept(object: CustomObject) {
  const { status: _status, metadata, ...rest } = object;
  const { uid, labels, annotations, ownerReferences, finalizers } = metadata ?? {};
  return { ...rest, metadata: { uid, labels, annotations: annotations ?? {}, ownerReferences, finalizers } };
}
