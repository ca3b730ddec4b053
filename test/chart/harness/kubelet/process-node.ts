import { timestamp } from '../../../../embedded-cluster/controllers/machinery/timestamps.ts';
import type { KubeClient } from '../../../../src/adapters/kubernetes/client/kube-client.ts';
import { resources } from '../../../../src/adapters/kubernetes/client/resource-type.ts';
import { systemClock } from '../../../../src/platform/system-clock.ts';
import { sleep } from '../../../../src/ports/clock.ts';
import {
  leaseNamespace,
  leaseSeconds,
  newNode,
  nodeLease,
  readyStatus,
} from '../../../../tools/cluster/nodes/simulated-node.ts';

/** Only pods that ask for it come here; those of the tests' workloads go to the simulated nodes. */
const processNodeLabel = 'sim.svc.io/processes';

/** What a release needs among its values to run on the node of processes. */
export const onProcessNode = {
  nodeSelector: { [processNodeLabel]: 'true' },
  tolerations: [{ key: processNodeLabel, operator: 'Exists' }],
};

/** Registers a node and keeps it alive until the signal aborts; then it goes. */
export async function keepProcessNode(client: KubeClient, name: string, signal: AbortSignal): Promise<void> {
  const { gitVersion } = await client.getPath<{ gitVersion: string }>('/version');
  const node = newNode(name);
  const labels = { ...node.metadata?.labels, [processNodeLabel]: 'true' };
  const { metadata } = await client.create(resources.nodes, undefined, {
    ...node,
    metadata: { ...node.metadata, labels },
    spec: { taints: [{ key: processNodeLabel, value: 'true', effect: 'NoSchedule' }] },
  });
  const status = readyStatus('sim-node-250', gitVersion, timestamp(systemClock.now()));
  await client.patch(resources.nodes, { name }, { type: 'strategic', body: { status } }, { subresource: 'status' });
  await client.create(resources.leases, leaseNamespace, nodeLease(name, metadata?.uid ?? '', microtime()));
  void renewUntil(client, name, metadata?.uid ?? '', signal);
}

async function renewUntil(client: KubeClient, name: string, uid: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await sleep(systemClock, (leaseSeconds / 4) * 1000, signal).catch(() => {});
    const { spec } = nodeLease(name, uid, microtime());
    const ref = { namespace: leaseNamespace, name };
    await client.patch(resources.leases, ref, { type: 'merge', body: { spec } }).catch(() => {});
  }
}

const microtime = () => new Date(systemClock.now()).toISOString().replace('Z', '000Z');
