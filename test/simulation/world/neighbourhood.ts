import type { Manifest } from '../../../embedded-cluster/apply-objects.ts';
import type { EmbeddedCluster } from '../../../embedded-cluster/embedded-cluster.ts';
import { ApplicationController } from '../../../embedded-cluster/neighbours/argo-cd.ts';
import { RolloutsController } from '../../../embedded-cluster/neighbours/argo-rollouts.ts';
import { KustomizeController } from '../../../embedded-cluster/neighbours/flux.ts';
import { Keda } from '../../../embedded-cluster/neighbours/keda.ts';
import type { Neighbour } from '../../../embedded-cluster/neighbours/neighbour.ts';
import { Operator, postgresOperator, prometheusOperator } from '../../../embedded-cluster/neighbours/operator.ts';
import type { Clock } from '../../../embedded-cluster/ports/clock.ts';
import { seededRandom } from '../../../embedded-cluster/seeded-random.ts';
import { namespaceManifest, type WorkloadParts, workloadManifest } from '../../support/builders/manifests.ts';
import { definitionOf, type NeighbourKind, neighbour, storageOf } from '../../support/builders/neighbours.ts';
import type { Chance } from '../chance.ts';

/** A neighbour with what belongs to it: its kind, and the objects with which its owners install it. */
interface Installation {
  readonly kind: NeighbourKind;
  readonly objects: readonly Manifest[];
}

/** What a world with neighbours is drawn with: who is there, and what they apply. */
export interface NeighbourhoodPlan {
  readonly installations: readonly Installation[];
  readonly argo: ReadonlyMap<string, readonly Manifest[]>;
  readonly flux: ReadonlyMap<string, readonly Manifest[]>;
}

/** The kinds that the configuration names in such a world. */
export const neighbourKinds: readonly NeighbourKind[] = [
  'ScaledObject',
  'Rollout',
  'Kustomization',
  'Application',
  'postgresql',
  'Prometheus',
];

export function drawNeighbourhood(chance: Chance): NeighbourhoodPlan {
  const healing = { automated: { selfHeal: true } };
  const here = { server: 'https://kubernetes.default.svc' };
  const deployment = (namespace: string, name: string): Manifest =>
    workloadManifest({ kind: 'Deployment', namespace, name, replicas: chance.pick([1, 2, 3]) });
  const rollout = (place: string) => {
    const [namespace = '', name = ''] = place.split('/');
    const parts: WorkloadParts = { kind: 'Deployment', namespace, name, replicas: chance.pick([0, 1, 2]) };
    return neighbour('Rollout', place, { spec: workloadManifest(parts)['spec'] as Record<string, unknown> });
  };
  const scaled = (place: string, annotations: Readonly<Record<string, string>> = {}) => {
    const spec = {
      scaleTargetRef: { name: place.split('/')[1]! },
      minReplicaCount: chance.between(0, 1),
      maxReplicaCount: 4,
      pollingInterval: 300,
    };
    return neighbour('ScaledObject', place, { spec, annotations });
  };
  const held = chance.pick([{}, { 'autoscaling.keda.sh/paused-replicas': chance.pick(['0', '2']) }]);
  const suspend = chance.pick([{}, { suspend: false }, { suspend: true }]);
  return {
    installations: [
      { kind: 'ScaledObject', objects: [scaled('shop/worker'), scaled('blog/queue', held)] },
      { kind: 'Rollout', objects: [rollout('shop/canary'), rollout('data/green')] },
      {
        kind: 'Kustomization',
        objects: [
          neighbour('Kustomization', 'flux-system/apps', { spec: { interval: '10m', path: './apps' } }),
          neighbour('Kustomization', 'flux-system/held', { spec: { interval: '1h', ...suspend } }),
        ],
      },
      {
        kind: 'Application',
        objects: [
          neighbour('Application', 'argocd/shop', { spec: { destination: here, syncPolicy: healing } }),
          neighbour('Application', 'argocd/by-hand', { spec: { destination: here, syncPolicy: {} } }),
        ],
      },
      { kind: 'postgresql', objects: [neighbour('postgresql', 'data/orders', { spec: { numberOfInstances: 2 } })] },
      {
        kind: 'Prometheus',
        objects: [neighbour('Prometheus', 'data/metrics', { spec: chance.pick([{}, { replicas: 1 }]) })],
      },
    ],
    flux: new Map([
      ['flux-system/apps', [deployment('shop', 'cart'), deployment('blog', 'posts')]],
      ['flux-system/held', [deployment('data', 'batch')]],
    ]),
    argo: new Map([
      ['argocd/shop', [deployment('shop', 'web'), deployment('data', 'search')]],
      ['argocd/by-hand', [deployment('blog', 'feed')]],
    ]),
  };
}

