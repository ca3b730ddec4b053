import type { KubeObject } from '../../object-store.ts';
import { arrayOf, isObject, type JsonObject, objectOf, valueAt } from '../../store/json-value.ts';
import type { Services } from '../request/call.ts';
import { defaultedPodSpec, defaultedTemplate, fill } from './pod-defaults.ts';
import { defaultedService } from './service-defaults.ts';

export type Defaulter = (object: KubeObject, services: Pick<Services, 'store' | 'random'>) => KubeObject;
type SpecDefaulter = (object: KubeObject, services: unknown) => KubeObject;

const TOLERATED_SECONDS = 300;
/** What admission adds to every pod, so that a lost node empties after five minutes. */
const NODE_TOLERATIONS = ['not-ready', 'unreachable'].map((state) => ({
  key: `node.kubernetes.io/${state}`,
  operator: 'Exists',
  effect: 'NoExecute',
  tolerationSeconds: TOLERATED_SECONDS,
}));

export const DEFAULTERS: Readonly<Record<string, Defaulter>> = {
  pods: (pod) => withQualityOfService(onSpec(defaultedPod)(pod, undefined)),
  services: defaultedService,
  namespaces: defaultedNamespace,
  secrets: (secret) => withDataFromText(fill(secret, { type: 'Opaque' }) as KubeObject),
  'deployments.apps': onSpec(defaultedDeployment),
  'statefulsets.apps': onSpec(defaultedStatefulSet),
  'replicasets.apps': onSpec((spec) => withTemplate(fill(spec, { replicas: 1 }))),
  'daemonsets.apps': onSpec((spec) =>
    withTemplate(
      fill(spec, {
        updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1, maxSurge: 0 } },
        revisionHistoryLimit: 10,
      }),
    ),
  ),
  'jobs.batch': (job) => withControllerLabels(onSpec(defaultedJob)(job, undefined)),
  events: (event) => fill(event, { eventTime: null, reportingComponent: '', reportingInstance: '' }) as KubeObject,
  'customresourcedefinitions.apiextensions.k8s.io': defaultedDefinition,
  'cronjobs.batch': onSpec(defaultedCronJob),
  'horizontalpodautoscalers.autoscaling': onSpec(defaultedAutoscaler),
  persistentvolumeclaims: onSpec((spec) => fill(spec, { volumeMode: 'Filesystem' })),
};

function onSpec(complete: (spec: JsonObject) => JsonObject): SpecDefaulter {
  return (object) => {
    const spec = objectOf(object['spec']);
    const defaulted = complete(spec);
    return defaulted === spec ? object : { ...object, spec: defaulted };
  };
}

/** One that says anything of its behavior has all of it written out. */
function defaultedAutoscaler(spec: JsonObject): JsonObject {
  const filled = fill(spec, { minReplicas: 1 });
  if (filled['behavior'] === undefined) return filled;
  const behavior = objectOf(filled['behavior']);
  return {
    ...filled,
    behavior: {
      ...behavior,
      scaleUp: fill(objectOf(behavior['scaleUp']), {
        stabilizationWindowSeconds: 0,
        selectPolicy: 'Max',
        policies: [
          { type: 'Pods', value: 4, periodSeconds: 15 },
          { type: 'Percent', value: 100, periodSeconds: 15 },
        ],
      }),
      scaleDown: fill(objectOf(behavior['scaleDown']), {
        selectPolicy: 'Max',
        policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }],
      }),
    },
  };
}

function withTemplate(spec: JsonObject): JsonObject {
  const template = defaultedTemplate(spec['template']);
  return template === spec['template'] ? spec : { ...spec, template };
}

function defaultedPod(spec: JsonObject): JsonObject {
  const account = spec['serviceAccountName'] ?? spec['serviceAccount'] ?? 'default';
  const filled = fill(defaultedPodSpec(spec), {
    serviceAccountName: account,
    serviceAccount: account,
    enableServiceLinks: true,
    priority: 0,
    preemptionPolicy: 'PreemptLowerPriority',
  });
  const tolerations = arrayOf(filled['tolerations']);
  const missing = NODE_TOLERATIONS.filter(({ key }) => !tolerations.some((given) => toleratesKey(given, key)));
  return missing.length === 0 ? filled : { ...filled, tolerations: [...tolerations, ...missing] };
}

function toleratesKey(toleration: unknown, key: string): boolean {
  return isObject(toleration) && (toleration['key'] === key || toleration['key'] === undefined);
}

function defaultedDeployment(spec: JsonObject): JsonObject {
  const filled = fill(spec, {
    replicas: 1,
    strategy: { type: 'RollingUpdate' },
    revisionHistoryLimit: 10,
    progressDeadlineSeconds: 600,
  });
  return withTemplate(withRollingUpdate(filled, 'strategy', { maxUnavailable: '25%', maxSurge: '25%' }));
}

/** The parameters of a rolling update, where the strategy is one. */
function withRollingUpdate(spec: JsonObject, field: string, parameters: JsonObject): JsonObject {
  const strategy = objectOf(spec[field]);
  const typed = fill(strategy, { type: 'RollingUpdate' });
  if (typed['type'] !== 'RollingUpdate') return spec;
  const given = objectOf(typed['rollingUpdate']);
  const complete = fill(given, parameters);
  if (complete === given && typed === strategy) return spec;
  return { ...spec, [field]: { ...typed, rollingUpdate: complete } };
}

