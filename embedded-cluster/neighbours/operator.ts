import type { Manifest } from '../apply-objects.ts';
import { controlledBy, controllerKey } from '../controllers/machinery/controller-context.ts';
import type { KubeObject } from '../object-store.ts';
import { Neighbour, type NeighbourOptions } from './neighbour.ts';
import { replicasOf, withReplicas } from './replicas.ts';

/** What is particular of an operator. */
export interface OperatorTraits {
  readonly manager: string;
  readonly kind: string;
  readonly resource: string;
  /** The field of `spec` with the count. */
  readonly field: string;
  /** The count where the field is absent. */
  readonly absent: number;
  /** How it notices that somebody else scaled its StatefulSet: at once, or at its next resync. */
  readonly notices: 'at once' | 'at its resync';
  readonly resyncMs: number;
}

export const prometheusOperator: OperatorTraits = {
  manager: 'PrometheusOperator',
  kind: 'Prometheus',
  resource: 'prometheuses.monitoring.coreos.com',
  field: 'replicas',
  absent: 1,
  notices: 'at once',
  resyncMs: 300_000,
};

/** With `enable_owner_references`. */
export const postgresOperator: OperatorTraits = {
  manager: 'postgres-operator',
  kind: 'postgresql',
  resource: 'postgresqls.acid.zalan.do',
  field: 'numberOfInstances',
  absent: 0,
  notices: 'at its resync',
  resyncMs: 1_800_000,
};

/** An operator that keeps a StatefulSet of its own at the count that its custom resource asks for. */
export class Operator extends Neighbour {
  readonly #traits: OperatorTraits;

  constructor(options: NeighbourOptions, traits: OperatorTraits) {
    super(options, traits.manager, traits.resource);
    this.#traits = traits;
    if (traits.notices === 'at once') {
      this.store.onChange('statefulsets.apps', ({ object }) => {
        const key = controllerKey(object, traits.kind);
        if (key !== undefined) this.lookSoon(key);
      });
    }
  }

  protected override reconcile(object: KubeObject): number {
    const { field, absent, resyncMs } = this.#traits;
    const wanted = ((object['spec'] as Record<string, unknown>)[field] as number | undefined) ?? absent;
    const set = this.store.get('statefulsets.apps', object.metadata.namespace, object.metadata.name);
    if (set === undefined) this.cluster.apply([statefulSet(object, wanted)], this.as());
    else if (replicasOf(set) !== wanted) {
      this.store.update('statefulsets.apps', withReplicas(set, wanted), this.as());
    }
    return resyncMs;
  }
}

function statefulSet(owner: KubeObject, replicas: number): Manifest {
  const { name, namespace = 'default' } = owner.metadata;
  const labels = { app: name };
  return {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name, namespace, labels, ownerReferences: [controlledBy(owner)] },
    spec: {
      replicas,
      serviceName: name,
      podManagementPolicy: 'Parallel',
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'main', image: 'registry.example.com/app:1' }] } },
    },
  };
}
