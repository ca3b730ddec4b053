import type { PodSpec } from 'kubernetes-types/core/v1.js';
import { describe, expect, it } from 'vitest';
import type { StoredNode, StoredPod } from '../controllers/machinery/typed-store.ts';
import { defaultPool, type NodePool, nodeOf } from '../controllers/node-objects.ts';
import { type NodeRoom, placePod } from './placement.ts';
import { quantity } from './quantity.ts';

const room = (number: number, pool: Partial<NodePool> = {}, used = { cpu: 0, memory: 0 }, pods = 0): NodeRoom => ({
  // A node that was never stored; nobody asks for its uid.
  node: nodeOf({ ...defaultPool, cpu: '4', memory: '8Gi', ...pool }, number, 0) as unknown as StoredNode,
  used,
  pods,
});

const pod = (spec: Partial<PodSpec>, cpu = '1') =>
  ({
    metadata: {},
    spec: { containers: [{ name: 'app', resources: { requests: { cpu, memory: '1Gi' } } }], ...spec },
  }) as unknown as StoredPod; // A pod that was never stored; nobody asks for its uid.

const gpu = { taints: [{ key: 'gpu', value: 'yes', effect: 'NoSchedule' }] };

describe('placePod', () => {
  it('takes the node with the most room', () => {
    const rooms = [room(1, {}, { cpu: 2000, memory: 0 }), room(2, {}, { cpu: 1000, memory: 0 }), room(3, { cpu: '2' })];
    expect(placePod(pod({}), rooms)).toMatchObject({ kind: 'node', node: { metadata: { name: 'default-2' } } });
  });

  it('spreads pods that ask for nothing', () => {
    const asksNothing = pod({ containers: [{ name: 'app' }] });
    const rooms = [room(1, {}, { cpu: 0, memory: 0 }, 1), room(2)];
    expect(placePod(asksNothing, rooms)).toMatchObject({ node: { metadata: { name: 'default-2' } } });
  });

  it('tolerates what it says it tolerates', () => {
    const tolerations = [{ key: 'gpu', operator: 'Exists' }];
    expect(placePod(pod({ tolerations }), [room(1, gpu)]).kind).toBe('node');
  });

  const none: Record<string, [pod: StoredPod, rooms: readonly NodeRoom[], message: string]> = {
    'there is no node at all': [pod({}), [], 'no nodes available to schedule pods'],
    'every node is too full': [
      pod({}, '5'),
      [room(1), room(2), room(3)],
      '0/3 nodes are available: 3 Insufficient cpu. preemption: 0/3 nodes are available: 3 No preemption victims found for incoming pod.',
    ],
    'the label is on no node': [
      pod({ nodeSelector: { disk: 'ssd' } }),
      [room(1), room(2)],
      "0/2 nodes are available: 2 node(s) didn't match Pod's node affinity/selector. preemption: 0/2 nodes are available: 2 Preemption is not helpful for scheduling.",
    ],
    'each node has its own reason': [
      pod({}, '3'),
      [room(1, gpu), room(2, {}, { cpu: 2000, memory: 8 * 2 ** 30 }), room(3, { pods: 5 }, { cpu: 0, memory: 0 }, 5)],
      '0/3 nodes are available: 1 Insufficient cpu, 1 Insufficient memory, 1 Too many pods, 1 node(s) had untolerated taint {gpu: yes}. preemption: 0/3 nodes are available: 2 No preemption victims found for incoming pod, 1 Preemption is not helpful for scheduling.',
    ],
  };
  it.each(Object.entries(none))('says why when %s', (_sentence, [asking, rooms, message]) => {
    expect(placePod(asking, rooms)).toEqual({ kind: 'none', message });
  });
});

describe('quantity', () => {
  const rows: Record<string, number> = {
    '250m': 0.25,
    '1': 1,
    '1.5': 1.5,
    '512Mi': 536870912,
    '2Gi': 2147483648,
    '1k': 1000,
    '1e3': 1000,
  };
  it.each(Object.entries(rows))('%s is %d', (text, value) => {
    expect(quantity(text)).toBe(value);
  });

  it('names what is not one', () => {
    expect(() => quantity('1 GB')).toThrow('"1 GB" is not a quantity; write one such as 250m, 1.5 or 512Mi.');
  });
});
