import type { Identity } from './api/access/identity.ts';
import { EmbeddedApi } from './api/embedded-api.ts';
import { ResourceRegistry } from './api/kinds/resource-registry.ts';
import { type ApplyTarget, applyObjects, type Manifest } from './apply-objects.ts';
import { AutoscalerController } from './controllers/autoscaler-controller.ts';
import { CronJobController } from './controllers/cron-job-controller.ts';
import { DeploymentController } from './controllers/deployment-controller.ts';
import { EndpointsController } from './controllers/endpoints-controller.ts';
import { GarbageCollector } from './controllers/garbage-collector.ts';
import { JobController } from './controllers/job-controller.ts';
import type { ControllerContext } from './controllers/machinery/controller-context.ts';
import { EventRecorder, type EventsKept } from './controllers/machinery/event-recorder.ts';
import { PodIndex } from './controllers/machinery/pod-index.ts';
import { TypedStore } from './controllers/machinery/typed-store.ts';
import { WorkQueue } from './controllers/machinery/work-queue.ts';
import { NamespaceController } from './controllers/namespace-controller.ts';
import { defaultPool, type NodePool } from './controllers/node-objects.ts';
import { NodePools } from './controllers/node-pools.ts';
import { PodGarbage } from './controllers/pod-garbage.ts';
import { ReplicaSetController } from './controllers/replica-set-controller.ts';
import { StatefulSetController } from './controllers/stateful-set-controller.ts';
import { Kubelet } from './kubelet/kubelet.ts';
import type { KubeObject } from './object-store.ts';
import type { Clock } from './ports/clock.ts';
import type { Random } from './ports/random.ts';
import type { Transport } from './ports/transport.ts';
import { Scheduler } from './scheduler/scheduler.ts';
import { MemoryStore, type WriteOptions } from './store/memory-store.ts';
import { steadyClock } from './time/steady-clock.ts';

export interface EmbeddedClusterOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly nodes?: readonly NodePool[];
  /** Events of controllers, scheduler and kubelet; a long simulation may do without them. */
  readonly events?: EventsKept;
  /** `later`: Services have no endpoints until `keepEndpoints`; they are a fifth of all writes, and nobody may be looking. */
  readonly endpoints?: 'kept' | 'later';
  /** How many changes of each resource a watch can resume over; few are cheaper in a long simulation. */
  readonly historyLimit?: number;
  /** From a change to the controllers' answer. */
  readonly reactionMs?: number;
  /** The pace of bookmarks and of the lives of watches, where it is not the clock's own. */
  readonly watchClock?: Clock;
  /** False as clusters without the feature WatchList have it: a watch that asks for a list first is refused. */
  readonly streamingLists?: boolean;
  /** Renew node leases by timer; leave it out in process, where an idle cluster should have no timer. */
  readonly nodeHeartbeatSeconds?: number;
  /** Hears of a reconcile that failed; without it the error is thrown out of the clock's timer. */
  readonly onError?: (error: unknown, controller: string, key: string) => void;
}

/** A Kubernetes cluster in this process: the store, and the controllers, scheduler and kubelets that move it. */
export class EmbeddedCluster {
  readonly store: MemoryStore;
  readonly api: EmbeddedApi;
  readonly #queue: WorkQueue;
  readonly #events: EventRecorder;
  readonly #endpoints: EndpointsController;
  readonly #target: ApplyTarget;

  constructor(options: EmbeddedClusterOptions) {
    const { random } = options;
    const clock = steadyClock(options.clock);
    const { historyLimit } = options;
    this.store = new MemoryStore(clock, random, historyLimit === undefined ? {} : { historyLimit });
    const { watchClock } = options;
    this.api = new EmbeddedApi({
      store: this.store,
      clock,
      random,
      ...(watchClock === undefined ? {} : { watchClock }),
      streamingLists: options.streamingLists ?? true,
    });
    this.#target = { store: this.store, registry: new ResourceRegistry(this.store), random };
    const store = new TypedStore(this.store);
    this.#queue = new WorkQueue({
      clock,
      reactionMs: options.reactionMs ?? 5,
      onError: options.onError ?? rethrow,
    });
    this.#events = new EventRecorder(store, clock, options.events ?? 'all');
    const context: ControllerContext = {
      store,
      clock,
      random,
      queue: this.#queue,
      events: this.#events,
      pods: new PodIndex(store),
    };
    const { nodeHeartbeatSeconds } = options;
    new NodePools(context, {
      pools: options.nodes ?? [defaultPool],
      ...(nodeHeartbeatSeconds === undefined ? {} : { heartbeatSeconds: nodeHeartbeatSeconds }),
    });
    new Kubelet(context);
    new Scheduler(context);
    new PodGarbage(context);
    new ReplicaSetController(context);
    new DeploymentController(context);
    new StatefulSetController(context);
    new JobController(context);
    new CronJobController(context);
    new AutoscalerController(context);
    this.#endpoints = new EndpointsController(context);
    if (options.endpoints !== 'later') this.#endpoints.keep();
    new GarbageCollector(this.store, this.#queue);
    new NamespaceController(context, this.store);
  }

  /** A client's way in, as this identity; without one, as an administrator. */
  transport(identity?: Identity): Transport {
    return this.api.transport(identity);
  }

  /** Creates or replaces objects at once, with the API's defaults; missing namespaces are made. */
  apply(objects: readonly Manifest[], as?: WriteOptions): readonly KubeObject[] {
    return applyObjects(this.#target, objects, as);
  }

  /** Which events are written from now on. */
  keepEvents(which: EventsKept): void {
    this.#events.keep(which);
  }

  /** For a cluster that began without: each Service has its endpoints from now on. */
  keepEndpoints(): void {
    this.#endpoints.keep();
  }

  /** Lets the controllers work. What changed before, or while they were stopped, is worked off first. */
  start(): void {
    this.#queue.start();
  }

  /** Stops the controllers, scheduler and kubelets; the store keeps answering. No timer is left. */
  stop(): void {
    this.#queue.stop();
  }
}

function rethrow(error: unknown): void {
  throw error;
}
