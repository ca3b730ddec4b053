import { standsBehind, wantsSatellite } from '../../domain/redirect/backing.ts';
import { markedSelector, pointsAtSatellite } from '../../domain/redirect/marks.ts';
import { type Service, type ServiceRef, serviceKey } from '../../domain/redirect/service.ts';
import { isScalable } from '../../domain/workload.ts';
import type { ApiPorts } from '../call/ports.ts';
import type { WorkloadsSnapshot } from '../outlook/workloads-snapshot.ts';

/** A Service that the configuration names, and why it gets no satellite in the night; undefined when it gets one. */
export interface Redirect {
  readonly service: string;
  readonly reason?: string;
}

/** Every named Service, each read from the cluster, by the rule that the controller goes by. Empty while redirection is off. */
export function redirectsOf(
  { config, services }: Pick<ApiPorts, 'config' | 'services'>,
  workloads: WorkloadsSnapshot,
): Promise<readonly Redirect[]> {
  const { enabled, services: named } = config().serviceRedirection;
  return Promise.all(
    (enabled ? named : []).map(async (ref) => {
      const reason = await services.read(ref).then(
        (service) => whyNot(workloads, ref, service),
        (error: unknown) => `it cannot be read: ${error instanceof Error ? error.message : String(error)}`,
      );
      return { service: serviceKey(ref), ...(reason === undefined ? {} : { reason }) };
    }),
  );
}

function whyNot({ items }: WorkloadsSnapshot, ref: ServiceRef, service: Service | undefined): string | undefined {
  const selector = service === undefined ? {} : ownSelector(service);
  const backing = items.flatMap(({ workload, skipped }) => {
    if (workload.namespace !== ref.namespace || !standsBehind(selector, workload)) return [];
    const atZero = isScalable(workload) && workload.replicas === 0 && workload.readyReplicas === 0;
    return [{ workload, sleeps: skipped === undefined || atZero }];
  });
  const wanted = wantsSatellite(service, selector, backing);
  return wanted.wanted ? undefined : wanted.reason;
}

function ownSelector(service: Service) {
  return pointsAtSatellite(service) ? (markedSelector(service) ?? {}) : service.selector;
}
