import type { Deployment } from 'kubernetes-types/apps/v1.d.ts';
import { isNotFound } from '../../src/adapters/kubernetes/client/errors.ts';
import { resources } from '../../src/adapters/kubernetes/client/resource-type.ts';
import { kubeconfigAccess } from '../../src/adapters/kubernetes/transport/access.ts';
import { configTextKey } from '../../src/config/config.ts';
import { configMaps } from '../../src/domain/names.ts';
import { systemClock } from '../../src/platform/system-clock.ts';
import { sleep } from '../../src/ports/clock.ts';
import { type Identity, identity } from '../../test/cluster/harness/cluster-clients.ts';
import { type ControlPlane, startControlPlane } from '../../tools/cluster/control-plane.ts';
import { after, type Deed, teams, type Wishes, wrong } from './owners.ts';

export const releaseNamespace = 'svc';
export const admin = 'ada@example.com';
const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
const withinMs = 180_000;

/** A real control plane with nodes that run pods, its Deployments, and their owners. */
export class SoakCluster {
  readonly plane: ControlPlane;
  readonly admin: Identity;
  wishes: Wishes = new Map();
  /** Names are never used twice: whoever confuses two of the same name is found elsewhere. */
  made = 0;

  private constructor(plane: ControlPlane, admin: Identity) {
    this.plane = plane;
    this.admin = admin;
  }

  static async start(): Promise<SoakCluster> {
    const plane = await startControlPlane({ nodes: 5 });
    const access = await kubeconfigAccess({ env: process.env, clock: systemClock, kubeconfig: plane.kubeconfig });
    const cluster = new SoakCluster(plane, identity(access));
    const { client } = cluster.admin;
    for (const name of [releaseNamespace, ...teams]) {
      await client.create(resources.namespaces, undefined, { metadata: { name } });
    }
    const data = { [configTextKey]: JSON.stringify(config) };
    await client.create(resources.configMaps, releaseNamespace, { metadata: { name: configMaps.config }, data });
    return cluster;
  }

  /** What owners do; they want it from then on. */
  async act(deeds: readonly Deed[]): Promise<void> {
    for (const one of deeds) await this.#do(one);
    this.wishes = after(this.wishes, deeds);
    this.made += deeds.filter(({ deed }) => deed === 'create').length;
  }

  /** Until the state says so, and what that is not so of then. */
  async asleep(): Promise<readonly string[]> {
    await this.#reached('hibernated');
    return wrong(new Map([...this.wishes.keys()].map((key) => [key, 0])), await this.#counts());
  }

  async awake(): Promise<readonly string[]> {
    await this.#reached('awake');
    return wrong(this.wishes, await this.#counts());
  }

  async #do(one: Deed): Promise<void> {
    const [namespace = '', name = ''] = one.key.split('/');
    const { client } = this.admin;
    if (one.deed === 'create') await client.create(resources.deployments, namespace, deployment(name, one.count));
    else if (one.deed === 'delete') await client.delete(resources.deployments, { namespace, name });
    else {
      const body = { spec: { replicas: one.count } };
      await client.patch(resources.deployments, { namespace, name }, { type: 'merge', body });
    }
  }

  async #reached(wanted: 'awake' | 'hibernated'): Promise<void> {
    const deadline = systemClock.monotonic() + withinMs;
    while (!(await this.#is(wanted))) {
      if (systemClock.monotonic() > deadline) throw new Error(`It was not ${wanted} in ${withinMs / 1000} s.`);
      await sleep(systemClock, 250);
    }
  }

  async #is(wanted: 'awake' | 'hibernated'): Promise<boolean> {
    const ref = { namespace: releaseNamespace, name: configMaps.state };
    const state = await this.admin.client.get(resources.configMaps, ref).catch((error: unknown) => {
      if (isNotFound(error)) return undefined;
      throw error;
    });
    const { phase } = JSON.parse(state?.data?.['phase'] ?? '{}') as { phase?: string };
    return phase === wanted && state?.data?.['transition'] === undefined;
  }

  async #counts(): Promise<Wishes> {
    const project = ({ metadata, spec }: Deployment) =>
      [`${metadata?.namespace}/${metadata?.name}`, spec?.replicas ?? 1] as const;
    return new Map((await this.admin.client.list(resources.deployments, { pageSize: 500, project })).items);
  }
}

/**
 * Working hours all week: who puts it to sleep and wakes it are people, through the API. A schedule pressed into an hour would need
 * another configuration each half hour, which no cluster has; the acts of people take the same way from the state on.
 */
const config = {
  clusterName: 'soak',
  externalUrl: 'https://svc.example.com',
  auth: { adminUsers: [admin] },
  workingHours: { timezone: 'UTC', schedule: Object.fromEntries(days.map((name) => [name, 'on'])) },
};

function deployment(name: string, replicas: number): Deployment {
  const labels = { app: name };
  const behaviour = { 'sim.svc.io/terminate-seconds': '0', 'sim.svc.io/pull-seconds': '0' };
  const spec = { containers: [{ name: 'main', image: 'registry.example.com/app:1' }] };
  return {
    metadata: { name, labels },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels, annotations: behaviour }, spec },
    },
  };
}
