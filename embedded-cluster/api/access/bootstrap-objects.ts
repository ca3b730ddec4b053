import type { MemoryStore } from '../../store/memory-store.ts';

const NAMESPACES = ['default', 'kube-node-lease', 'kube-public', 'kube-system'];
const RBAC = 'rbac.authorization.k8s.io';

interface Role {
  readonly name: string;
  readonly rules: readonly object[];
  /** The group that is bound to it, if any. */
  readonly group?: string;
}

const READ = ['get', 'list', 'watch'];
const WRITE = ['create', 'delete', 'deletecollection', 'patch', 'update'];
const CORE_RESOURCES = [
  'configmaps',
  'endpoints',
  'persistentvolumeclaims',
  'pods',
  'serviceaccounts',
  'services',
  'pods/log',
  'pods/status',
  'events',
];
const WORKLOAD_RULES = [
  {
    apiGroups: ['apps'],
    resources: [
      'daemonsets',
      'deployments',
      'deployments/scale',
      'replicasets',
      'replicasets/scale',
      'statefulsets',
      'statefulsets/scale',
    ],
  },
  { apiGroups: ['autoscaling'], resources: ['horizontalpodautoscalers'] },
  { apiGroups: ['batch'], resources: ['cronjobs', 'jobs'] },
  { apiGroups: ['policy'], resources: ['poddisruptionbudgets'] },
  { apiGroups: ['networking.k8s.io'], resources: ['ingresses', 'networkpolicies'] },
];

/** The roles that every cluster has and somebody is likely to bind or rely on. */
const ROLES: readonly Role[] = [
  {
    name: 'cluster-admin',
    rules: [
      { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
      { verbs: ['*'], nonResourceURLs: ['*'] },
    ],
    group: 'system:masters',
  },
  { name: 'admin', rules: namespaceRules([...READ, ...WRITE], true) },
  { name: 'edit', rules: namespaceRules([...READ, ...WRITE], false) },
  {
    name: 'view',
    rules: [
      { verbs: READ, apiGroups: [''], resources: [...CORE_RESOURCES, 'namespaces'] },
      ...WORKLOAD_RULES.map((rule) => ({ verbs: READ, ...rule })),
    ],
  },
  {
    name: 'system:basic-user',
    rules: [
      {
        verbs: ['create'],
        apiGroups: ['authorization.k8s.io'],
        resources: ['selfsubjectaccessreviews', 'selfsubjectrulesreviews'],
      },
      { verbs: ['create'], apiGroups: ['authentication.k8s.io'], resources: ['selfsubjectreviews'] },
    ],
    group: 'system:authenticated',
  },
  {
    name: 'system:discovery',
    rules: [
      {
        verbs: ['get'],
        nonResourceURLs: [
          '/api',
          '/api/*',
          '/apis',
          '/apis/*',
          '/healthz',
          '/livez',
          '/openapi',
          '/openapi/*',
          '/readyz',
          '/version',
          '/version/',
        ],
      },
    ],
    group: 'system:authenticated',
  },
  {
    name: 'system:public-info-viewer',
    rules: [{ verbs: ['get'], nonResourceURLs: ['/healthz', '/livez', '/readyz', '/version', '/version/'] }],
    group: 'system:unauthenticated',
  },
];

function namespaceRules(verbs: readonly string[], withRoles: boolean): readonly object[] {
  return [
    { verbs, apiGroups: [''], resources: [...CORE_RESOURCES, 'secrets', 'pods/eviction', 'serviceaccounts/token'] },
    { verbs: READ, apiGroups: [''], resources: ['namespaces'] },
    ...WORKLOAD_RULES.map((rule) => ({ verbs, ...rule })),
    { verbs, apiGroups: ['coordination.k8s.io'], resources: ['leases'] },
    ...(withRoles ? [{ verbs, apiGroups: [RBAC], resources: ['rolebindings', 'roles'] }] : []),
  ];
}

/** Puts into an empty store what a new cluster has. */
export function bootstrap(store: MemoryStore): void {
  if (store.get('namespaces', undefined, 'default') !== undefined) return;
  for (const name of NAMESPACES) createNamespace(store, name);
  for (const role of ROLES) createRole(store, role);
}

function createNamespace(store: MemoryStore, name: string): void {
  store.create('namespaces', {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name, labels: { 'kubernetes.io/metadata.name': name } },
    spec: { finalizers: ['kubernetes'] },
    status: { phase: 'Active' },
  });
}

function createRole(store: MemoryStore, { name, rules, group }: Role): void {
  const labels = { 'kubernetes.io/bootstrapping': 'rbac-defaults' };
  const apiVersion = `${RBAC}/v1`;
  store.create(`clusterroles.${RBAC}`, { apiVersion, kind: 'ClusterRole', metadata: { name, labels }, rules });
  if (group === undefined) return;
  store.create(`clusterrolebindings.${RBAC}`, {
    apiVersion,
    kind: 'ClusterRoleBinding',
    metadata: { name, labels },
    roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name },
    subjects: [{ apiGroup: RBAC, kind: 'Group', name: group }],
  });
}
