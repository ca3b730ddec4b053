import type { Node } from 'kubernetes-types/core/v1.d.ts';
import { timestamp } from '../../../embedded-cluster/controllers/machinery/timestamps.ts';
import { ApiStatusError, isNotFound } from '../../../src/adapters/kubernetes/client/errors.ts';
import type { KubeClient } from '../../../src/adapters/kubernetes/client/kube-client.ts';
import { resources } from '../../../src/adapters/kubernetes/client/resource-type.ts';
import { type Clock, sleep } from '../../../src/ports/clock.ts';
import type { Logger } from '../../../src/ports/logger.ts';
import { leaseNamespace, leaseSeconds, newNode, nodeLease, nodeName, readyStatus } from './simulated-node.ts';

const { nodes, leases } = resources;

export interface NodeKeeperOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly count: number;
}

/** Creates the nodes and keeps their leases fresh. A node that somebody deletes stays deleted. */
export async function keepNodes(options: NodeKeeperOptions, signal: AbortSignal): Promise<void> {
  const names = Array.from({ length: options.count }, (_, index) => nodeName(index));
  const alive = new Map<string, string>();
  for (const name of names) alive.set(name, await registerNode(options, name));
  options.logger.info('The simulated nodes are ready', { nodes: options.count });
  while (!signal.aborted) {
    for (const [name, uid] of alive) {
      try {
        if (!(await renewLease(options, name, uid))) alive.delete(name);
      } catch (error) {
        options.logger.warn('A lease was not renewed', { node: name, error: (error as Error).message });
      }
    }
    await sleep(options.clock, (leaseSeconds / 4) * 1000, signal).catch(() => {});
  }
}

async function registerNode({ client, clock }: NodeKeeperOptions, name: string): Promise<string> {
  const { gitVersion } = await client.getPath<{ gitVersion: string }>('/version');
  const node = await createOrGet(client, name);
  const status = readyStatus(name, gitVersion, timestamp(clock.now()));
  await client.patch(nodes, { name }, { type: 'strategic', body: { status } }, { subresource: 'status' });
  return node.metadata?.uid ?? '';
}

async function createOrGet(client: KubeClient, name: string): Promise<Node> {
  try {
    return await client.create(nodes, undefined, newNode(name));
  } catch (error) {
    if (error instanceof ApiStatusError && error.status === 409) return client.get(nodes, { name });
    throw error;
  }
}

/** False when the node is gone. */
async function renewLease({ client, clock }: NodeKeeperOptions, name: string, uid: string): Promise<boolean> {
  const lease = nodeLease(name, uid, new Date(clock.now()).toISOString().replace('Z', '000Z'));
  const ref = { namespace: leaseNamespace, name };
  try {
    await client.patch(leases, ref, { type: 'merge', body: { spec: lease.spec } });
    return true;
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
  const node = await client.get(nodes, { name }).catch((error) => {
    if (isNotFound(error)) return undefined;
    throw error;
  });
  if (node?.metadata?.uid !== uid) return false;
  await client.create(leases, leaseNamespace, lease);
  return true;
}
