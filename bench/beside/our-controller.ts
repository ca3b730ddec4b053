import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { KubeClient } from '../../src/adapters/kubernetes/client/kube-client.ts';
import { resources } from '../../src/adapters/kubernetes/client/resource-type.ts';
import { configTextKey } from '../../src/config/config.ts';
import { configMaps } from '../../src/domain/names.ts';
import { asInContainer, nodeEnvironment, nodeFlags } from '../../src/platform/node-flags.ts';
import { systemClock } from '../../src/platform/system-clock.ts';
import { sleep } from '../../src/ports/clock.ts';
import type { ServiceAccountIdentity } from '../../test/cluster/harness/service-account.ts';
import { dyingWithParent } from '../../tools/cluster/child-process.ts';
import { freePort } from '../../tools/cluster/free-ports.ts';
import type { Way } from './progress.ts';
import type { Tool } from './tool.ts';

export const releaseNamespace = 'svc';
const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];

/** The controller's own bundle, as its image starts it. It is asked by its working hours: all week, or none. */
export class OurController implements Tool {
  readonly name = 'ours';
  readonly #client: KubeClient;
  readonly #account: ServiceAccountIdentity;
  readonly #bundle: string;
  readonly #containerMiB: number;
  #process: ChildProcess | undefined;

  constructor(client: KubeClient, account: ServiceAccountIdentity, bundle: string, containerMiB: number) {
    this.#containerMiB = containerMiB;
    this.#client = client;
    this.#account = account;
    this.#bundle = bundle;
  }

  async prepare(): Promise<void> {
    await this.#forget();
    const data = { [configTextKey]: configText('up') };
    await this.#client.create(resources.configMaps, releaseNamespace, { metadata: { name: configMaps.config }, data });
    await this.#start();
  }

  async go(way: Way): Promise<void> {
    const body = { data: { [configTextKey]: configText(way) } };
    const ref = { namespace: releaseNamespace, name: configMaps.config };
    await this.#client.patch(resources.configMaps, ref, { type: 'merge', body });
  }

  /** Down it has told of it all, too. Up it would wait for pods, of which a paused Deployment makes none. */
  async arrived(way: Way): Promise<void> {
    if (way === 'up') return;
    const ref = { namespace: releaseNamespace, name: configMaps.state };
    for (;;) {
      const { data } = await this.#client.get(resources.configMaps, ref);
      const { phase } = JSON.parse(data?.['phase'] ?? '{}') as { phase?: string };
      if (phase === 'hibernated' && data?.['transition'] === undefined && data?.['outbox'] === undefined) return;
      await sleep(systemClock, 100);
    }
  }

  async kill(): Promise<void> {
    const child = this.#process;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  /** The wish stands in its configuration. */
  async again(): Promise<void> {
    await this.#start();
  }

  roots(): readonly number[] {
    return this.#process?.pid === undefined ? [] : [this.#process.pid];
  }

  async close(): Promise<void> {
    await this.kill();
    this.#process = undefined;
    await this.#forget();
  }

  async #start(): Promise<void> {
    const port = await freePort();
    const flags = asInContainer(nodeFlags, this.#containerMiB);
    const [command, args] = dyingWithParent(process.execPath, [...flags, this.#bundle]);
    const child = spawn(command, args, {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: {
        PATH: process.env['PATH'],
        ...nodeEnvironment,
        KUBECONFIG: this.#account.kubeconfig,
        POD_NAMESPACE: releaseNamespace,
        HEALTH_PORT: String(port),
        METRICS_PORT: '0',
      },
    });
    this.#process = child;
    while (!(await isReady(port))) {
      if (child.exitCode !== null) throw new Error(`Our controller ended with ${child.exitCode}.`);
      await sleep(systemClock, 50);
    }
  }

  /** All that a run leaves in the cluster: the next one begins as the first one did. */
  async #forget(): Promise<void> {
    const { items } = await this.#client.list(resources.configMaps, { namespace: releaseNamespace });
    const names = items.map(({ metadata }) => metadata?.name ?? '').filter((name) => name !== 'kube-root-ca.crt');
    for (const name of names) await this.#client.delete(resources.configMaps, { namespace: releaseNamespace, name });
  }
}

async function isReady(port: number): Promise<boolean> {
  try {
    return (await fetch(`http://127.0.0.1:${port}/readyz`)).ok;
  } catch {
    return false;
  }
}

function configText(way: Way): string {
  const schedule = Object.fromEntries(days.map((day) => [day, way === 'up' ? 'on' : 'off']));
  return JSON.stringify({
    clusterName: 'bench',
    externalUrl: 'https://svc.example.com',
    workingHours: { schedule },
    // The question is how fast it is, not how long its default limits stretch it; the others have none either.
    controller: { kubernetesQPS: 10_000, kubernetesBurst: 20_000 },
  });
}
