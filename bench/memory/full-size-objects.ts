// Deployments and Pods as large as they are in a real cluster, a third or more of the text being managedFields.

export type Kind = 'deployments' | 'pods';

export interface Variant {
  readonly index: number;
  readonly resourceVersion: number;
  /** Changes with each event, so that every event is a real difference. */
  readonly round: number;
}

const namespaces = 50;
const podsOfADeployment = 4;

/** The JSON text of one object; about 7.3 KB for a Deployment and 7.8 KB for a Pod. */
export function objectText(kind: Kind, variant: Variant): string {
  return kind === 'deployments' ? deploymentText(variant) : podText(variant);
}

const pad = (value: number, length: number) => String(value).padStart(length, '0');
const uid = (index: number, kind: string) => `${kind}${pad(index, 7)}-1f2e-4d3c-9b8a-${pad(index * 7919, 12)}`;
const appOf = (deployment: number) => `service-${pad(deployment, 5)}-backend`;
const namespaceOf = (deployment: number) => `team-${pad(deployment % namespaces, 2)}-production`;
const hashOf = (deployment: number) => (deployment * 2654435761 + 1_000_000_007).toString(16).slice(0, 9);

const secondOf = (index: number) => `2026-10-01T08:${pad(Math.floor((index % 900) / 60), 2)}:${pad(index % 60, 2)}Z`;

function fill(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/@(\w+)@/g, (_, name: string) => values[name] ?? '');
}

function deploymentText({ index, resourceVersion, round }: Variant): string {
  return fill(deploymentTemplate, {
    APP: appOf(index),
    NS: namespaceOf(index),
    UID: uid(index, 'd'),
    RV: String(resourceVersion),
    REPLICAS: '4',
    READY: String(round % 5),
  });
}

function podText({ index, resourceVersion, round }: Variant): string {
  const deployment = Math.floor(index / podsOfADeployment);
  const hash = hashOf(deployment);
  return fill(podTemplate, {
    APP: appOf(deployment),
    NS: namespaceOf(deployment),
    RS: `${appOf(deployment)}-${hash}`,
    HASH: hash,
    NAME: `${appOf(deployment)}-${hash}-${(index * 48271).toString(36).slice(-5)}${index % podsOfADeployment}`,
    UID: uid(index, 'p'),
    RSUID: uid(deployment, 'r'),
    RV: String(resourceVersion),
    NODE: `ip-10-0-${index % 200}-17.eu-central-1.compute.internal`,
    IP: `10.12.${index % 250}.${(index * 7) % 250}`,
    RESTARTS: String(round),
    // A wake of a quarter of an hour: 900 different seconds, and containers of a pod that start one after another.
    MIGRATED: secondOf(index + round),
    STARTED: secondOf(index + round + 3),
    PROXIED: secondOf(index + round + 5 + (index % 3)),
  });
}

function fieldSet(paths: readonly string[]): object {
  return Object.fromEntries(
    paths.map((path) => [`f:${path}`, { '.': {}, 'f:value': {}, 'k:{"name":"server"}': { 'f:valueFrom': {} } }]),
  );
}

function managedFields(manager: string, paths: readonly string[], subresource?: string): object {
  return {
    manager,
    operation: 'Update',
    apiVersion: 'apps/v1',
    time: '2026-10-01T07:59:58Z',
    fieldsType: 'FieldsV1',
    fieldsV1: { 'f:metadata': { 'f:annotations': fieldSet(['a', 'b', 'c']) }, 'f:spec': fieldSet(paths) },
    ...(subresource === undefined ? {} : { subresource }),
  };
}

const labels = (app: string) => ({
  'app.kubernetes.io/name': app,
  'app.kubernetes.io/instance': `${app}-production`,
  'app.kubernetes.io/component': 'backend',
  'app.kubernetes.io/part-of': 'shop',
  'app.kubernetes.io/managed-by': 'Helm',
  'helm.sh/chart': 'backend-service-4.17.2',
});

const environment = Array.from({ length: 7 }, (_, i) => ({
  name: `SETTING_${i}_OF_THE_SERVICE`,
  value: `a-value-of-the-length-that-values-tend-to-have-${i}`,
}));

const probe = {
  httpGet: { path: '/healthz', port: 'http', scheme: 'HTTP' },
  timeoutSeconds: 1,
  periodSeconds: 10,
  successThreshold: 1,
  failureThreshold: 30,
};

const container = (name: string) => ({
  name,
  image: `registry.example.com/shop/${name}:1.42.0@sha256:${'ab12'.repeat(16)}`,
  ports: [{ name: 'http', containerPort: 8080, protocol: 'TCP' }],
  env: environment,
  resources: { limits: { memory: '512Mi' }, requests: { cpu: '250m', memory: '256Mi' } },
  volumeMounts: [
    { name: 'kube-api-access', readOnly: true, mountPath: '/var/run/secrets/kubernetes.io/serviceaccount' },
  ],
  startupProbe: probe,
  readinessProbe: probe,
  livenessProbe: probe,
  terminationMessagePath: '/dev/termination-log',
  terminationMessagePolicy: 'File',
  imagePullPolicy: 'IfNotPresent',
});

