import { demandOf, type NodeRoom, placePod } from '../scheduler/placement.ts';
import { type ControllerContext, observe } from './machinery/controller-context.ts';
import { isFinishedPod } from './machinery/pod-state.ts';
import { keyOf, type StoredNode, type StoredPod, splitKey, type TypedEvent } from './machinery/typed-store.ts';
import type { Work } from './machinery/work-queue.ts';
import { leaseNamespace, leaseOf, microTime, type NodePool, nodeOf, poolLabel } from './node-objects.ts';

const component = 'cluster-autoscaler';
const protections: readonly (readonly [string, string])[] = [
  ['cluster-autoscaler.kubernetes.io/scale-down-disabled', 'true'],
  ['karpenter.sh/do-not-disrupt', 'true'],
];

interface PoolState {
  readonly pool: NodePool;
  /** When the nodes that were ordered are there. */
  arrivesAt?: number;
}

export interface NodePoolOptions {
  readonly pools: readonly NodePool[];
  /** Renew the nodes' leases that often; without it nothing moves while the cluster is idle. */
  readonly heartbeatSeconds?: number;
}

/** Adds a node some time after pods found no room, and takes nodes away that stood empty for long. */
export class NodePools {
  readonly #context: ControllerContext;
  readonly #work: Work;
  readonly #heartbeat: Work;
  readonly #heartbeatMs: number | undefined;
  readonly #pools = new Map<string, PoolState>();
  readonly #emptySince = new Map<string, number>();
  readonly #roomless = new Set<string>();
  #numbers = 0;

