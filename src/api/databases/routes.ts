import type { AnswerOf } from '../../contract/operations.ts';
import type { DatabaseAddress } from '../../domain/database/address.ts';
import { type DatabaseState, databaseStates } from '../../state/database-states.ts';
import type { Handlers } from '../call/call.ts';
import type { ApiPorts } from '../call/ports.ts';
import { instant } from '../outlook/wire.ts';
import { degrade, type ManagedState, readOr503 } from '../state/managed-state.ts';

type Database = AnswerOf<'databases'>['items'][number];

/** The databases that sleep with the cluster, as the controller last recorded them. */
export function databaseHandlers(ports: ApiPorts, state: ManagedState): Pick<Handlers, 'databases'> {
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
