import type { WiredService } from './wired-service.ts';

/** When the service took workloads down and up again. */
export class Scalings {
  /** By `shop/cart`, or `shop/cart (StatefulSet)` for what is no Deployment; a ScaledObject is lowered when it is paused. */
  readonly lowered = new Map<string, number>();
  readonly raised = new Map<string, number>();

  constructor({ cluster }: WiredService) {
    cluster.api.faults.onWrite(({ resource, namespace, name, before, after, user }) => {
      if (!user.endsWith(':svc-controller')) return;
      if (resource === 'scaledobjects.keda.sh') {
        const paused = after?.metadata.annotations?.['autoscaling.keda.sh/paused-replicas'] === '0';
        (paused ? this.lowered : this.raised).set(`${namespace}/${name} (ScaledObject)`, performance.now());
        return;
      }
      const key = `${namespace}/${name}${resource === 'deployments.apps' ? '' : ' (StatefulSet)'}`;
      const [was, is] = [before, after].map(
        (object) => (object?.['spec'] as { replicas?: number } | undefined)?.replicas,
      );
      if (was !== undefined && was > 0 && is === 0) this.lowered.set(key, performance.now());
      if (was === 0 && is !== undefined && is > 0) this.raised.set(key, performance.now());
    });
  }

  forget(): void {
    this.lowered.clear();
    this.raised.clear();
  }
}
