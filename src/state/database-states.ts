import type { DatabaseAddress } from '../domain/database/address.ts';
import type { EpochMs } from '../domain/workload.ts';
import { codec } from './codec/codec.ts';
import { flag, instantField, instantText, object, oneOf, optionalText, ShapeError, text } from './codec/shape.ts';

export interface DatabaseState {
  /** The cloud's own word, as last seen. */
  readonly status: string;
  /** Only what the service stopped is started by it. */
  readonly stoppedByUs: boolean;
  readonly at: EpochMs;
  /** Where it was when we stopped it: the configuration may have forgotten it since. Absent in records of older versions. */
  readonly address?: DatabaseAddress;
}

/** Keyed by the name of the database in `config.databases`. A Map, because the names come from people. */
export type DatabaseStates = ReadonlyMap<string, DatabaseState>;

export const databaseStates = codec<DatabaseStates>({
  key: 'database_states',
  empty: new Map(),
  blankIsEmpty: false,
  read: (json) =>
    new Map(Object.entries(object(json, '')).map(([name, value]) => [named(name), readState(name, value)])),
  write(states) {
    const lines = [...states].map(([name, state]) => `${JSON.stringify(name)}:${JSON.stringify(stateJson(state))}`);
    return lines.length === 0 ? '{}' : `{\n${lines.toSorted().join(',\n')}\n}`;
  },
});

function named(name: string): string {
  if (name === '') throw new ShapeError('a database must have a name that is not empty.');
  return name;
}

function readState(name: string, value: unknown): DatabaseState {
  const where = `database ${name.slice(0, 60)}`;
  const fields = object(value, where);
  return {
    status: text(fields, 'status', where, 64),
    stoppedByUs: flag(fields, 'stoppedByUs', where),
    at: instantField(fields, 'at', where),
    ...(fields['address'] === undefined ? {} : { address: readAddress(fields['address'], `${where}, field address`) }),
  };
}

function readAddress(value: unknown, where: string): DatabaseAddress {
  const fields = object(value, where);
  const [endpoint, profile, proxyURL] = ['endpoint', 'profile', 'proxyURL'].map((field) =>
    optionalText(fields, field, where),
  );
  return {
    type: oneOf(fields, 'type', where, ['instance', 'cluster']),
    identifier: text(fields, 'identifier', where, 63),
    region: text(fields, 'region', where, 32),
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(profile === undefined ? {} : { profile }),
    ...(proxyURL === undefined ? {} : { proxyURL }),
  };
}

function stateJson({ status, stoppedByUs, at, address }: DatabaseState): object {
  return { status, stoppedByUs, at: instantText(at), ...(address === undefined ? {} : { address }) };
}
