import { readFileSync } from 'node:fs';
import type { Deployment } from 'kubernetes-types/apps/v1.d.ts';
import type { KubeClient } from '../../src/adapters/kubernetes/client/kube-client.ts';
import { objectPath, resources } from '../../src/adapters/kubernetes/client/resource-type.ts';
import { kubeconfigAccess } from '../../src/adapters/kubernetes/transport/access.ts';
import { annotations } from '../../src/domain/names.ts';
import { systemClock } from '../../src/platform/system-clock.ts';
import { sleep } from '../../src/ports/clock.ts';
import { type Identity, identity } from '../../test/cluster/harness/cluster-clients.ts';
import { type ControlPlane, startControlPlane } from '../../tools/cluster/control-plane.ts';
import type { BarePatch } from '../transitions/bare-loop.ts';
import { type Counts, lostCounts, type Way } from './progress.ts';

const namespaces = 10;
const atOneTime = 20;

export interface Seen {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly replicas: number;
  readonly observed: boolean;
  /** What is on it beside what it was made with. */
  readonly marks: Readonly<Record<string, string>>;
}

/**
 * Paused Deployments on a real control plane: what they ask for is all that happens to them. Nothing makes pods of them, whose making
 * would be measured with the tool; the controllers of the cluster look at each change, as they do in every cluster.
 */
export class PausedFleet {
  readonly plane: ControlPlane;
  readonly admin: Identity;
  /** What each was made with. */
  readonly counts: Counts;

  private constructor(plane: ControlPlane, admin: Identity, counts: Counts) {
    this.plane = plane;
    this.admin = admin;
    this.counts = counts;
  }

  static async start(workloads: number): Promise<PausedFleet> {
    const plane = await startControlPlane({ scheduler: false });
    try {
      const access = await kubeconfigAccess({ env: process.env, clock: systemClock, kubeconfig: plane.kubeconfig });
      const admin = identity(access);
      const all = Array.from({ length: workloads }, (_, index) => index);
      const counts = new Map(all.map((index) => [`team-${index % namespaces}/app-${index}`, 1 + (index % 4)]));
      for (let index = 0; index < namespaces; index++) {
        await admin.client.create(resources.namespaces, undefined, { metadata: { name: `team-${index}` } });
      }
      const fleet = new PausedFleet(plane, admin, counts);
      await fleet.#make([...counts.keys()]);
      await fleet.observed();
      return fleet;
    } catch (error) {
      await plane.stop();
      throw error;
    }
  }

  get client(): KubeClient {
    return this.admin.client;
  }

  get ca(): string {
    return readFileSync(this.plane.caFile, 'utf8');
  }

  /** Its process. */
  async apiserver(): Promise<number> {
    const found = (await this.plane.processes()).find(({ name }) => name === 'kube-apiserver');
    if (found === undefined) throw new Error('A control plane has an apiserver.');
    return found.pid;
  }

  /** Where that way leads to. */
  goal(way: Way): Counts {
    return way === 'up' ? this.counts : new Map([...this.counts.keys()].map((key) => [key, 0]));
  }

  async look(): Promise<{ readonly items: readonly Seen[]; readonly resourceVersion: string }> {
    return this.client.list(resources.deployments, { pageSize: 500, project: seen });
  }

  async lost(): Promise<readonly string[]> {
    return lostCounts(this.counts, countsOf((await this.look()).items));
  }

  /** The controllers of the cluster have seen the last change of each, and write nothing more. */
  async observed(): Promise<readonly Seen[]> {
    for (;;) {
      const { items } = await this.look();
      if (items.every((one) => one.observed)) return items;
      await sleep(systemClock, 200);
    }
  }

  /**
   * The patches that our controller would send on that way, on the versions that hold now. A count is kept on its object, and up it is
   * read from there: who is killed has lost none.
   */
  async patches(way: Way): Promise<readonly BarePatch[]> {
    const all = await this.observed();
    return way === 'down'
      ? all.filter(({ replicas }) => replicas > 0).map((one) => patch(one, 0, [String(one.replicas), one.uid]))
      : all.flatMap((one) => {
          const count = one.marks[annotations.hibernatedReplicas];
          return count === undefined ? [] : [patch(one, Number(count), [null, null])];
        });
  }

  /** Whatever a tool has lost or left behind is made anew, so that the next one finds what the first one found. */
  async restore(): Promise<void> {
    const { items } = await this.look();
    const as = new Map(items.map((one) => [keyOf(one), one]));
    const wrong = [...this.counts].filter(([key, count]) => {
      const one = as.get(key);
      return one === undefined || one.replicas !== count || Object.keys(one.marks).length > 0;
    });
    const keys = wrong.map(([key]) => key);
    await each(
      keys.filter((key) => as.has(key)),
      (ref) => this.client.delete(resources.deployments, ref),
    );
    await this.#make(keys);
    await this.observed();
  }

  stop(): Promise<void> {
    return this.plane.stop();
  }

  #make(keys: readonly string[]): Promise<void> {
    return each(keys, async ({ namespace, name }) => {
      const one = deployment(name, this.counts.get(`${namespace}/${name}`)!);
      await this.client.create(resources.deployments, namespace, one);
    });
  }
}

async function each(
  keys: readonly string[],
  act: (ref: { readonly namespace: string; readonly name: string }) => Promise<void>,
): Promise<void> {
  let next = 0;
  const lane = async () => {
    while (next < keys.length) {
      const [namespace = '', name = ''] = keys[next++]!.split('/');
      await act({ namespace, name });
    }
  };
  await Promise.all(Array.from({ length: atOneTime }, lane));
}

export function countsOf(all: readonly Seen[]): Counts {
  return new Map(all.map((one) => [keyOf(one), one.replicas]));
}

export function keyOf({ namespace, name }: { readonly namespace: string; readonly name: string }): string {
  return `${namespace}/${name}`;
}

export function seen({ metadata, spec, status }: Deployment): Seen {
  return {
    namespace: metadata?.namespace ?? '',
    name: metadata?.name ?? '',
    uid: metadata?.uid ?? '',
    resourceVersion: metadata?.resourceVersion ?? '',
    replicas: spec?.replicas ?? 1,
    observed: status?.observedGeneration === metadata?.generation,
    marks: Object.fromEntries(
      Object.entries(metadata?.annotations ?? {}).filter(([name]) => !name.startsWith('deployment.kubernetes.io/')),
    ),
  };
}

function patch(
  { resourceVersion, ...ref }: Seen,
  replicas: number,
  [count, uid]: readonly [string, string] | readonly [null, null],
): BarePatch {
  const marks = { [annotations.hibernatedReplicas]: count, [annotations.markedUid]: uid };
  return {
    path: `${objectPath(resources.deployments, ref)}?fieldManager=bare-loop`,
    body: JSON.stringify({ metadata: { resourceVersion, annotations: marks }, spec: { replicas } }),
  };
}

function deployment(name: string, replicas: number): Deployment {
  const labels = { app: name };
  const template = {
    metadata: { labels },
    spec: { containers: [{ name: 'main', image: 'registry.example.com/app:1' }] },
  };
  return { metadata: { name, labels }, spec: { replicas, paused: true, selector: { matchLabels: labels }, template } };
}
