import type { PodSpec, Taint, Toleration } from 'kubernetes-types/core/v1.js';
import type { StoredNode, StoredPod } from '../controllers/machinery/typed-store.ts';
import { matchesNodeAffinity } from './node-affinity.ts';
import { quantity } from './quantity.ts';

/** What a pod asks of a node; cpu in millicores so that sums stay whole. */
export interface Demand {
  readonly cpu: number;
  readonly memory: number;
}

export interface NodeRoom {
  readonly node: StoredNode;
  readonly used: Demand;
  readonly pods: number;
}

export type Placed =
  | { readonly kind: 'node'; readonly node: StoredNode }
  | { readonly kind: 'none'; readonly message: string };

const demands = new WeakMap<PodSpec, Demand>();

export function demandOf(spec: PodSpec): Demand {
  const known = demands.get(spec);
  if (known !== undefined) return known;
  const of = (name: string) => {
    const each = (containers: PodSpec['containers']) =>
      containers.map((one) => quantity(one.resources?.requests?.[name]));
    const running = each(spec.containers).reduce((total, one) => total + one, 0);
    return Math.max(running, ...each(spec.initContainers ?? [])) + quantity(spec.overhead?.[name]);
  };
  const demand = { cpu: Math.round(of('cpu') * 1000), memory: of('memory') };
  demands.set(spec, demand);
  return demand;
}

function capacityOf(node: StoredNode) {
  const allocatable = node.status?.allocatable ?? node.status?.capacity ?? {};
  return {
    cpu: Math.round(quantity(allocatable['cpu']) * 1000),
    memory: quantity(allocatable['memory']),
    pods: quantity(allocatable['pods'] ?? '110'),
  };
}

interface Refusal {
  readonly reason: string;
  /** Whether evicting pods could make room: the scheduler says so in its message. */
  readonly resolvable: boolean;
}

/** The node with the most room among those that can take the pod, or the scheduler's sentence why there is none. */
export function placePod(pod: StoredPod, rooms: readonly NodeRoom[]): Placed {
  if (rooms.length === 0) return { kind: 'none', message: 'no nodes available to schedule pods' };
  const demand = demandOf(pod.spec);
  const refusals: Refusal[] = [];
  const whys = new Map<string, number>();
  let best: NodeRoom | undefined;
  let bestScore = Number.POSITIVE_INFINITY;
  for (const room of rooms) {
    const found = refusalsOf(pod, demand, room);
    if (found.length > 0) {
      refusals.push(found[0]!);
      for (const { reason } of found) whys.set(reason, (whys.get(reason) ?? 0) + 1);
      continue;
    }
    const score = fullness(demand, room);
    if (score < bestScore) [best, bestScore] = [room, score];
  }
  if (best !== undefined) return { kind: 'node', node: best.node };
  return { kind: 'none', message: unschedulableMessage(rooms.length, whys, refusals) };
}

/** The reasons against a node: the first of the simple ones, or all resources that are short. */
function refusalsOf(pod: StoredPod, demand: Demand, room: NodeRoom): Refusal[] {
  const { node } = room;
  if (node.spec.unschedulable === true && !toleratesCordon(pod)) return [final('node(s) were unschedulable')];
  const taint = untolerated(node.spec.taints ?? [], pod.spec.tolerations ?? []);
  if (taint !== undefined) return [final(`node(s) had untolerated taint {${taint.key}: ${taint.value ?? ''}}`)];
  if (!matchesNodeAffinity(pod.spec, node)) return [final("node(s) didn't match Pod's node affinity/selector")];
  const capacity = capacityOf(node);
  const short: Refusal[] = [];
  if (room.pods + 1 > capacity.pods) short.push({ reason: 'Too many pods', resolvable: true });
  if (demand.cpu > 0 && room.used.cpu + demand.cpu > capacity.cpu) short.push(lacks('cpu'));
  if (demand.memory > 0 && room.used.memory + demand.memory > capacity.memory) short.push(lacks('memory'));
  return short;
}

function final(reason: string): Refusal {
  return { reason, resolvable: false };
}

function lacks(resource: string): Refusal {
  return { reason: `Insufficient ${resource}`, resolvable: true };
}

function unschedulableMessage(nodes: number, whys: ReadonlyMap<string, number>, refusals: readonly Refusal[]): string {
  const why = [...whys].map(([reason, count]) => `${count} ${reason}`).sort();
  const victims = refusals.filter((one) => one.resolvable).length;
  const hopeless = refusals.length - victims;
  const preemption = [
    victims > 0 ? `${victims} No preemption victims found for incoming pod` : '',
    hopeless > 0 ? `${hopeless} Preemption is not helpful for scheduling` : '',
  ].filter((part) => part !== '');
  const head = `0/${nodes} nodes are available`;
  return `${head}: ${why.join(', ')}. preemption: ${head}: ${preemption.join(', ')}.`;
}

function fullness(demand: Demand, room: NodeRoom): number {
  const capacity = capacityOf(room.node);
  const share = (used: number, all: number) => (all === 0 ? 1 : used / all);
  const asked =
    share(room.used.cpu + demand.cpu, capacity.cpu) + share(room.used.memory + demand.memory, capacity.memory);
  return asked + share(room.pods, capacity.pods);
}

function toleratesCordon(pod: StoredPod): boolean {
  const cordon: Taint = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' };
  return (pod.spec.tolerations ?? []).some((one) => tolerates(one, cordon));
}

function untolerated(taints: readonly Taint[], tolerations: readonly Toleration[]): Taint | undefined {
  return taints.find(
    (taint) => taint.effect !== 'PreferNoSchedule' && !tolerations.some((one) => tolerates(one, taint)),
  );
}

function tolerates(toleration: Toleration, taint: Taint): boolean {
  if (toleration.effect !== undefined && toleration.effect !== '' && toleration.effect !== taint.effect) return false;
  if (toleration.operator === 'Exists')
    return toleration.key === undefined || toleration.key === '' || toleration.key === taint.key;
  return toleration.key === taint.key && (toleration.value ?? '') === (taint.value ?? '');
}