function defaultedStatefulSet(spec: JsonObject): JsonObject {
  const filled = fill(spec, {
    replicas: 1,
    podManagementPolicy: 'OrderedReady',
    updateStrategy: { type: 'RollingUpdate' },
    revisionHistoryLimit: 10,
    persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Retain', whenScaled: 'Retain' },
  });
  return withTemplate(withRollingUpdate(filled, 'updateStrategy', { partition: 0 }));
}

function defaultedJob(spec: JsonObject): JsonObject {
  const counted = spec['completions'] === undefined && spec['parallelism'] === undefined;
  const filled = fill(spec, {
    ...(counted ? { completions: 1 } : {}),
    parallelism: 1,
    backoffLimit: 6,
    completionMode: 'NonIndexed',
    suspend: false,
    podReplacementPolicy: 'TerminatingOrFailed',
    manualSelector: false,
  });
  return withTemplate(filled);
}

/** A job finds its pods by its own uid unless its owner chose a selector. */
function withControllerLabels(job: KubeObject): KubeObject {
  const spec = objectOf(job['spec']);
  if (spec['manualSelector'] === true || spec['selector'] !== undefined) return job;
  const { uid, name } = job.metadata;
  const added = {
    'batch.kubernetes.io/controller-uid': uid,
    'batch.kubernetes.io/job-name': name,
    'controller-uid': uid,
    'job-name': name,
  };
  const template = objectOf(spec['template']);
  const templateMetadata = objectOf(template['metadata']);
  const labelled = { ...templateMetadata, labels: { ...objectOf(templateMetadata['labels']), ...added } };
  return {
    ...job,
    metadata: { ...job.metadata, labels: { ...job.metadata.labels, ...added } },
    spec: {
      ...spec,
      selector: { matchLabels: { 'batch.kubernetes.io/controller-uid': uid } },
      template: { ...template, metadata: labelled },
    },
  };
}

function withQualityOfService(pod: KubeObject): KubeObject {
  if (valueAt(pod, 'status', 'qosClass') !== undefined) return pod;
  const qosClass = qualityOfService(objectOf(pod['spec']));
  return { ...pod, status: { ...objectOf(pod['status']), qosClass } };
}

/** Guaranteed when every container limits what it requests, BestEffort when none asks for anything. */
function qualityOfService(spec: JsonObject): string {
  const resources = arrayOf(spec['containers']).map((container) => objectOf(valueAt(container, 'resources')));
  const asks = resources.flatMap(({ requests, limits }) => [
    ...Object.keys(objectOf(requests)),
    ...Object.keys(objectOf(limits)),
  ]);
  if (asks.length === 0) return 'BestEffort';
  const guaranteed = resources.every(({ requests, limits }) =>
    ['cpu', 'memory'].every((name) => {
      const limit = objectOf(limits)[name];
      return limit !== undefined && (objectOf(requests)[name] ?? limit) === limit;
    }),
  );
  return guaranteed ? 'Guaranteed' : 'Burstable';
}

/** A definition is established as soon as it is stored: nothing here has to accept its names first. */
function defaultedDefinition(definition: KubeObject): KubeObject {
  const spec = fill(objectOf(definition['spec']), { conversion: { strategy: 'None' } });
  const given = objectOf(spec['names']);
  const kind = String(given['kind'] ?? '');
  const names = fill(given, { singular: kind.toLowerCase(), listKind: `${kind}List` });
  const stored = arrayOf(spec['versions']).filter((version) => valueAt(version, 'storage') === true);
  const conditions = ['NamesAccepted', 'Established'].map((type) => ({
    type,
    status: 'True',
    reason: 'Embedded',
    message: '',
  }));
  const status = {
    acceptedNames: names,
    conditions,
    storedVersions: stored.map((version) => valueAt(version, 'name')),
  };
  return { ...definition, spec: { ...spec, names }, status: definition['status'] ?? status };
}

function defaultedCronJob(spec: JsonObject): JsonObject {
  const filled = fill(spec, {
    concurrencyPolicy: 'Allow',
    suspend: false,
    successfulJobsHistoryLimit: 3,
    failedJobsHistoryLimit: 1,
  });
  const jobTemplate = fill(objectOf(filled['jobTemplate']), { metadata: {} });
  const jobSpec = objectOf(jobTemplate['spec']);
  const completed = withTemplate(jobSpec);
  if (completed === jobSpec && jobTemplate === filled['jobTemplate']) return filled;
  return { ...filled, jobTemplate: { ...jobTemplate, spec: completed } };
}

function defaultedNamespace(namespace: KubeObject): KubeObject {
  const { name, labels } = namespace.metadata;
  const named = labels?.['kubernetes.io/metadata.name'] === name || name === undefined;
  const metadata = named
    ? namespace.metadata
    : { ...namespace.metadata, labels: { ...labels, 'kubernetes.io/metadata.name': name } };
  return { ...namespace, metadata, spec: fill(objectOf(namespace['spec']), { finalizers: ['kubernetes'] }) };
}

/** `stringData` is written only: its values land in `data`, encoded. */
function withDataFromText(secret: KubeObject): KubeObject {
  const { stringData, ...rest } = secret;
  if (!isObject(stringData)) return secret;
  const encoded = Object.entries(stringData).map(([key, value]) => [key, base64(String(value))]);
  return { ...rest, data: { ...objectOf(secret['data']), ...Object.fromEntries(encoded) } } as KubeObject;
}

function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}
