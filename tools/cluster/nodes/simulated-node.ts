import type { Lease } from 'kubernetes-types/coordination/v1.d.ts';
import type { Node } from 'kubernetes-types/core/v1.d.ts';

export const nodePrefix = 'sim-node-';
/** On every simulated node, so that they can be told from a cluster's own. */
export const nodeLabel = 'sim.svc.io/node';
export const leaseNamespace = 'kube-node-lease';
export const leaseSeconds = 40;

export function nodeName(index: number): string {
  return `${nodePrefix}${index}`;
}

export function hostIP(name: string): string {
  const index = Number(name.slice(nodePrefix.length));
  return `10.0.${(index >> 8) & 255}.${(index & 255) + 1}`;
}

/** Room for thousands of pods: the tests are about our service, not about capacity. */
const room = { cpu: '512', memory: '2Ti', 'ephemeral-storage': '4Ti', pods: '5000' };

export function newNode(name: string): Node {
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name,
      labels: {
        [nodeLabel]: 'true',
        'kubernetes.io/hostname': name,
        'kubernetes.io/os': 'linux',
        'kubernetes.io/arch': 'amd64',
        'node.kubernetes.io/instance-type': 'simulated',
        'topology.kubernetes.io/region': 'sim',
        'topology.kubernetes.io/zone': `sim-${Number(name.slice(nodePrefix.length)) % 3}`,
      },
    },
  };
}

const conditions = [
  { type: 'Ready', status: 'True', reason: 'KubeletReady', message: 'the simulated kubelet is ready' },
  { type: 'MemoryPressure', status: 'False', reason: 'KubeletHasSufficientMemory', message: 'enough memory' },
  { type: 'DiskPressure', status: 'False', reason: 'KubeletHasNoDiskPressure', message: 'enough disk' },
  { type: 'PIDPressure', status: 'False', reason: 'KubeletHasSufficientPID', message: 'enough processes' },
];

/** The status of a healthy node; `at` is RFC 3339. */
export function readyStatus(name: string, kubeletVersion: string, at: string): NonNullable<Node['status']> {
  return {
    addresses: [
      { type: 'InternalIP', address: hostIP(name) },
      { type: 'Hostname', address: name },
    ],
    capacity: room,
    allocatable: room,
    conditions: conditions.map((one) => ({ ...one, lastHeartbeatTime: at, lastTransitionTime: at })),
    nodeInfo: {
      architecture: 'amd64',
      bootID: name,
      containerRuntimeVersion: 'simulated://1.0',
      kernelVersion: 'simulated',
      kubeProxyVersion: '',
      kubeletVersion,
      machineID: name,
      operatingSystem: 'linux',
      osImage: 'simulated',
      systemUUID: name,
    },
  };
}

/** The sign of life of a node; `at` has microseconds, as the apiserver wants them here. */
export function nodeLease(name: string, nodeUid: string, at: string): Lease {
  return {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: {
      name,
      namespace: leaseNamespace,
      ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name, uid: nodeUid }],
    },
    spec: { holderIdentity: name, leaseDurationSeconds: leaseSeconds, renewTime: at },
  };
}
