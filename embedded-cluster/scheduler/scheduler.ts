import type { PodCondition } from 'kubernetes-types/core/v1.js';
import { type ControllerContext, observe } from '../controllers/machinery/controller-context.ts';
import { isFinishedPod } from '../controllers/machinery/pod-state.ts';
import { timestamp } from '../controllers/machinery/timestamps.ts';
import {
  keyOf,
  type StoredNode,
  type StoredPod,
  splitKey,
  type TypedEvent,
} from '../controllers/machinery/typed-store.ts';
import type { Work } from '../controllers/machinery/work-queue.ts';
import { demandOf, type NodeRoom, placePod } from './placement.ts';

const component = 'default-scheduler';

interface Room {
  node: StoredNode;
  used: { cpu: number; memory: number };
  pods: number;
}

/** Gives pods their nodes. What finds none is tried again when a node or the room on one changes. */
export class Scheduler {
  readonly #context: ControllerContext;
  readonly #work: Work;
  readonly #rooms = new Map<string, Room>();
  readonly #unplaced = new Set<string>();
  #sorted: readonly NodeRoom[] | undefined;

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#work = context.queue.register(component, (key) => this.#schedule(key));
    observe(context.store, 'nodes', (event) => this.#onNode(event));
    observe(context.store, 'pods', (event) => this.#onPod(event));
  }

  /** Pods that the scheduler looked at and could not place. */
  get unplaced(): ReadonlySet<string> {
    return this.#unplaced;
  }

  #onNode({ type, object }: TypedEvent<'nodes'>): void {
    const { name } = object.metadata;
    this.#sorted = undefined;
    const room = this.#rooms.get(name);
    if (type === 'DELETED') this.#rooms.delete(name);
    else if (room !== undefined) room.node = object;
    else this.#rooms.set(name, this.#measured(object));
    this.#retryUnplaced();
  }

  #measured(node: StoredNode): Room {
    const room: Room = { node, used: { cpu: 0, memory: 0 }, pods: 0 };
    for (const pod of this.#context.pods.onNode(node.metadata.name).values())
      if (!isFinishedPod(pod)) count(room, pod, 1);
    return room;
  }

  #onPod({ type, object, previous }: TypedEvent<'pods'>): void {
    const after = type === 'DELETED' ? undefined : this.#occupied(object);
    const before = previous === undefined ? undefined : this.#occupied(previous);
    if (before !== after) {
      if (before !== undefined) count(before, previous!, -1);
      if (after !== undefined) count(after, object, 1);
      if (before !== undefined) this.#retryUnplaced();
    }
    if (type === 'DELETED') this.#unplaced.delete(keyOf(object));
    else if (object.spec.nodeName === undefined && isOurs(object) && needsALook(object, previous)) {
      this.#work.enqueue(keyOf(object));
    }
  }

  #occupied(pod: StoredPod): Room | undefined {
    if (pod.spec.nodeName === undefined || isFinishedPod(pod)) return undefined;
    return this.#rooms.get(pod.spec.nodeName);
  }

  #retryUnplaced(): void {
    for (const key of this.#unplaced) this.#work.enqueue(key);
  }

  #schedule(key: string): void {
    const { namespace, name } = splitKey(key);
    const pod = this.#context.store.get('pods', namespace, name);
    if (pod === undefined || pod.spec.nodeName !== undefined || pod.metadata.deletionTimestamp !== undefined) {
      this.#unplaced.delete(key);
      return;
    }
    if ((pod.spec.schedulingGates ?? []).length > 0) {
      this.#mark(pod, 'SchedulingGated', 'Scheduling is blocked due to non-empty scheduling gates');
      return;
    }
    this.#sorted ??= [...this.#rooms.values()].sort((a, b) => (a.node.metadata.name < b.node.metadata.name ? -1 : 1));
    const placed = placePod(pod, this.#sorted);
    if (placed.kind === 'node') {
      this.#unplaced.delete(key);
      this.#bind(pod, placed.node);
      return;
    }
    this.#unplaced.add(key);
    const marked = this.#mark(pod, 'Unschedulable', placed.message);
    if (marked) {
      const report = { type: 'Warning', reason: 'FailedScheduling', message: placed.message } as const;
      this.#context.events.record(component, pod, report);
    }
  }

  #bind(pod: StoredPod, node: StoredNode): void {
    const { store, clock, events } = this.#context;
    const lastTransitionTime = timestamp(clock.now());
    const conditions = withScheduled(pod, { type: 'PodScheduled', status: 'True', lastTransitionTime });
    const bound = {
      ...pod,
      spec: { ...pod.spec, nodeName: node.metadata.name },
      status: { ...pod.status, conditions },
    };
    store.update('pods', bound);
    const message = `Successfully assigned ${pod.metadata.namespace}/${pod.metadata.name} to ${node.metadata.name}`;
    events.record(component, pod, { type: 'Normal', reason: 'Scheduled', message });
  }

  /** Sets PodScheduled to False; answers whether that said anything new. */
  #mark(pod: StoredPod, reason: string, message: string): boolean {
    const before = pod.status?.conditions?.find((one) => one.type === 'PodScheduled');
    if (before?.reason === reason && before.message === message) return false;
    const kept = before?.status === 'False' ? before.lastTransitionTime : undefined;
    const lastTransitionTime = kept ?? timestamp(this.#context.clock.now());
    const condition: PodCondition = { type: 'PodScheduled', status: 'False', reason, message, lastTransitionTime };
    const status = { ...pod.status, phase: 'Pending', conditions: withScheduled(pod, condition) };
    this.#context.store.update('pods', { ...pod, status });
    return true;
  }
}

function withScheduled(pod: StoredPod, condition: PodCondition): PodCondition[] {
  return [...(pod.status?.conditions ?? []).filter((one) => one.type !== 'PodScheduled'), condition];
}

function isOurs(pod: StoredPod): boolean {
  return (pod.spec.schedulerName ?? 'default-scheduler') === 'default-scheduler';
}

/** A change of the pod's own status is no reason to try again. */
function needsALook(pod: StoredPod, previous: StoredPod | undefined): boolean {
  return previous === undefined || previous.spec !== pod.spec;
}

function count(room: Room, pod: StoredPod, sign: 1 | -1): void {
  const demand = demandOf(pod.spec);
  room.used.cpu += sign * demand.cpu;
  room.used.memory += sign * demand.memory;
  room.pods += sign;
}
