import type { KubeObject } from '../../../embedded-cluster/object-store.ts';
import { storageOf } from '../../support/builders/neighbours.ts';
import type { WiredService } from './wired-service.ts';

interface ScaledKind {
  readonly name: string;
  isUp(object: KubeObject): boolean;
}

const specOf = (object: KubeObject) => object['spec'] as { readonly replicas?: number; readonly suspend?: boolean };
const hasReplicas = (object: KubeObject) => (specOf(object).replicas ?? 0) > 0;

/** By where the store keeps them. */
const kinds: Readonly<Record<string, ScaledKind>> = {
  'deployments.apps': { name: 'Deployment', isUp: hasReplicas },
  'statefulsets.apps': { name: 'StatefulSet', isUp: hasReplicas },
  [storageOf('ScaledObject')]: {
    name: 'ScaledObject',
    isUp: ({ metadata }) => metadata.annotations?.['autoscaling.keda.sh/paused-replicas'] !== '0',
  },
  'pools.example.com': { name: 'Pool', isUp: hasReplicas },
  [storageOf('Kustomization')]: { name: 'Kustomization', isUp: (object) => specOf(object).suspend !== true },
};

/** When the service took workloads down and up again. */
export class Scalings {
  /** By `shop/cart`, or `shop/cart (StatefulSet)` for what is no Deployment; what can only be paused is lowered when it is. */
  readonly lowered = new Map<string, number>();
  readonly raised = new Map<string, number>();

  constructor({ cluster }: WiredService) {
    cluster.api.faults.onWrite(({ resource, namespace, name, before, after, user }) => {
      const kind = kinds[resource];
      if (!user.endsWith(':svc-controller') || kind === undefined) return;
      const place = `${namespace}/${name}${kind.name === 'Deployment' ? '' : ` (${kind.name})`}`;
      const [was, is] = [before, after].map((object) => object && kind.isUp(object));
      if (was === true && is === false) this.lowered.set(place, performance.now());
      if (was === false && is === true) this.raised.set(place, performance.now());
    });
  }

  forget(): void {
    this.lowered.clear();
    this.raised.clear();
  }
}
