import { keyOf } from '../controllers/machinery/typed-store.ts';
import type { KubeObject } from '../object-store.ts';
import type { Random } from '../ports/random.ts';
import { Neighbour, type NeighbourOptions } from './neighbour.ts';
import { replicasOf, withReplicas } from './replicas.ts';
import { storageOf } from './storage.ts';

const paused = 'autoscaling.keda.sh/paused';
const pausedReplicas = 'autoscaling.keda.sh/paused-replicas';

interface Spec {
  readonly scaleTargetRef: { readonly kind?: string; readonly name: string };
  readonly pollingInterval?: number;
  readonly minReplicaCount?: number;
  readonly maxReplicaCount?: number;
}

export interface KedaOptions extends NeighbourOptions {
  /** What the triggers ask for, of 0 to `most` replicas; drawn anew now and then. */
  readonly demand?: (random: Random, most: number) => number;
}

/** How often, of all polls, the triggers ask for something else. */
const restless = 0.02;

/**
 * KEDA, with the autoscaler that it makes: between the least and the most, as its triggers ask. One that is paused at a count is
 * taken there and left; any other is raised from zero by the first trigger, and to its least in any case. What becomes of the
 * target of a ScaledObject that is deleted is up to others: KEDA leaves it at the count that it has.
 */
export class Keda extends Neighbour {
  readonly #demandOf: (random: Random, most: number) => number;
  readonly #demands = new Map<string, number>();

  constructor(options: KedaOptions) {
    super(options, 'keda', 'scaledobjects.keda.sh');
    this.#demandOf = options.demand ?? ((random, most) => Math.floor(random.next() * (most + 1)));
  }

  protected override reconcile(object: KubeObject): number {
    const { scaleTargetRef, pollingInterval = 30 } = object['spec'] as Spec;
    const resource = storageOf(scaleTargetRef.kind ?? 'Deployment');
    const target = this.store.get(resource, object.metadata.namespace, scaleTargetRef.name);
    if (target !== undefined) {
      const wanted = this.#wanted(object, replicasOf(target));
      if (wanted !== replicasOf(target))
        this.store.update(
          resource,
          withReplicas(target, wanted),
          this.as({ operation: 'Update', subresource: 'scale' }),
        );
    }
    return pollingInterval * 1_000;
  }

  #wanted(object: KubeObject, current: number): number {
    const { [pausedReplicas]: count, [paused]: held } = object.metadata.annotations ?? {};
    if (count !== undefined && /^\d+$/.test(count)) return Number(count);
    if (held === 'true') return current;
    const { minReplicaCount: least = 0, maxReplicaCount: most = 100 } = object['spec'] as Spec;
    return Math.min(most, Math.max(least, this.#demand(keyOf(object), most)));
  }

  #demand(key: string, most: number): number {
    const known = this.#demands.get(key);
    if (known !== undefined && this.random.next() >= restless) return known;
    const drawn = this.#demandOf(this.random, most);
    this.#demands.set(key, drawn);
    return drawn;
  }
}
