import type { Manifest } from '../apply-objects.ts';
import { ClusterFixture, workload } from '../cluster-fixture.ts';
import type { KubeObject } from '../object-store.ts';
import { seededRandom } from '../seeded-random.ts';
import type { NeighbourOptions } from './neighbour.ts';
import { replicasOf } from './replicas.ts';

// What the tests of this folder share: a cluster with somebody's custom resources.

const definitions = {
  ScaledObject: ['keda.sh', 'v1alpha1', 'scaledobjects'],
  Rollout: ['argoproj.io', 'v1alpha1', 'rollouts'],
  Application: ['argoproj.io', 'v1alpha1', 'applications'],
  Kustomization: ['kustomize.toolkit.fluxcd.io', 'v1', 'kustomizations'],
  postgresql: ['acid.zalan.do', 'v1', 'postgresqls'],
  Prometheus: ['monitoring.coreos.com', 'v1', 'prometheuses'],
} as const;

type Kind = keyof typeof definitions;

export class NeighbourFixture extends ClusterFixture {
  readonly options: NeighbourOptions = { cluster: this.cluster, clock: this.clock, random: seededRandom(5) };

  constructor(...kinds: readonly Kind[]) {
    super({ events: 'none' });
    this.apply(...kinds.map(definition));
  }

  custom(kind: Kind, place: string, spec: object, annotations: Readonly<Record<string, string>> = {}): void {
    const [group, version] = definitions[kind];
    const [namespace = '', name = ''] = place.split('/');
    this.apply({
      apiVersion: `${group}/${version}`,
      kind,
      metadata: { namespace, name, annotations },
      spec: { ...spec },
    });
  }

  stored(kind: Kind, place: string): KubeObject {
    const [group, , plural] = definitions[kind];
    const [namespace = '', name = ''] = place.split('/');
    return this.cluster.store.get(`${plural}.${group}`, namespace, name)!;
  }

  /** As somebody edits it: the fields of `spec`, or the annotations; undefined takes one away. */
  change(kind: Kind, place: string, what: 'spec' | 'annotations', changes: Readonly<Record<string, unknown>>): void {
    const [group, , plural] = definitions[kind];
    const object = this.stored(kind, place);
    const before = (what === 'spec' ? object['spec'] : object.metadata.annotations) as object;
    const after = JSON.parse(JSON.stringify({ ...before, ...changes })) as Record<string, string>;
    const next =
      what === 'spec'
        ? { ...object, spec: after }
        : { ...object, metadata: { ...object.metadata, annotations: after } };
    this.cluster.store.update(`${plural}.${group}`, next);
  }

  deployment(name: string, replicas: number): void {
    this.apply(workload('Deployment', name, { replicas }));
  }

  scale(name: string, replicas: number, resource: 'deployments.apps' | 'statefulsets.apps' = 'deployments.apps'): void {
    this.edit(resource, name, { replicas });
  }

  replicas(name: string, resource = 'deployments.apps'): number {
    return replicasOf(this.cluster.store.get(resource, 'shop', name)!);
  }

  /** Who set the count, by the fields that the cluster tracks. */
  scaledBy(name: string): readonly string[] {
    const { managedFields = [] } = this.cluster.store.get('deployments.apps', 'shop', name)!.metadata as {
      managedFields?: readonly { manager: string; fieldsV1?: { 'f:spec'?: Record<string, unknown> } }[];
    };
    return managedFields
      .filter((one) => 'f:replicas' in (one.fieldsV1?.['f:spec'] ?? {}))
      .map(({ manager }) => manager);
  }
}

function definition(kind: Kind): Manifest {
  const [group, name, plural] = definitions[kind];
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural, kind },
      versions: [{ name, served: true, storage: true, subresources: { status: {} } }],
    },
  };
}
