import type { Manifest } from '../../embedded-cluster/apply-objects.ts';
import { namespaceManifest, workloadManifest } from '../../test/support/builders/manifests.ts';
import { definitionOf, type NeighbourKind, neighbour } from '../../test/support/builders/neighbours.ts';
import type { Group } from './figures.ts';

/** One workload of the fleet: what runs pods or jobs, whoever keeps it. */
export interface Member {
  readonly group: Group;
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
}

export interface Fleet {
  readonly members: readonly Member[];
  readonly kinds: readonly NeighbourKind[];
  readonly objects: readonly Manifest[];
  /** What the repositories of Argo CD and Flux hold, by Application and by Kustomization. */
  readonly argo: ReadonlyMap<string, readonly Manifest[]>;
  readonly flux: ReadonlyMap<string, readonly Manifest[]>;
  /** How many objects we have to write to, to put all of it to sleep. */
  readonly sleepers: number;
}

const kinds: readonly NeighbourKind[] = [
  'ScaledObject',
  'Rollout',
  'Kustomization',
  'Application',
  'postgresql',
  'Prometheus',
];

/** An Application and a Kustomization that apply nothing that sleeps. */
const idle = ['argocd/infra', 'flux-system/infra'] as const;
const teams = 10;
const underOne = 10;
/** Of ten, one after the other: 40 % plain, 20 % KEDA, 10 % Rollouts, 20 % under GitOps, 10 % operators. */
const mix: readonly Group[] = [
  ...Array<Group>(4).fill('plain'),
  'KEDA',
  'KEDA',
  'Rollouts',
  'GitOps',
  'GitOps',
  'operators',
];

export function fleetOf(workloads: number): Fleet {
  const build = new Build();
  for (let index = 0; index < workloads; index++) build.add(mix[index % mix.length]!, index);
  return build.fleet();
}

class Build {
  readonly #members: Member[] = [];
  readonly #objects: Manifest[] = [...kinds.map(definitionOf), ...['argocd', 'flux-system'].map(namespaceManifest)];
  readonly #argo = new Map<string, Manifest[]>();
  readonly #flux = new Map<string, Manifest[]>();
  #sleepers = 0;
  #gitOps = 0;

  constructor() {
    for (let team = 0; team < teams; team++) this.#objects.push(namespaceManifest(`team-${team}`));
  }

  fleet(): Fleet {
    this.#infrastructure();
    const appliers = [
      ...[...this.#argo.keys()].map((place) => neighbour('Application', place, { spec: application })),
      ...[...this.#flux.keys()].map((place) =>
        neighbour('Kustomization', place, { spec: { interval: '5m', path: './' } }),
      ),
    ];
    return {
      members: this.#members,
      kinds,
      objects: [...this.#objects, ...appliers],
      argo: this.#argo,
      flux: this.#flux,
      sleepers: this.#sleepers + appliers.length - idle.length,
    };
  }

  /** What sleeps for nobody: its appliers are left alone, and at work all night. */
  #infrastructure(): void {
    const annotations = { 'svc.io/exclude': 'true' };
    for (const [place, repository] of [
      [idle[0], this.#argo],
      [idle[1], this.#flux],
    ] as const) {
      const name = place.replace('/', '-');
      repository.set(place, [workloadManifest({ kind: 'Deployment', namespace: 'team-0', name, annotations })]);
    }
  }

  add(group: Group, index: number): void {
    const namespace = `team-${Math.floor(index / mix.length) % teams}`;
    const name = `workload-${index}`;
    this.#sleepers++;
    if (group === 'plain') this.#plain(namespace, name, index);
    else if (group === 'KEDA') this.#scaled(namespace, name, index);
    else if (group === 'Rollouts') this.#rollout(namespace, name, index);
    else if (group === 'GitOps') this.#applied(namespace, name, index);
    else this.#operated(namespace, name, index);
  }

  #member(group: Group, resource: string, namespace: string, name: string): void {
    this.#members.push({ group, resource, namespace, name });
  }

  #plain(namespace: string, name: string, index: number): void {
    const turn = Math.floor(index / mix.length) % 10;
    const kind = turn === 9 ? 'CronJob' : turn >= 7 ? 'StatefulSet' : 'Deployment';
    const resource = { CronJob: 'cronjobs.batch', StatefulSet: 'statefulsets.apps', Deployment: 'deployments.apps' }[
      kind
    ];
    this.#member('plain', resource, namespace, name);
    const annotations = { 'example.com/team': namespace };
    this.#objects.push(workloadManifest({ kind, namespace, name, replicas: countOf(index), annotations }));
  }

  #scaled(namespace: string, name: string, index: number): void {
    this.#member('KEDA', 'deployments.apps', namespace, name);
    const spec = {
      scaleTargetRef: { name },
      minReplicaCount: index % 2,
      maxReplicaCount: 4,
      triggers: [{ type: 'cron' }],
    };
    const annotations = { 'example.com/queue': name };
    this.#objects.push(
      workloadManifest({ kind: 'Deployment', namespace, name, replicas: 1 }),
      neighbour('ScaledObject', `${namespace}/${name}`, { spec, annotations }),
    );
  }

  #rollout(namespace: string, name: string, index: number): void {
    this.#member('Rollouts', 'rollouts.argoproj.io', namespace, name);
    const pods = workloadManifest({ kind: 'Deployment', namespace, name, replicas: countOf(index) });
    const steps = { strategy: { canary: { steps: [{ setWeight: 20 }, { pause: {} }] } } };
    this.#objects.push(
      neighbour('Rollout', `${namespace}/${name}`, { spec: { ...(pods['spec'] as object), ...steps } }),
    );
  }

  #applied(namespace: string, name: string, index: number): void {
    this.#member('GitOps', 'deployments.apps', namespace, name);
    const nth = this.#gitOps++;
    const [repository, home] =
      nth % 2 === 0 ? ([this.#argo, 'argocd'] as const) : ([this.#flux, 'flux-system'] as const);
    const place = `${home}/apps-${Math.floor(nth / 2 / underOne)}`;
    const manifest = workloadManifest({ kind: 'Deployment', namespace, name, replicas: countOf(index) });
    repository.set(place, [...(repository.get(place) ?? []), manifest]);
  }

  #operated(namespace: string, name: string, index: number): void {
    this.#member('operators', 'statefulsets.apps', namespace, name);
    const place = `${namespace}/${name}`;
    const turn = Math.floor(index / mix.length) % 3;
    if (turn === 0) this.#objects.push(neighbour('postgresql', place, { spec: { numberOfInstances: countOf(index) } }));
    // An absent count comes back as absent.
    else
      this.#objects.push(neighbour('Prometheus', place, { spec: turn === 1 ? { retention: '7d' } : { replicas: 2 } }));
  }
}

const application = {
  project: 'default',
  destination: { server: 'https://kubernetes.default.svc' },
  syncPolicy: { automated: { selfHeal: true, prune: true } },
};

function countOf(index: number): number {
  return 1 + (index % 3);
}
