import {
  type AdminStandDown,
  notStoodDown,
  type StandDownChange,
  type StandDownState,
} from '../domain/stops/stand-down-state.ts';
import { codec } from './codec/codec.ts';
import {
  elements,
  type Fields,
  flag,
  instantField,
  instantText,
  object,
  oneOf,
  optional,
  optionalText,
  own,
  refuseDuplicates,
  text,
} from './codec/shape.ts';

export const standDown = codec<StandDownState>({
  key: 'stand_down',
  empty: notStoodDown,
  blankIsEmpty: true,
  read: readState,
  write(state) {
    const json = stateJson(state);
    return Object.keys(json).length === 0 ? undefined : JSON.stringify(json);
  },
});

function readState(json: unknown): StandDownState {
  const fields = object(json, '');
  const unannounced = own(fields, 'unannounced') ?? [];
  const changes = elements(unannounced, 'field unannounced', readChange);
  refuseDuplicates(changes, ({ id }) => `change ${id}`);
  return {
    ...optional('admin', part(fields, 'admin', readAdmin)),
    ...optional('configuration', part(fields, 'configuration', readConfiguration)),
    handbackDone: own(fields, 'handbackDone') === undefined ? false : flag(fields, 'handbackDone', ''),
    ...optional('ended', part(fields, 'ended', readEnded)),
    unannounced: changes,
  };
}

function part<T>(fields: Fields, field: string, read: (fields: Fields, where: string) => T): T | undefined {
  const value = own(fields, field);
  return value === undefined ? undefined : read(object(value, `field ${field}`), `field ${field}`);
}

function readAdmin(fields: Fields, where: string): AdminStandDown {
  return { ...readEnded(fields, where), ...optional('reason', optionalText(fields, 'reason', where)) };
}

function readConfiguration(fields: Fields, where: string) {
  return { at: instantField(fields, 'at', where) };
}

function readEnded(fields: Fields, where: string) {
  return { actor: text(fields, 'actor', where), at: instantField(fields, 'at', where) };
}

function readChange(element: unknown, where: string): StandDownChange {
  const fields = object(element, where);
  return {
    id: text(fields, 'id', where, 128),
    act: oneOf(fields, 'act', where, ['stood-down', 'ended']),
    source: oneOf(fields, 'source', where, ['admin', 'configuration']),
    ...readAdmin(fields, where),
  };
}

function stateJson({ admin, configuration, handbackDone, ended, unannounced }: StandDownState): object {
  return {
    ...optional('admin', admin && timed(admin)),
    ...optional('configuration', configuration && timed(configuration)),
    ...(handbackDone ? { handbackDone } : {}),
    ...optional('ended', ended && timed(ended)),
    ...(unannounced.length === 0 ? {} : { unannounced: unannounced.map(timed) }),
  };
}

function timed<T extends { readonly at: number }>(value: T): object {
  return { ...value, at: instantText(value.at) };
}
