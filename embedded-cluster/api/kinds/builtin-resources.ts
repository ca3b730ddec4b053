import { ALL_VERBS, apiVersionOf, type ResourceType } from './resource-type.ts';

type Row = readonly [
  plural: string,
  kind: string,
  scope: 'namespaced' | 'cluster',
  shortNames: string,
  subresources: string,
  categories: string,
];

const CORE: readonly Row[] = [
  ['namespaces', 'Namespace', 'cluster', 'ns', 'status finalize', ''],
  ['nodes', 'Node', 'cluster', 'no', 'status', ''],
  ['pods', 'Pod', 'namespaced', 'po', 'status eviction binding log', 'all'],
  ['services', 'Service', 'namespaced', 'svc', 'status', 'all'],
  ['configmaps', 'ConfigMap', 'namespaced', 'cm', '', ''],
  ['secrets', 'Secret', 'namespaced', '', '', ''],
  ['events', 'Event', 'namespaced', 'ev', '', ''],
  ['serviceaccounts', 'ServiceAccount', 'namespaced', 'sa', 'token', ''],
  ['endpoints', 'Endpoints', 'namespaced', 'ep', '', ''],
  ['persistentvolumeclaims', 'PersistentVolumeClaim', 'namespaced', 'pvc', 'status', ''],
  ['persistentvolumes', 'PersistentVolume', 'cluster', 'pv', 'status', ''],
  ['resourcequotas', 'ResourceQuota', 'namespaced', 'quota', 'status', ''],
  ['limitranges', 'LimitRange', 'namespaced', 'limits', '', ''],
];

const APPS: readonly Row[] = [
  ['deployments', 'Deployment', 'namespaced', 'deploy', 'status scale', 'all'],
  ['statefulsets', 'StatefulSet', 'namespaced', 'sts', 'status scale', 'all'],
  ['replicasets', 'ReplicaSet', 'namespaced', 'rs', 'status scale', 'all'],
  ['daemonsets', 'DaemonSet', 'namespaced', 'ds', 'status', 'all'],
  ['controllerrevisions', 'ControllerRevision', 'namespaced', '', '', ''],
];

const BATCH: readonly Row[] = [
  ['jobs', 'Job', 'namespaced', '', 'status', 'all'],
  ['cronjobs', 'CronJob', 'namespaced', 'cj', 'status', 'all'],
];

const AUTOSCALING: readonly Row[] = [
  ['horizontalpodautoscalers', 'HorizontalPodAutoscaler', 'namespaced', 'hpa', 'status', 'all'],
];

const RBAC: readonly Row[] = [
  ['roles', 'Role', 'namespaced', '', '', ''],
  ['clusterroles', 'ClusterRole', 'cluster', '', '', ''],
  ['rolebindings', 'RoleBinding', 'namespaced', '', '', ''],
  ['clusterrolebindings', 'ClusterRoleBinding', 'cluster', '', '', ''],
];

const NETWORKING: readonly Row[] = [
  ['networkpolicies', 'NetworkPolicy', 'namespaced', 'netpol', '', ''],
  ['ingresses', 'Ingress', 'namespaced', 'ing', 'status', ''],
  ['ingressclasses', 'IngressClass', 'cluster', '', '', ''],
];

const ADMISSION: readonly Row[] = [
  ['validatingwebhookconfigurations', 'ValidatingWebhookConfiguration', 'cluster', '', '', 'api-extensions'],
  ['mutatingwebhookconfigurations', 'MutatingWebhookConfiguration', 'cluster', '', '', 'api-extensions'],
  ['validatingadmissionpolicies', 'ValidatingAdmissionPolicy', 'cluster', '', 'status', 'api-extensions'],
  ['validatingadmissionpolicybindings', 'ValidatingAdmissionPolicyBinding', 'cluster', '', '', 'api-extensions'],
];

/** Questions that are answered and not stored. */
const AUTHORIZATION: readonly Row[] = [
  ['selfsubjectaccessreviews', 'SelfSubjectAccessReview', 'cluster', '', '', ''],
  ['selfsubjectrulesreviews', 'SelfSubjectRulesReview', 'cluster', '', '', ''],
  ['subjectaccessreviews', 'SubjectAccessReview', 'cluster', '', '', ''],
];
const AUTHENTICATION: readonly Row[] = [
  ['tokenreviews', 'TokenReview', 'cluster', '', '', ''],
  ['selfsubjectreviews', 'SelfSubjectReview', 'cluster', '', '', ''],
];
const REVIEW_GROUPS = new Set(['authorization.k8s.io', 'authentication.k8s.io']);

const GROUPS: readonly (readonly [group: string, version: string, rows: readonly Row[]])[] = [
  ['', 'v1', CORE],
  ['apps', 'v1', APPS],
  ['batch', 'v1', BATCH],
  ['autoscaling', 'v2', AUTOSCALING],
  ['autoscaling', 'v1', AUTOSCALING],
  ['events.k8s.io', 'v1', [['events', 'Event', 'namespaced', 'ev', '', '']]],
  ['coordination.k8s.io', 'v1', [['leases', 'Lease', 'namespaced', '', '', '']]],
  ['discovery.k8s.io', 'v1', [['endpointslices', 'EndpointSlice', 'namespaced', '', '', '']]],
  ['policy', 'v1', [['poddisruptionbudgets', 'PodDisruptionBudget', 'namespaced', 'pdb', 'status', '']]],
  ['scheduling.k8s.io', 'v1', [['priorityclasses', 'PriorityClass', 'cluster', 'pc', '', '']]],
  ['storage.k8s.io', 'v1', [['storageclasses', 'StorageClass', 'cluster', 'sc', '', '']]],
  ['rbac.authorization.k8s.io', 'v1', RBAC],
  ['authorization.k8s.io', 'v1', AUTHORIZATION],
  ['authentication.k8s.io', 'v1', AUTHENTICATION],
  ['networking.k8s.io', 'v1', NETWORKING],
  ['admissionregistration.k8s.io', 'v1', ADMISSION],
  [
    'apiextensions.k8s.io',
    'v1',
    [['customresourcedefinitions', 'CustomResourceDefinition', 'cluster', 'crd crds', 'status', 'api-extensions']],
  ],
];

/** Every built-in resource, one entry a version, in the order discovery shows them. */
export const BUILTIN_RESOURCES: readonly ResourceType[] = GROUPS.flatMap(([group, version, rows]) =>
  rows.map((row) => resourceType(group, version, row)),
);

function resourceType(group: string, version: string, row: Row): ResourceType {
  const [plural, kind, scope, shortNames, subresources, categories] = row;
  // Events have two faces, one store.
  const storageGroup = group === 'events.k8s.io' ? '' : group;
  return {
    group,
    version,
    plural,
    singular: kind.toLowerCase(),
    kind,
    namespaced: scope === 'namespaced',
    shortNames: words(shortNames),
    categories: words(categories),
    subresources: words(subresources),
    verbs: REVIEW_GROUPS.has(group) ? ['create'] : ALL_VERBS,
    storage: storageGroup === '' ? plural : `${plural}.${storageGroup}`,
    storedApiVersion: storageGroup === 'autoscaling' ? 'autoscaling/v2' : apiVersionOf(storageGroup, version),
    custom: false,
  };
}

function words(text: string): readonly string[] {
  return text === '' ? [] : text.split(' ');
}