/** Before the neighbours are started: what they scale or run beside the plain workloads. */
export function neighbourhoodObjects({ installations }: NeighbourhoodPlan): readonly Manifest[] {
  return [
    ...['argocd', 'flux-system'].map(namespaceManifest),
    workloadManifest({ kind: 'Deployment', namespace: 'shop', name: 'worker', replicas: 1 }),
    workloadManifest({ kind: 'Deployment', namespace: 'blog', name: 'queue', replicas: 1 }),
    ...installations.map(({ kind }) => definitionOf(kind)),
    ...installations.flatMap(({ objects }) => objects),
  ];
}

/** The neighbours of one cluster: they work, are killed, are removed with all that is theirs, and installed again. */
export class Neighbourhood {
  readonly #cluster: EmbeddedCluster;
  readonly #plan: NeighbourhoodPlan;
  readonly #controllers: ReadonlyMap<NeighbourKind, Neighbour>;

  constructor(
    place: { readonly cluster: EmbeddedCluster; readonly clock: Clock },
    plan: NeighbourhoodPlan,
    seed: number,
  ) {
    this.#cluster = place.cluster;
    this.#plan = plan;
    const options = { ...place, random: seededRandom(seed * 53 + 11) };
    this.#controllers = new Map<NeighbourKind, Neighbour>([
      ['ScaledObject', new Keda(options)],
      ['Rollout', new RolloutsController(options)],
      ['Kustomization', new KustomizeController(options, plan.flux)],
      ['Application', new ApplicationController(options, plan.argo)],
      ['postgresql', new Operator(options, postgresOperator)],
      ['Prometheus', new Operator(options, prometheusOperator)],
    ]);
    for (const controller of this.#controllers.values()) controller.start();
  }

  get kinds(): readonly NeighbourKind[] {
    return [...this.#controllers.keys()];
  }

  start(kind: NeighbourKind): void {
    if (this.isInstalled(kind)) this.#controllers.get(kind)!.start();
  }

  kill(kind: NeighbourKind): void {
    this.#controllers.get(kind)!.stop();
  }

  stop(): void {
    for (const controller of this.#controllers.values()) controller.stop();
  }

  isInstalled(kind: NeighbourKind): boolean {
    return this.#cluster.store.get(definitions, undefined, storageOf(kind)) !== undefined;
  }

  /** Its controller goes, and its definition with every object of it, as the apiserver does. */
  remove(kind: NeighbourKind): void {
    this.kill(kind);
    const { store, api } = this.#cluster;
    const resource = storageOf(kind);
    for (const { metadata } of [...store.list(resource)])
      store.delete(resource, metadata.namespace, metadata.name, { propagationPolicy: 'Background' });
    store.delete(definitions, undefined, resource);
    for (const { stream } of api.faults.openWatches((facts) => facts.resource === resource)) stream.end();
  }

  install(kind: NeighbourKind): void {
    const found = this.#plan.installations.find((one) => one.kind === kind)!;
    this.#cluster.apply([definitionOf(kind), ...found.objects]);
    this.start(kind);
  }
}

const definitions = 'customresourcedefinitions.apiextensions.k8s.io';
