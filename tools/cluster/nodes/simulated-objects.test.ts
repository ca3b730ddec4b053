import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../embedded-cluster/seeded-random.ts';
import { boundPod } from './bound-pod.ts';
import { podEventObject } from './pod-event.ts';
import { hostIP, newNode, nodeLease, nodeName, readyStatus } from './simulated-node.ts';

describe('a simulated node', () => {
  it('is ready, under no pressure, and has room', () => {
    const status = readyStatus('sim-node-3', 'v1.36.4', '2026-01-01T00:00:00Z');
    expect(status.conditions?.map(({ type, status: value }) => `${type}=${value}`)).toEqual([
      'Ready=True',
      'MemoryPressure=False',
      'DiskPressure=False',
      'PIDPressure=False',
    ]);
    expect(status.allocatable?.['pods']).toBe('5000');
  });

  it('has an address of its own', () => {
    const addresses = Array.from({ length: 1000 }, (_, index) => hostIP(nodeName(index)));
    expect(new Set(addresses).size).toBe(1000);
    expect(addresses[0]).toBe('10.0.0.1');
    expect(addresses[256]).toBe('10.0.1.1');
  });

  it('can be told from a cluster’s own nodes', () => {
    expect(newNode('sim-node-0').metadata?.labels?.['sim.svc.io/node']).toBe('true');
  });

  it('renews a lease that goes with it', () => {
    const lease = nodeLease('sim-node-0', 'u', '2026-01-01T00:00:00.000000Z');
    expect(lease.metadata?.ownerReferences).toEqual([{ apiVersion: 'v1', kind: 'Node', name: 'sim-node-0', uid: 'u' }]);
    expect(lease.spec?.leaseDurationSeconds).toBe(40);
  });
});

describe('a bound pod', () => {
  const pod = boundPod({
    metadata: {
      name: 'p',
      namespace: 'n',
      uid: 'u',
      creationTimestamp: '2026-01-01T00:00:00Z',
      labels: { a: 'b' },
      managedFields: [{ manager: 'm' }],
      ownerReferences: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'r', uid: 'o', controller: true }],
    },
    spec: { nodeName: 'sim-node-1', containers: [] },
  });

  it('keeps what its life depends on', () => {
    expect(pod).toEqual({
      metadata: {
        name: 'p',
        namespace: 'n',
        uid: 'u',
        creationTimestamp: '2026-01-01T00:00:00Z',
        ownerReferences: [{ uid: 'o', kind: 'ReplicaSet', controller: true }],
      },
      spec: { nodeName: 'sim-node-1', containers: [] },
    });
  });

  it('has events as a kubelet writes them', () => {
    const event = { at: 1_000, type: 'Warning', reason: 'Failed', message: 'm', container: 'c' } as const;
    expect(podEventObject(pod, event, seededRandom(1))).toMatchObject({
      involvedObject: { kind: 'Pod', name: 'p', namespace: 'n', uid: 'u', fieldPath: 'spec.containers{c}' },
      source: { component: 'kubelet', host: 'sim-node-1' },
      firstTimestamp: '1970-01-01T00:00:01Z',
      count: 1,
    });
  });
});
