import type {
  MutatingWebhookConfiguration,
  ValidatingWebhookConfiguration,
} from 'kubernetes-types/admissionregistration/v1.d.ts';
import type { Deployment, ReplicaSet, StatefulSet } from 'kubernetes-types/apps/v1.d.ts';
import type { HorizontalPodAutoscaler } from 'kubernetes-types/autoscaling/v2.d.ts';
import type { CronJob, Job } from 'kubernetes-types/batch/v1.d.ts';
import type { Lease } from 'kubernetes-types/coordination/v1.d.ts';
import type { ConfigMap, Event, Namespace, Node, Pod, Secret, Service } from 'kubernetes-types/core/v1.d.ts';
import type { ObjectMeta } from 'kubernetes-types/meta/v1.d.ts';
import type { KindRow } from '../../../domain/kinds/kind-row.ts';
import { type BuiltInKind, rowOf, type WorkloadKind } from '../../../domain/kinds/kinds.ts';

/** Where a kind lives in the API. The type parameter is the published type of its objects. */
export interface ResourceType<T = KubeObject> {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly kind: string;
  readonly namespaced: boolean;
  /** Carries the type only; there is no value. */
  readonly objects?: T;
}

/** What every object has. */
export interface KubeObject {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: ObjectMeta;
}

/** An object of any kind that the service puts to sleep. */
export interface WorkloadObject extends KubeObject {
  readonly spec?: object;
  readonly status?: object;
}

/** A custom resource, of which only the asked-for fields matter. */
export interface CustomObject extends KubeObject {
  readonly spec?: Readonly<Record<string, unknown>>;
  readonly status?: Readonly<Record<string, unknown>>;
}

// biome-ignore lint/complexity/useMaxParams: a row of the table below.
function resource<T>(group: string, version: string, plural: string, kind: string, namespaced = true): ResourceType<T> {
  return { group, version, plural, kind, namespaced };
}

/** Where a kind that the service can put to sleep lives, by its row. */
export function resourceOf<T = KubeObject>(
  kind: WorkloadKind,
  { group, version, plural }: Pick<KindRow, 'group' | 'version' | 'plural'>,
): ResourceType<T> {
  return { group, version, plural, kind, namespaced: true };
}

function builtIn<T>(kind: BuiltInKind): ResourceType<T> {
  return resourceOf<T>(kind, rowOf(kind));
}

export const resources = {
  namespaces: resource<Namespace>('', 'v1', 'namespaces', 'Namespace', false),
  nodes: resource<Node>('', 'v1', 'nodes', 'Node', false),
  pods: resource<Pod>('', 'v1', 'pods', 'Pod'),
  services: resource<Service>('', 'v1', 'services', 'Service'),
  configMaps: resource<ConfigMap>('', 'v1', 'configmaps', 'ConfigMap'),
  secrets: resource<Secret>('', 'v1', 'secrets', 'Secret'),
  events: resource<Event>('', 'v1', 'events', 'Event'),
  deployments: builtIn<Deployment>('Deployment'),
  statefulSets: builtIn<StatefulSet>('StatefulSet'),
  replicaSets: resource<ReplicaSet>('apps', 'v1', 'replicasets', 'ReplicaSet'),
  cronJobs: builtIn<CronJob>('CronJob'),
  jobs: resource<Job>('batch', 'v1', 'jobs', 'Job'),
  horizontalPodAutoscalers: resource<HorizontalPodAutoscaler>(
    'autoscaling',
    'v2',
    'horizontalpodautoscalers',
    'HorizontalPodAutoscaler',
  ),
  validatingWebhookConfigurations: resource<ValidatingWebhookConfiguration>(
    'admissionregistration.k8s.io',
    'v1',
    'validatingwebhookconfigurations',
    'ValidatingWebhookConfiguration',
    false,
  ),
  mutatingWebhookConfigurations: resource<MutatingWebhookConfiguration>(
    'admissionregistration.k8s.io',
    'v1',
    'mutatingwebhookconfigurations',
    'MutatingWebhookConfiguration',
    false,
  ),
  leases: resource<Lease>('coordination.k8s.io', 'v1', 'leases', 'Lease'),
  scaledObjects: resource<CustomObject>('keda.sh', 'v1alpha1', 'scaledobjects', 'ScaledObject'),
  customResourceDefinitions: resource<CustomObject>(
    'apiextensions.k8s.io',
    'v1',
    'customresourcedefinitions',
    'CustomResourceDefinition',
    false,
  ),
} as const;

/** One object: the namespace is left out for kinds that have none. */
export interface ObjectRef {
  readonly namespace?: string;
  readonly name: string;
}

/** The path of all objects of a kind, or of those of one namespace. */
export function collectionPath(type: ResourceType<unknown>, namespace?: string): string {
  const root = type.group === '' ? `/api/${type.version}` : `/apis/${type.group}/${type.version}`;
  if (namespace === undefined) return `${root}/${type.plural}`;
  if (!type.namespaced)
    throw new Error(`${type.plural} have no namespace, but ${JSON.stringify(namespace)} was given.`);
  return `${root}/namespaces/${encodeURIComponent(namespace)}/${type.plural}`;
}

export function objectPath(type: ResourceType<unknown>, ref: ObjectRef, subresource?: string): string {
  if (type.namespaced && !ref.namespace) throw new Error(`${type.plural} ${ref.name}: a namespace is needed.`);
  if (ref.name === '')
    throw new Error(`${type.plural}: a name is needed, an empty one would address the whole collection.`);
  const path = `${collectionPath(type, ref.namespace)}/${encodeURIComponent(ref.name)}`;
  return subresource === undefined ? path : `${path}/${subresource}`;
}
