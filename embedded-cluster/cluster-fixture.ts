import type { Manifest } from './apply-objects.ts';
import { type Resource, type StoredOf, TypedStore } from './controllers/machinery/typed-store.ts';
import { EmbeddedCluster, type EmbeddedClusterOptions } from './embedded-cluster.ts';
import { seededRandom } from './seeded-random.ts';
import { VirtualClock } from './time/virtual-clock.ts';

// What the tests of this folder share: a cluster on a virtual clock, and short ways to write manifests.

/** Monday, eight o'clock UTC. */
export const monday = Date.UTC(2026, 0, 5, 8);

export class ClusterFixture {
  readonly clock = new VirtualClock(monday);
  readonly cluster: EmbeddedCluster;
  readonly store: TypedStore;

  constructor(options: Partial<EmbeddedClusterOptions> = {}) {
    this.cluster = new EmbeddedCluster({ clock: this.clock, random: seededRandom(1), ...options });
    this.store = new TypedStore(this.cluster.store);
    this.cluster.start();
  }

  apply(...objects: readonly Manifest[]): void {
    this.cluster.apply(objects);
  }

  /** Seconds of virtual time, and what the controllers make of them. */
  async pass(seconds: number): Promise<void> {
    await this.clock.advance(seconds * 1000);
  }

  /** Changes the spec of an object as a user would. */
  edit<R extends Resource>(resource: R, name: string, spec: object, namespace = 'shop'): void {
    const object = this.store.get(resource, namespace, name)!;
    this.store.update(resource, {
      ...object,
      spec: { ...object['spec' as keyof typeof object], ...spec },
    } as StoredOf<R>);
  }

  pods(namespace = 'shop') {
    return this.store.list('pods', namespace);
  }

  events(reason: string, namespace = 'shop'): string[] {
    return this.store
      .list('events', namespace)
      .flatMap((event) => (event.reason === reason ? [event.message ?? ''] : []));
  }
}

export interface WorkloadShape {
  readonly replicas?: number;
  readonly behaviour?: Readonly<Record<string, string>>;
  readonly spec?: Readonly<Record<string, unknown>>;
  readonly pod?: Readonly<Record<string, unknown>>;
  readonly container?: Readonly<Record<string, unknown>>;
  readonly image?: string;
}

export function podTemplate(name: string, { behaviour = {}, pod, container, image }: WorkloadShape = {}) {
  const annotations = Object.fromEntries(Object.entries(behaviour).map(([key, value]) => [`sim.svc.io/${key}`, value]));
  return {
    metadata: { labels: { app: name }, ...(Object.keys(annotations).length === 0 ? {} : { annotations }) },
    spec: { containers: [{ name: 'app', image: image ?? `${name}:1`, ...container }], ...pod },
  };
}

export function workload(kind: 'Deployment' | 'StatefulSet', name: string, shape: WorkloadShape = {}): Manifest {
  return {
    apiVersion: 'apps/v1',
    kind,
    metadata: { name, namespace: 'shop' },
    spec: {
      replicas: shape.replicas ?? 1,
      selector: { matchLabels: { app: name } },
      template: podTemplate(name, shape),
      ...(kind === 'StatefulSet' ? { serviceName: name } : {}),
      ...shape.spec,
    },
  };
}
