import type { AnswerOf } from '../../contract/operations.ts';
import type { DatabaseAddress } from '../../domain/database/address.ts';
import { satelliteRef } from '../../domain/redirect/marks.ts';
import { type ServiceRef, serviceKey } from '../../domain/redirect/service.ts';
import { isScalable } from '../../domain/workload.ts';
import { type DatabaseState, databaseStates } from '../../state/database-states.ts';
import { resourceStates } from '../../state/resource-states.ts';
import { type SatelliteRecord, satellites } from '../../state/satellites.ts';
import type { ApiPorts } from '../ports.ts';
import type { Handlers } from '../server/call.ts';
import { degrade, type ManagedState, need, readOr503 } from '../state/managed-state.ts';
import type { Outlooks } from '../status/outlook.ts';
import { instant } from '../status/wire.ts';
import { redirectsOf } from './redirects.ts';

type Database = AnswerOf<'databases'>['items'][number];
type Satellite = AnswerOf<'satellites'>['items'][number];

/** What sleeps and wakes beside the workloads, as the controller last recorded it. */
export function companionHandlers(
  ports: ApiPorts,
  state: ManagedState,
  outlooks: Outlooks,
): Pick<Handlers, 'databases' | 'satellites'> {
  return {
    async databases() {
      const { snapshot } = await readOr503(state);
      const known = degrade(snapshot, databaseStates, ports.logger, 'warn');
      const configured = Object.entries(ports.config().databases).map(([name, address]) =>
        databaseOf(name, address, known.get(name), true),
      );
      // Stopped by us and forgotten by the configuration since: it is started yet, so it is shown.
      const forgotten = [...known].flatMap(([name, stored]) =>
        Object.hasOwn(ports.config().databases, name) || stored.address === undefined
          ? []
          : [databaseOf(name, stored.address, stored, false)],
      );
      return { items: [...configured, ...forgotten].toSorted((a, b) => (a.name < b.name ? -1 : 1)) };
    },

    async satellites() {
      const { snapshot } = await readOr503(state);
      const { enabled, services } = ports.config().serviceRedirection;
      const records = new Map(need(snapshot, satellites).map((record) => [serviceKey(record), record]));
      const named = new Map<string, ServiceRef>(services.map((service) => [serviceKey(service), service]));
      const items = new Map<string, ServiceRef>([...named, ...records]);
      // What stands behind a Service cannot be told before the cluster has been listed, nor with records that are spoilt.
      const known = ports.view.synced() && snapshot.read(resourceStates).ok;
      const redirects = known ? await redirectsOf(ports, outlooks.scene(snapshot)) : [];
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

function databaseOf(
  name: string,
  { type, identifier, region }: Pick<DatabaseAddress, 'type' | 'identifier' | 'region'>,
  known: DatabaseState | undefined,
  configured: boolean,
): Database {
  return {
    name,
    type,
    identifier,
    region,
    status: known?.status ?? null,
    ...(known === undefined ? {} : { at: instant(known.at) }),
    stoppedByUs: known?.stoppedByUs ?? false,
    configured,
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
