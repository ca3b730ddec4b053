import type { AnswerOf } from '../../contract/operations.ts';
import { satelliteRef } from '../../domain/redirect/marks.ts';
import { type ServiceRef, serviceKey } from '../../domain/redirect/service.ts';
import { isScalable } from '../../domain/workload.ts';
import { type SatelliteRecord, satellites } from '../../state/satellites.ts';
import type { Handlers } from '../call/call.ts';
import type { ApiPorts } from '../call/ports.ts';
import type { Outlooks } from '../outlook/outlook.ts';
import { instant } from '../outlook/wire.ts';
import { type ManagedState, need, readOr503 } from '../state/managed-state.ts';
import { redirectsOf } from './redirects.ts';

type Satellite = AnswerOf<'satellites'>['items'][number];

/** The services that a satellite may answer for, and who answers now. */
export function satelliteHandlers(
  ports: ApiPorts,
  state: ManagedState,
  outlooks: Outlooks,
): Pick<Handlers, 'satellites'> {
  return {
    async satellites() {
      const { snapshot } = await readOr503(state);
      const { enabled, services } = ports.config().serviceRedirection;
      const records = new Map(need(snapshot, satellites).map((record) => [serviceKey(record), record]));
      const named = new Map<string, ServiceRef>(services.map((service) => [serviceKey(service), service]));
      const items = new Map<string, ServiceRef>([...named, ...records]);
      // What stands behind a Service cannot be told before the cluster has been listed, nor with a state that is spoilt.
      const outlook = ports.view.synced() ? outlooks.ifDecodable(snapshot) : undefined;
      const redirects = outlook === undefined ? [] : await redirectsOf(ports, snapshot, outlook);
      const reasons = new Map(redirects.map(({ service, reason }) => [service, reason]));
      return {
        enabled,
        items: [...items]
          .toSorted(([a], [b]) => (a < b ? -1 : 1))
          .map(([key, ref]) => ({
            ...satelliteOf(ports, ref, records.get(key), named.has(key)),
            ...(reasons.get(key) === undefined ? {} : { reason: reasons.get(key)! }),
          })),
      };
    },
  };
}

/** The record is written before the Service is pointed away, and dropped after it points back. */
function satelliteOf(
  { view }: ApiPorts,
  { namespace, name }: ServiceRef,
  record: SatelliteRecord | undefined,
  configured: boolean,
): Satellite {
  const found = view.workload({ kind: 'Deployment', ...satelliteRef({ namespace, name }) });
  const ready = found !== undefined && isScalable(found) && found.readyReplicas > 0;
  return {
    namespace,
    service: name,
    state: record === undefined ? 'own' : ready ? 'standing_in' : 'starting',
    ...(record === undefined ? {} : { since: instant(record.at) }),
    configured,
  };
}
