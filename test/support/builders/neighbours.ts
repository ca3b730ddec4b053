import type { Manifest } from '../../../embedded-cluster/apply-objects.ts';
import type { onWhenNamed } from '../../../src/domain/kinds/kinds.ts';

// Custom resources of neighbours, as their own definitions have them: written down again, so that a slip in our table shows.

export type NeighbourKind = (typeof onWhenNamed)[number];

interface Definition {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
}

const definitions: Readonly<Record<NeighbourKind, Definition>> = {
  ScaledObject: { group: 'keda.sh', version: 'v1alpha1', plural: 'scaledobjects' },
  ScaledJob: { group: 'keda.sh', version: 'v1alpha1', plural: 'scaledjobs' },
  Rollout: { group: 'argoproj.io', version: 'v1alpha1', plural: 'rollouts' },
  Kustomization: { group: 'kustomize.toolkit.fluxcd.io', version: 'v1', plural: 'kustomizations' },
  Application: { group: 'argoproj.io', version: 'v1alpha1', plural: 'applications' },
  HelmRelease: { group: 'helm.toolkit.fluxcd.io', version: 'v2', plural: 'helmreleases' },
  Cluster: { group: 'postgresql.cnpg.io', version: 'v1', plural: 'clusters' },
  postgresql: { group: 'acid.zalan.do', version: 'v1', plural: 'postgresqls' },
  Prometheus: { group: 'monitoring.coreos.com', version: 'v1', plural: 'prometheuses' },
  KafkaConnect: { group: 'kafka.strimzi.io', version: 'v1', plural: 'kafkaconnects' },
  KafkaBridge: { group: 'kafka.strimzi.io', version: 'v1', plural: 'kafkabridges' },
  KafkaMirrorMaker2: { group: 'kafka.strimzi.io', version: 'v1', plural: 'kafkamirrormaker2s' },
  AutoscalingRunnerSet: { group: 'actions.github.com', version: 'v1alpha1', plural: 'autoscalingrunnersets' },
  DaemonSet: { group: 'apps', version: 'v1', plural: 'daemonsets' },
  HorizontalPodAutoscaler: { group: 'autoscaling', version: 'v2', plural: 'horizontalpodautoscalers' },
};

/** What every cluster has, and nobody defines. */
export function isBuiltIn(kind: NeighbourKind): boolean {
  return kind === 'DaemonSet' || kind === 'HorizontalPodAutoscaler';
}

/** Whatever their owners write: their own schemas are theirs. */
const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };

export function definitionOf(kind: NeighbourKind): Manifest {
  return customDefinition({ kind, ...definitions[kind] });
}

interface CustomKind extends Definition {
  readonly kind: string;
}

/** The definition of any kind of a namespace. */
export function customDefinition({ kind, group, version, plural }: CustomKind): Manifest {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural, kind },
      versions: [{ name: version, served: true, storage: true, schema, subresources: { status: {} } }],
    },
  };
}

/** Where the store of the embedded cluster keeps the kind. */
export function storageOf(kind: NeighbourKind): string {
  const { group, plural } = definitions[kind];
  return `${plural}.${group}`;
}

interface Parts {
  readonly annotations?: Readonly<Record<string, string>>;
  readonly spec?: Readonly<Record<string, unknown>>;
}

export function neighbour(kind: NeighbourKind, place: string, parts: Parts = {}): Manifest {
  return customObject({ kind, ...definitions[kind] }, place, parts);
}

/** An object of any kind of a namespace. */
export function customObject(
  { kind, group, version }: CustomKind,
  place: string,
  { annotations, spec = {} }: Parts = {},
): Manifest {
  const [namespace = '', name = ''] = place.split('/');
  const metadata = { namespace, name, ...(annotations === undefined ? {} : { annotations: { ...annotations } }) };
  return { apiVersion: `${group}/${version}`, kind, metadata, spec };
}