  constructor(context: ControllerContext, options: NodePoolOptions) {
    this.#context = context;
    this.#work = context.queue.register(component, (key) => this.#reconcile(key));
    this.#heartbeat = context.queue.register('node-heartbeat', (key) => this.#beat(key));
    this.#heartbeatMs = options.heartbeatSeconds === undefined ? undefined : options.heartbeatSeconds * 1000;
    for (const pool of options.pools) {
      this.#pools.set(pool.name, { pool });
      this.#work.enqueue(pool.name);
    }
    observe(context.store, 'nodes', (event) => this.#onNode(event));
    observe(context.store, 'pods', (event) => this.#onPod(event));
  }

  #onNode({ type, object }: TypedEvent<'nodes'>): void {
    const { name, labels } = object.metadata;
    if (type === 'ADDED') {
      this.#emptySince.set(name, this.#context.clock.now());
      if (this.#heartbeatMs !== undefined) this.#heartbeat.enqueue(name);
    }
    if (type === 'DELETED') this.#emptySince.delete(name);
    const pool = labels?.[poolLabel];
    if (pool !== undefined && this.#pools.has(pool)) this.#work.enqueue(pool);
  }

  #onPod({ type, object, previous }: TypedEvent<'pods'>): void {
    const { nodeName } = object.spec;
    if (nodeName === undefined) this.#noteRoomless(object, type === 'DELETED');
    else if (previous?.spec.nodeName === undefined) this.#roomless.delete(keyOf(object));
    if (nodeName === undefined || (type !== 'DELETED' && !isFinishedPod(object))) return;
    if (this.#isEmpty(nodeName)) this.#noteEmpty(nodeName);
  }

  #noteRoomless(pod: StoredPod, gone: boolean): void {
    const key = keyOf(pod);
    const unschedulable = pod.status?.conditions?.some((one) => one.reason === 'Unschedulable') ?? false;
    if (gone || !unschedulable) {
      this.#roomless.delete(key);
      return;
    }
    if (this.#roomless.has(key)) return;
    this.#roomless.add(key);
    for (const name of this.#pools.keys()) this.#work.enqueue(name);
  }

  #noteEmpty(nodeName: string): void {
    this.#emptySince.set(nodeName, this.#context.clock.now());
    const node = this.#context.store.get('nodes', undefined, nodeName);
    const pool = node?.metadata.labels?.[poolLabel];
    if (pool !== undefined && this.#pools.has(pool)) this.#work.enqueue(pool);
  }

  #isEmpty(nodeName: string): boolean {
    for (const pod of this.#context.pods.onNode(nodeName).values()) if (!isFinishedPod(pod)) return false;
    return true;
  }

  #reconcile(name: string): void {
    const state = this.#pools.get(name);
    if (state === undefined) return;
    const now = this.#context.clock.now();
    const nodes = this.#nodesOf(name);
    for (let missing = state.pool.min - nodes.length; missing > 0; missing--) this.#add(state.pool, now);
    this.#order(state, nodes.length, now);
    const removeAt = this.#removeEmpty(state.pool, now);
    const next = Math.min(state.arrivesAt ?? Number.POSITIVE_INFINITY, removeAt);
    this.#work.deadline(name, next === Number.POSITIVE_INFINITY ? undefined : next);
  }

  #nodesOf(pool: string): StoredNode[] {
    return this.#context.store.list('nodes').filter((node) => node.metadata.labels?.[poolLabel] === pool);
  }

  #order(state: PoolState, nodes: number, now: number): void {
    const needed = Math.min(this.#nodesNeeded(state.pool), state.pool.max - nodes);
    if (needed <= 0) {
      delete state.arrivesAt;
      return;
    }
    state.arrivesAt ??= now + state.pool.addAfterSeconds * 1000;
    if (now < state.arrivesAt) return;
    delete state.arrivesAt;
    for (let i = 0; i < needed; i++) this.#add(state.pool, now);
  }

  /** How many empty nodes of the pool the waiting pods would fill; those that fit on none do not count. */
  #nodesNeeded(pool: NodePool): number {
    // A sample to count with; it is never stored, and nobody asks for its uid.
    const sample = nodeOf(pool, 0, 0) as unknown as StoredNode;
    const rooms: NodeRoom[] = [];
    for (const key of this.#roomless) {
      const { namespace, name } = splitKey(key);
      const pod = this.#context.store.get('pods', namespace, name);
      if (pod === undefined) continue;
      const at = rooms.findIndex((room) => placePod(pod, [room]).kind === 'node');
      const room = rooms[at] ?? { node: sample, used: { cpu: 0, memory: 0 }, pods: 0 };
      if (at < 0 && placePod(pod, [room]).kind !== 'node') continue;
      const demand = demandOf(pod.spec);
      const used = { cpu: room.used.cpu + demand.cpu, memory: room.used.memory + demand.memory };
      rooms[at < 0 ? rooms.length : at] = { node: sample, used, pods: room.pods + 1 };
    }
    return rooms.length;
  }

  #add(pool: NodePool, now: number): void {
    const { store } = this.#context;
    do this.#numbers++;
    while (store.get('nodes', undefined, `${pool.name}-${this.#numbers}`) !== undefined);
    const node = store.create('nodes', nodeOf(pool, this.#numbers, now));
    if (store.get('leases.coordination.k8s.io', leaseNamespace, node.metadata.name) === undefined) {
      store.create('leases.coordination.k8s.io', leaseOf(node.metadata.name, now));
    }
  }

  /** Removes what stood empty long enough; answers when the next one is due. */
  #removeEmpty(pool: NodePool, now: number): number {
    let next = Number.POSITIVE_INFINITY;
    let spare = this.#nodesOf(pool.name).length - pool.min;
    // The newest go first: the oldest nodes are the pool's minimum.
    for (const node of this.#nodesOf(pool.name).reverse()) {
      if (spare <= 0) return next;
      const { name } = node.metadata;
      if (isProtected(node) || !this.#isEmpty(name)) continue;
      const dueAt = (this.#emptySince.get(name) ?? now) + pool.removeAfterSeconds * 1000;
      if (dueAt > now) next = Math.min(next, dueAt);
      else this.#remove(node);
      spare--;
    }
    return next;
  }

  #remove(node: StoredNode): void {
    const { store } = this.#context;
    store.delete('nodes', node);
    const lease = store.get('leases.coordination.k8s.io', leaseNamespace, node.metadata.name);
    if (lease !== undefined) store.delete('leases.coordination.k8s.io', lease);
  }

  #beat(nodeName: string): void {
    const { store, clock } = this.#context;
    if (this.#heartbeatMs === undefined || store.get('nodes', undefined, nodeName) === undefined) return;
    const now = clock.now();
    const lease = store.get('leases.coordination.k8s.io', leaseNamespace, nodeName);
    if (lease === undefined) store.create('leases.coordination.k8s.io', leaseOf(nodeName, now));
    else {
      const spec = { ...lease.spec, renewTime: microTime(now) };
      store.update('leases.coordination.k8s.io', { ...lease, spec });
    }
    this.#heartbeat.deadline(nodeName, now + this.#heartbeatMs);
  }
}

function isProtected(node: StoredNode): boolean {
  return protections.some(([name, value]) => node.metadata.annotations?.[name] === value);
}
