import type { KindRow } from './kind-row.ts';

/** Every kind that the service can put to sleep, one row each, those of every cluster first. */
export const kinds = {
  Deployment: {
    group: 'apps',
    version: 'v1',
    plural: 'deployments',
    short: 'deploy',
    on: 'always',
    sleep: { by: 'scale', pointer: '/spec/replicas' },
    runs: { pods: { through: 'ReplicaSet', hashLabel: 'pod-template-hash' } },
  },
  StatefulSet: {
    group: 'apps',
    version: 'v1',
    plural: 'statefulsets',
    short: 'sts',
    on: 'always',
    sleep: { by: 'scale', pointer: '/spec/replicas' },
    runs: { pods: { through: 'itself' } },
  },
  CronJob: {
    group: 'batch',
    version: 'v1',
    plural: 'cronjobs',
    short: 'cj',
    on: 'always',
    sleep: { by: 'field', pointer: '/spec/suspend', value: true, filledIn: false },
    runs: 'jobs',
  },
  // KEDA takes its target to this count and stops scaling it; without the annotation it scales as its triggers say. An owner
  // who pauses at another count has it back.
  ScaledObject: {
    group: 'keda.sh',
    version: 'v1alpha1',
    plural: 'scaledobjects',
    short: 'so',
    on: 'named',
    sleep: { by: 'annotation', name: 'autoscaling.keda.sh/paused-replicas', value: '0' },
    // With the first KEDA leaves its target as it stands, with the second it does not raise it.
    frozenBy: ['autoscaling.keda.sh/paused', 'autoscaling.keda.sh/paused-scale-out'],
  },
  // KEDA starts no further jobs; those that run go on.
  ScaledJob: {
    group: 'keda.sh',
    version: 'v1alpha1',
    plural: 'scaledjobs',
    on: 'named',
    sleep: { by: 'annotation', name: 'autoscaling.keda.sh/paused', value: 'true' },
  },
  // Argo Rollouts' own Deployment. One that names a Deployment takes its template from there and runs the pods itself.
  Rollout: {
    group: 'argoproj.io',
    version: 'v1alpha1',
    plural: 'rollouts',
    on: 'named',
    sleep: { by: 'scale', pointer: '/spec/replicas' },
    drives: '/spec/workloadRef',
    runs: { pods: { through: 'ReplicaSet', hashLabel: 'rollouts-pod-template-hash' } },
  },
  // CloudNativePG shuts the database down and keeps its volumes.
  Cluster: {
    group: 'postgresql.cnpg.io',
    version: 'v1',
    plural: 'clusters',
    on: 'named',
    sleep: { by: 'annotation', name: 'cnpg.io/hibernation', value: 'on' },
  },
  // Operators that run nothing when they are asked for none. Their pods are their own affair: a wake does not wait for them.
  postgresql: {
    group: 'acid.zalan.do',
    version: 'v1',
    plural: 'postgresqls',
    on: 'named',
    sleep: { by: 'field', pointer: '/spec/numberOfInstances', value: 0 },
  },
  Prometheus: {
    group: 'monitoring.coreos.com',
    version: 'v1',
    plural: 'prometheuses',
    on: 'named',
    sleep: { by: 'field', pointer: '/spec/replicas', value: 0 },
  },
  // Of Strimzi, those that hold no data: brokers cannot be asked to be none.
  KafkaConnect: {
    group: 'kafka.strimzi.io',
    version: 'v1',
    plural: 'kafkaconnects',
    on: 'named',
    sleep: { by: 'field', pointer: '/spec/replicas', value: 0 },
  },
  KafkaBridge: {
    group: 'kafka.strimzi.io',
    version: 'v1',
    plural: 'kafkabridges',
    on: 'named',
    sleep: { by: 'field', pointer: '/spec/replicas', value: 0 },
  },
  KafkaMirrorMaker2: {
    group: 'kafka.strimzi.io',
    version: 'v1',
    plural: 'kafkamirrormaker2s',
    on: 'named',
    sleep: { by: 'field', pointer: '/spec/replicas', value: 0 },
  },
  AutoscalingRunnerSet: {
    group: 'actions.github.com',
    version: 'v1alpha1',
    plural: 'autoscalingrunnersets',
    on: 'named',
    sleep: { by: 'field', pointer: '/spec/maxRunners', value: 0 },
    floor: '/spec/minRunners',
  },
  // It has no count: no node carries the label that it asks for while it sleeps.
  DaemonSet: {
    group: 'apps',
    version: 'v1',
    plural: 'daemonsets',
    short: 'ds',
    on: 'named',
    sleep: { by: 'field', pointer: '/spec/template/spec/nodeSelector/svc.io~1asleep', value: 'true' },
    writtenAlong: ['deprecated.daemonset.template.generation'],
  },
  // One that has scaled its target to zero by itself raises it again from there, and at once when minReplicas is raised (KEP-2021).
  // With this policy it raises nothing; every other autoscaler rests while its target is at zero.
  HorizontalPodAutoscaler: {
    group: 'autoscaling',
    version: 'v2',
    plural: 'horizontalpodautoscalers',
    short: 'hpa',
    on: 'named',
    sleep: {
      by: 'field',
      pointer: '/spec/behavior/scaleUp/selectPolicy',
      value: 'Disabled',
      within: {
        pointer: '/spec/behavior',
        filled: {
          scaleUp: {
            stabilizationWindowSeconds: 0,
            selectPolicy: 'Disabled',
            policies: [
              { type: 'Pods', value: 4, periodSeconds: 15 },
              { type: 'Percent', value: 100, periodSeconds: 15 },
            ],
          },
          scaleDown: { selectPolicy: 'Max', policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }] },
        },
      },
    },
    applies: {
      known: 'by its target',
      target: '/spec/scaleTargetRef',
      least: '/spec/minReplicas',
      managers: ['kube-controller-manager'],
    },
  },
  // Flux leaves a suspended object as it is; the field is absent unless somebody set it.
  Kustomization: {
    group: 'kustomize.toolkit.fluxcd.io',
    version: 'v1',
    plural: 'kustomizations',
    short: 'ks',
    on: 'named',
    sleep: { by: 'field', pointer: '/spec/suspend', value: true },
    applies: {
      known: 'by labels',
      nameLabel: 'kustomize.toolkit.fluxcd.io/name',
      namespaceLabel: 'kustomize.toolkit.fluxcd.io/namespace',
      managers: ['kustomize-controller'],
    },
  },
  HelmRelease: {
    group: 'helm.toolkit.fluxcd.io',
    version: 'v2',
    plural: 'helmreleases',
    short: 'hr',
    on: 'named',
    sleep: { by: 'field', pointer: '/spec/suspend', value: true },
    applies: {
      known: 'by labels',
      nameLabel: 'helm.toolkit.fluxcd.io/name',
      namespaceLabel: 'helm.toolkit.fluxcd.io/namespace',
      managers: ['helm-controller'],
    },
  },
  // Argo CD does nothing at all with such an Application, which is more than its self-heal: alpha since 2.7.
  Application: {
    group: 'argoproj.io',
    version: 'v1alpha1',
    plural: 'applications',
    on: 'named',
    sleep: { by: 'annotation', name: 'argocd.argoproj.io/skip-reconcile', value: 'true' },
    // The first as it applies by default, the second where it applies on the server.
    applies: { known: 'by its own list', managers: ['argocd-application-controller', 'argocd-controller'] },
  },
} as const satisfies Readonly<Record<string, KindRow>>;

