import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Node } from 'kubernetes-types/core/v1.d.ts';
import type { KubeClient } from '../../../src/adapters/kubernetes/client/kube-client.ts';
import { resources } from '../../../src/adapters/kubernetes/client/resource-type.ts';
import { kubeconfigAccess } from '../../../src/adapters/kubernetes/transport/access.ts';
import { systemClock } from '../../../src/platform/system-clock.ts';
import { sleep } from '../../../src/ports/clock.ts';
import { Child } from '../../../tools/cluster/child-process.ts';
import { nodeLabel } from '../../../tools/cluster/nodes/simulated-node.ts';
import { identity } from './cluster-clients.ts';

const program = fileURLToPath(new URL('../../../tools/cluster/nodes/main.ts', import.meta.url));

/**
 * Gives a cluster that is not ours simulated nodes, unless it has some, and keeps new pods off its own: a real kubelet
 * does not know the declared behaviours and would try to pull the images. Answers how to undo it.
 */
export async function startForeignNodes(kubeconfig: string, count: number): Promise<() => Promise<void>> {
  const { client } = identity(await kubeconfigAccess({ env: process.env, clock: systemClock, kubeconfig }));
  const before = (await client.list(resources.nodes)).items;
  if (before.some(isSimulated)) return async () => {};
  const folder = await mkdtemp(join(tmpdir(), 'svc-nodes-'));
  const args = [program, '--kubeconfig', kubeconfig, '--nodes', String(count)];
  const child = new Child({ name: 'nodes', command: process.execPath, args, logFile: join(folder, 'nodes.log') });
  const cordoned = before.filter((node) => node.spec?.unschedulable !== true).map((node) => node.metadata?.name ?? '');
  for (const name of cordoned) await setUnschedulable(client, name, true);
  while (!(await areReady(client, count))) {
    if (!child.running) throw new Error(`${await child.exited}:\n${child.lastWords()}`);
    await sleep(systemClock, 100);
  }
  return async () => {
    await child.kill('SIGKILL');
    const added = (await client.list(resources.nodes)).items.filter(isSimulated);
    for (const node of added) await client.delete(resources.nodes, { name: node.metadata?.name ?? '' });
    for (const name of cordoned) await setUnschedulable(client, name, false);
    await rm(folder, { recursive: true, force: true });
  };
}

function isSimulated(node: Node): boolean {
  return node.metadata?.labels?.[nodeLabel] === 'true';
}

async function areReady(client: KubeClient, count: number): Promise<boolean> {
  const nodes = (await client.list(resources.nodes)).items.filter(isSimulated);
  return nodes.filter((node) => (node.spec?.taints ?? []).length === 0).length >= count;
}

async function setUnschedulable(client: KubeClient, name: string, unschedulable: boolean): Promise<void> {
  await client.patch(resources.nodes, { name }, { type: 'merge', body: { spec: { unschedulable } } });
}
