import { readFileSync } from 'node:fs';
import type { Deployment } from 'kubernetes-types/apps/v1.d.ts';
import type { KubeClient } from '../../src/adapters/kubernetes/client/kube-client.ts';
import { objectPath, resources } from '../../src/adapters/kubernetes/client/resource-type.ts';
import { kubeconfigAccess } from '../../src/adapters/kubernetes/transport/access.ts';
import { configTextKey } from '../../src/config/config.ts';
import { annotations, configMaps } from '../../src/domain/names.ts';
import { systemClock } from '../../src/platform/system-clock.ts';
import { sleep } from '../../src/ports/clock.ts';
import { identity } from '../../test/cluster/harness/cluster-clients.ts';
import { type ControlPlane, startControlPlane } from '../../tools/cluster/control-plane.ts';
import type { BarePatch } from './bare-loop.ts';
import type { Direction } from './figures.ts';

export const releaseNamespace = 'svc';
const namespaces = 10;
const creators = 20;
const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];

interface Seen {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly replicas: number;
  readonly statusReplicas: number;
  readonly ready: number;
  readonly observed: boolean;
}

/** A real control plane with Deployments of one replica each. */
export class WorkloadCluster {
  readonly plane: ControlPlane;
  readonly #client: KubeClient;
  #workloads = 0;

  private constructor(plane: ControlPlane, client: KubeClient) {
    this.plane = plane;
    this.#client = client;
  }

  static async start(): Promise<WorkloadCluster> {
    const plane = await startControlPlane({ nodes: 5 });
    const access = await kubeconfigAccess({ env: process.env, clock: systemClock, kubeconfig: plane.kubeconfig });
    const cluster = new WorkloadCluster(plane, identity(access).client);
    await cluster.#namespace(releaseNamespace);
    for (let index = 0; index < namespaces; index++) await cluster.#namespace(`team-${index}`);
    const data = { [configTextKey]: configText('wake') };
    await cluster.#client.create(resources.configMaps, releaseNamespace, {
      metadata: { name: configMaps.config },
      data,
    });
    return cluster;
  }

  get ca(): string {
    return readFileSync(this.plane.caFile, 'utf8');
  }

  /** Creates what is missing up to that many, and waits until all of them run. */
  async grow(count: number): Promise<void> {
    const missing = Array.from({ length: count - this.#workloads }, (_, index) => this.#workloads + index);
    let next = 0;
    const lane = async () => {
      while (next < missing.length) {
        const index = missing[next++]!;
        await this.#client.create(resources.deployments, `team-${index % namespaces}`, deployment(`app-${index}`));
      }
    };
    await Promise.all(Array.from({ length: creators }, lane));
    this.#workloads = count;
    await this.settled('wake');
  }

  /** Working hours all week, or none: the controller goes there at once. */
  async order(direction: Direction): Promise<void> {
    const body = { data: { [configTextKey]: configText(direction) } };
    const ref = { namespace: releaseNamespace, name: configMaps.config };
    await this.#client.patch(resources.configMaps, ref, { type: 'merge', body });
  }

  /** Waits until the cluster has done what the counts ask for. */
  async settled(direction: Direction): Promise<void> {
    const wanted = direction === 'wake' ? 1 : 0;
    for (;;) {
      const all = await this.#look();
      const done = all.filter((one) => {
        return one.observed && one.replicas === wanted && one.statusReplicas === wanted && one.ready === wanted;
      });
      if (done.length === this.#workloads) return;
      await sleep(systemClock, 500);
    }
  }

  /** Waits until the controller, too, says that it is there, and has told so: what it still writes of this one is not the next one's. */
  async recorded(direction: Direction): Promise<void> {
    const ref = { namespace: releaseNamespace, name: configMaps.state };
    for (;;) {
      const { data } = await this.#client.get(resources.configMaps, ref);
      const { phase } = JSON.parse(data?.['phase'] ?? '{}') as { phase?: string };
      const ended = phase === (direction === 'wake' ? 'awake' : 'hibernated') && data?.['transition'] === undefined;
      if (ended && data?.['outbox'] === undefined) return;
      await sleep(systemClock, 250);
    }
  }

  /** The patches that the controller would send, on the versions that hold now. */
  async patches(direction: Direction): Promise<readonly BarePatch[]> {
    return (await this.#look()).map(({ namespace, name, uid, resourceVersion }) => {
      const marks =
        direction === 'hibernate'
          ? { [annotations.hibernatedReplicas]: '1', [annotations.markedUid]: uid }
          : { [annotations.hibernatedReplicas]: null, [annotations.markedUid]: null };
      const spec = { replicas: direction === 'hibernate' ? 0 : 1 };
      return {
        path: `${objectPath(resources.deployments, { namespace, name })}?fieldManager=bare-loop`,
        body: JSON.stringify({ metadata: { resourceVersion, annotations: marks }, spec }),
      };
    });
  }

  stop(): Promise<void> {
    return this.plane.stop();
  }

  async #look(): Promise<readonly Seen[]> {
    return (await this.#client.list(resources.deployments, { pageSize: 500, project: seen })).items;
  }

  async #namespace(name: string): Promise<void> {
    await this.#client.create(resources.namespaces, undefined, { metadata: { name } });
  }
}

function seen({ metadata, spec, status }: Deployment): Seen {
  return {
    namespace: metadata?.namespace ?? '',
    name: metadata?.name ?? '',
    uid: metadata?.uid ?? '',
    resourceVersion: metadata?.resourceVersion ?? '',
    replicas: spec?.replicas ?? 1,
    statusReplicas: status?.replicas ?? 0,
    ready: status?.readyReplicas ?? 0,
    observed: status?.observedGeneration === metadata?.generation,
  };
}

function configText(direction: Direction): string {
  const schedule = Object.fromEntries(days.map((day) => [day, direction === 'wake' ? 'on' : 'off']));
  return JSON.stringify({
    clusterName: 'bench',
    externalUrl: 'https://svc.example.com',
    workingHours: { schedule },
  });
}

function deployment(name: string): Deployment {
  const labels = { app: name };
  return {
    metadata: { name, labels },
    spec: {
      replicas: 1,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels, annotations: { 'sim.svc.io/terminate-seconds': '0', 'sim.svc.io/pull-seconds': '0' } },
        spec: { containers: [{ name: 'main', image: 'registry.example.com/app:1' }] },
      },
    },
  };
}
