import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts } from '../../../tools/cluster/free-ports.ts';
import { provision } from '../../../tools/provision/provision.ts';
import type { RealCluster } from '../../cluster/harness/real-cluster.ts';
import { Neighbour } from './neighbour.ts';
import { define } from './objects.ts';

/** Flux's source-controller, which fetches, and kustomize-controller, which applies. */
export interface Flux {
  readonly source: Neighbour;
  readonly kustomize: Neighbour;
  stop(): Promise<void>;
}

const reconciliations = (controller: string) =>
  new RegExp(`^controller_runtime_reconcile_total\\{controller="${controller}"`);

/** Both for this one namespace, where their sources and Kustomizations are. */
export async function startFlux(cluster: RealCluster, namespace: string): Promise<Flux> {
  const [sourceController, kustomizeController] = await Promise.all([
    provision('source-controller'),
    provision('kustomize-controller'),
  ]);
  await define(cluster, [...sourceController.definitions, ...kustomizeController.definitions]);
  const storage = await mkdtemp(join(tmpdir(), 'svc-artifacts-'));
  const [files = 0, ...ports] = await freePorts(5);
  const env = { KUBECONFIG: cluster.kubeconfig, RUNTIME_NAMESPACE: namespace };
  const start = (name: string, program: string, controller: string, args: readonly string[]) => {
    const [health = 0, metrics = 0] = ports.splice(0, 2);
    return Neighbour.start({
      name,
      program,
      env,
      args: [
        `--health-addr=127.0.0.1:${health}`,
        `--metrics-addr=127.0.0.1:${metrics}`,
        '--watch-all-namespaces=false',
        '--events-addr=',
        ...args,
      ],
      ready: `http://127.0.0.1:${health}/readyz`,
      metrics: { url: `http://127.0.0.1:${metrics}/metrics`, counter: reconciliations(controller) },
    });
  };
  const source = await start('source-controller', sourceController.program, 'gitrepository', [
    `--storage-path=${storage}`,
    `--storage-addr=127.0.0.1:${files}`,
    `--storage-adv-addr=127.0.0.1:${files}`,
  ]);
  const kustomize = await start('kustomize-controller', kustomizeController.program, 'kustomization', []);
  return {
    source,
    kustomize,
    stop: async () => {
      await Promise.all([source.stop(), kustomize.stop()]);
      await rm(storage, { recursive: true, force: true });
    },
  };
}
