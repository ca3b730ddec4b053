import type { Lease } from 'kubernetes-types/coordination/v1.js';
import type { Node, NodeCondition, Taint } from 'kubernetes-types/core/v1.js';
import { timestamp } from './machinery/timestamps.ts';

/** Nodes of one size that come and go with what is asked of them. */
export interface NodePool {
  readonly name: string;
  readonly min: number;
  readonly max: number;
  readonly cpu: string;
  readonly memory: string;
  readonly pods: number;
  readonly labels?: Readonly<Record<string, string>>;
  readonly taints?: readonly Taint[];
  /** From the first pod that finds no room until the new node is there. */
  readonly addAfterSeconds: number;
  /** How long a node above the minimum may stand empty. */
  readonly removeAfterSeconds: number;
}

export const defaultPool: NodePool = {
  name: 'default',
  min: 3,
  max: 10,
  cpu: '8',
  memory: '32Gi',
  pods: 110,
  addAfterSeconds: 60,
  removeAfterSeconds: 600,
};

export const poolLabel = 'sim.svc.io/node-pool';
const kubernetesVersion = 'v1.36.4';

/** A node of the pool, ready from the start; `number` is unique in the cluster and gives its address. */
export function nodeOf(pool: NodePool, number: number, now: number): Node {
  const name = `${pool.name}-${number}`;
  const size = { cpu: pool.cpu, memory: pool.memory, pods: String(pool.pods), 'ephemeral-storage': '100Gi' };
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name,
      labels: {
        'kubernetes.io/hostname': name,
        'kubernetes.io/os': 'linux',
        'kubernetes.io/arch': 'amd64',
        [poolLabel]: pool.name,
        ...pool.labels,
      },
    },
    spec: {
      podCIDR: `10.244.${number & 255}.0/24`,
      providerID: `sim://${name}`,
      ...(pool.taints === undefined ? {} : { taints: [...pool.taints] }),
    },
    status: {
      capacity: size,
      allocatable: size,
      addresses: [
        { type: 'InternalIP', address: `10.0.${(number >> 8) & 255}.${number & 255}` },
        { type: 'Hostname', address: name },
      ],
      conditions: healthyConditions(now),
      nodeInfo: {
        architecture: 'amd64',
        bootID: '',
        containerRuntimeVersion: 'containerd://2.1.0',
        kernelVersion: '6.12.0',
        kubeProxyVersion: kubernetesVersion,
        kubeletVersion: kubernetesVersion,
        machineID: '',
        operatingSystem: 'linux',
        osImage: 'Simulated Linux',
        systemUUID: '',
      },
    },
  };
}

function healthyConditions(now: number): NodeCondition[] {
  const time = timestamp(now);
  const times = { lastHeartbeatTime: time, lastTransitionTime: time };
  const without = (type: string, reason: string, message: string) => ({
    type,
    status: 'False',
    reason,
    message,
    ...times,
  });
  return [
    without('MemoryPressure', 'KubeletHasSufficientMemory', 'kubelet has sufficient memory available'),
    without('DiskPressure', 'KubeletHasNoDiskPressure', 'kubelet has no disk pressure'),
    without('PIDPressure', 'KubeletHasSufficientPID', 'kubelet has sufficient PID available'),
    { type: 'Ready', status: 'True', reason: 'KubeletReady', message: 'kubelet is posting ready status', ...times },
  ];
}

export const leaseNamespace = 'kube-node-lease';

export function leaseOf(nodeName: string, now: number): Lease {
  return {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { name: nodeName, namespace: leaseNamespace },
    spec: { holderIdentity: nodeName, leaseDurationSeconds: 40, renewTime: microTime(now) },
  };
}

/** A time with microseconds, as leases carry it. */
export function microTime(at: number): string {
  return `${new Date(at).toISOString().slice(0, -1)}000Z`;
}
