import { keyOf, splitKey } from '../controllers/machinery/typed-store.ts';
import { type Work, WorkQueue } from '../controllers/machinery/work-queue.ts';
import type { EmbeddedCluster } from '../embedded-cluster.ts';
import type { KubeObject } from '../object-store.ts';
import type { Clock } from '../ports/clock.ts';
import type { Random } from '../ports/random.ts';
import type { WriteActor } from '../store/managed-fields.ts';
import type { MemoryStore, WriteOptions } from '../store/memory-store.ts';
import { steadyClock } from '../time/steady-clock.ts';

export interface NeighbourOptions {
  readonly cluster: Pick<EmbeddedCluster, 'store' | 'apply'>;
  readonly clock: Clock;
  readonly random: Random;
}

/** Who a write of the store came from, for whoever listens to it. */
interface NeighbourOrigin {
  readonly neighbour: string;
}

export function isNeighbourOrigin(origin: unknown): origin is NeighbourOrigin {
  return typeof origin === 'object' && origin !== null && 'neighbour' in origin;
}

/** What a watch, a work queue and a request take a controller that runs in a pod. */
const reactionMs = 50;

/**
 * A controller that people install beside the cluster's own: it reconciles the objects of one kind, when they change and again
 * and again. It is a process of its own: stopped, it does nothing at all; started again, it looks at everything anew.
 */
export abstract class Neighbour {
  /** The name under which its writes are known. */
  readonly manager: string;
  protected readonly cluster: NeighbourOptions['cluster'];
  protected readonly random: Random;
  readonly #clock: Clock;
  readonly #resource: string;
  readonly #queue: WorkQueue;
  readonly #work: Work;
  /** How often it has reconciled an object. */
  reconciles = 0;

  constructor({ cluster, clock, random }: NeighbourOptions, manager: string, resource: string) {
    this.cluster = cluster;
    this.random = random;
    this.manager = manager;
    this.#resource = resource;
    this.#clock = steadyClock(clock);
    this.#queue = new WorkQueue({
      clock: this.#clock,
      reactionMs,
      onError: (error) => {
        throw error;
      },
    });
    this.#work = this.#queue.register(manager, (key) => this.#look(key));
    this.store.onChange(resource, ({ object }) => this.#work.enqueue(keyOf(object)));
  }

  start(): void {
    for (const object of this.store.list(this.#resource)) this.#work.enqueue(keyOf(object));
    this.#queue.start();
  }

  stop(): void {
    this.#queue.stop();
  }

  /** Does what the object asks for; answers after how many milliseconds to look again, if nothing changes before. */
  protected abstract reconcile(object: KubeObject): number | undefined;

  protected get store(): MemoryStore {
    return this.cluster.store;
  }

  /** How its writes are known. */
  protected as(more: Omit<WriteActor, 'manager'> = { operation: 'Update' }): WriteOptions {
    return { actor: { manager: this.manager, ...more }, origin: { neighbour: this.manager } satisfies NeighbourOrigin };
  }

  /** Something that the object rules has changed. */
  protected lookSoon(key: string, afterMs = 0): void {
    if (afterMs === 0) this.#work.enqueue(key);
    else this.#work.deadline(key, this.#clock.now() + afterMs);
  }

  #look(key: string): void {
    const { namespace, name } = splitKey(key);
    const object = this.store.get(this.#resource, namespace, name);
    this.#work.deadline(key, undefined);
    if (object === undefined || object.metadata.deletionTimestamp !== undefined) return;
    this.reconciles++;
    const afterMs = this.reconcile(object);
    if (afterMs !== undefined) this.#work.deadline(key, this.#clock.now() + afterMs);
  }
}