const fieldNames = Array.from({ length: 14 }, (_, i) => `fieldOfTheSpecification${i}`);

const deploymentTemplate = JSON.stringify({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: {
    name: '@APP@',
    namespace: '@NS@',
    uid: '@UID@',
    resourceVersion: '@RV@',
    generation: 12,
    creationTimestamp: '2026-03-04T05:06:07Z',
    labels: labels('@APP@'),
    annotations: {
      'deployment.kubernetes.io/revision': '12',
      'meta.helm.sh/release-name': '@APP@',
      'meta.helm.sh/release-namespace': '@NS@',
    },
    managedFields: [managedFields('helm', fieldNames), managedFields('kube-controller-manager', fieldNames, 'status')],
  },
  spec: {
    replicas: 4,
    selector: { matchLabels: { 'app.kubernetes.io/name': '@APP@', 'app.kubernetes.io/instance': '@APP@-production' } },
    template: {
      metadata: { creationTimestamp: null, labels: labels('@APP@') },
      spec: {
        containers: [container('server')],
        restartPolicy: 'Always',
        terminationGracePeriodSeconds: 30,
        dnsPolicy: 'ClusterFirst',
        serviceAccountName: '@APP@',
        securityContext: {},
        schedulerName: 'default-scheduler',
      },
    },
    strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '25%', maxSurge: '25%' } },
    revisionHistoryLimit: 10,
    progressDeadlineSeconds: 600,
  },
  status: {
    observedGeneration: 12,
    replicas: 4,
    updatedReplicas: 4,
    readyReplicas: '#READY#',
    conditions: ['Available', 'Progressing'].map((type) => ({
      type,
      status: 'True',
      lastUpdateTime: '2026-10-01T07:59:58Z',
      lastTransitionTime: '2026-10-01T07:59:58Z',
      reason: 'MinimumReplicasAvailable',
      message: 'ReplicaSet "@APP@" has successfully progressed.',
    })),
  },
}).replace('"#READY#"', '@READY@');

const containerStatus = (name: string, startedAt: string) => ({
  name,
  state: { running: { startedAt } },
  lastState: {},
  ready: true,
  restartCount: '#RESTARTS#',
  image: `registry.example.com/shop/${name}:1.42.0`,
  imageID: `registry.example.com/shop/${name}@sha256:${'ab12'.repeat(16)}`,
  containerID: `containerd://${'cd34'.repeat(16)}`,
  started: true,
});

const podTemplate = JSON.stringify({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    name: '@NAME@',
    generateName: '@RS@-',
    namespace: '@NS@',
    uid: '@UID@',
    resourceVersion: '@RV@',
    creationTimestamp: '2026-10-01T08:00:00Z',
    labels: { ...labels('@APP@'), 'pod-template-hash': '@HASH@' },
    annotations: { 'prometheus.io/scrape': 'true', 'checksum/config': 'ef56'.repeat(16) },
    ownerReferences: [
      {
        apiVersion: 'apps/v1',
        kind: 'ReplicaSet',
        name: '@RS@',
        uid: '@RSUID@',
        controller: true,
        blockOwnerDeletion: true,
      },
    ],
    managedFields: [
      managedFields('kube-controller-manager', fieldNames.slice(0, 9)),
      managedFields('kubelet', fieldNames.slice(0, 9), 'status'),
    ],
  },
  spec: {
    volumes: [
      {
        name: 'kube-api-access',
        projected: { sources: [{ serviceAccountToken: { expirationSeconds: 3607, path: 'token' } }], defaultMode: 420 },
      },
    ],
    containers: [container('server')],
    restartPolicy: 'Always',
    terminationGracePeriodSeconds: 30,
    dnsPolicy: 'ClusterFirst',
    serviceAccountName: '@APP@',
    nodeName: '@NODE@',
    securityContext: {},
    schedulerName: 'default-scheduler',
    tolerations: ['not-ready', 'unreachable'].map((key) => ({
      key: `node.kubernetes.io/${key}`,
      operator: 'Exists',
      effect: 'NoExecute',
      tolerationSeconds: 300,
    })),
    priority: 0,
    enableServiceLinks: true,
    preemptionPolicy: 'PreemptLowerPriority',
  },
  status: {
    phase: 'Running',
    conditions: ['PodReadyToStartContainers', 'Initialized', 'Ready', 'ContainersReady', 'PodScheduled'].map(
      (type) => ({
        type,
        status: 'True',
        lastProbeTime: null,
        lastTransitionTime: '@PROXIED@',
      }),
    ),
    hostIP: '10.0.17.4',
    podIP: '@IP@',
    podIPs: [{ ip: '@IP@' }],
    startTime: '2026-10-01T08:00:01Z',
    containerStatuses: [containerStatus('server', '@STARTED@'), containerStatus('istio-proxy', '@PROXIED@')],
    initContainerStatuses: [containerStatus('migrate', '@MIGRATED@')],
    qosClass: 'Burstable',
  },
}).replaceAll('"#RESTARTS#"', '@RESTARTS@');