type Kinds = typeof kinds;
/** A kind of the table. */
export type BuiltInKind = keyof Kinds;
/** A kind of the table, or one that the configuration describes: that is always switched. */
export type WorkloadKind = string;
/** Kinds that sleep by a count. */
export type ScalableKind = {
  [K in BuiltInKind]: Kinds[K]['sleep']['by'] extends 'scale' ? K : never;
}[BuiltInKind];
/** Kinds that are left alone unless the configuration names them. */
export type NamedKind = { [K in BuiltInKind]: Kinds[K]['on'] extends 'named' ? K : never }[BuiltInKind];

/** In the order of the table, which is the order in which people read them. */
export const kindNames = Object.keys(kinds) as [BuiltInKind, ...BuiltInKind[]];

/** Kinds of every cluster, which are always ours to scale. */
export const alwaysOn: readonly BuiltInKind[] = kindNames.filter((kind) => kinds[kind].on === 'always');

/** What `config.targeting.kinds` may name. */
export const onWhenNamed = kindNames.filter((kind): kind is NamedKind => kinds[kind].on === 'named');

export function rowOf(kind: BuiltInKind): KindRow {
  return kinds[kind];
}

const builtIn: ReadonlyMap<string, KindRow> = new Map(Object.entries(kinds));

/** The row of a kind of the table; undefined for any other. */
export function builtInRow(kind: WorkloadKind): KindRow | undefined {
  return builtIn.get(kind);
}

export function isScalableKind(kind: WorkloadKind): kind is ScalableKind {
  return builtIn.get(kind)?.sleep.by === 'scale';
}

/** Whether only the configuration makes it ours: the cluster may not have it, and we may not be allowed to read it. */
export function isOnWhenNamed(kind: WorkloadKind): boolean {
  return builtIn.get(kind)?.on !== 'always';
}

/** Whether it applies other workloads, so that it is quieted before them and given back after them. */
export function appliesOthers(kind: WorkloadKind): boolean {
  return builtIn.get(kind)?.applies !== undefined;
}

/** Whether it scales one other workload, which it may raise from zero. */
export function scalesAnother(kind: WorkloadKind): boolean {
  return builtIn.get(kind)?.applies?.known === 'by its target';
}

/** What an object of the kind runs. A name from elsewhere may be no kind of the table: that runs nothing that we know of. */
export function runsOf(kind: WorkloadKind): KindRow['runs'] {
  return builtIn.get(kind)?.runs;
}

/** Whether objects of the kind have pods of their own, which tell when they are up. */
export function runsPods(kind: WorkloadKind): boolean {
  return typeof runsOf(kind) === 'object';
}

/** `Deployment, StatefulSet or CronJob`, for sentences that say what would be right. */
export function listed(names: readonly string[]): string {
  return `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
}
