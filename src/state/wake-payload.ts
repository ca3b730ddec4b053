import { reasonCodes } from '../domain/wake/verdict/reason.ts';
import type { EndedBy, Lift, ReleasedBy, TierState, WakeState, WriteOff } from '../domain/wake/wake-state.ts';
import {
  elements,
  epochField,
  type Fields,
  mapOf,
  milliseconds,
  object,
  oneOf,
  only,
  optional,
  own,
  place,
  string,
  stringMap,
  strings,
  wholeNumber,
} from './shape.ts';

export interface WakePayload {
  readonly kind: 'wake';
  readonly wake: WakeState;
  /** What the cluster would not let us raise, with its own words. */
  readonly refused: Readonly<Record<string, string>>;
}

export function readWake(json: unknown, where: string): WakePayload {
  const fields = object(json, where);
  return {
    kind: 'wake',
    wake: readWakeState(own(fields, 'wake'), place(where, 'wake')),
    refused: stringMap(fields, 'refused', where),
  };
}

/** More than any cluster holds; a count beyond it was not written by us. */
const mostCounted = 1_000_000_000;
const releases: readonly ReleasedBy[] = ['settled', 'barrier'];
const endings: readonly EndedBy[] = ['settled', 'fail_open', 'superseded', 'not_observed'];
const liftEndings: readonly Lift['ending'][] = ['restart', 'waiting', 'unmeasured', 'back'];

function readWakeState(json: unknown, where: string): WakeState {
  const fields = object(json, where);
  return {
    id: string(fields, 'id', where),
    startedAt: epochField(fields, 'startedAt', where),
    failOpenMs: milliseconds(fields, 'failOpenMs', where),
    ...optional('resumedAt', given(fields, 'resumedAt', where, epochField)),
    tiers: elements(own(fields, 'tiers'), place(where, 'tiers'), readTier),
    writeOffs: mapOf(own(fields, 'writeOffs'), place(where, 'writeOffs'), readWriteOff),
    ...optional('endedAt', given(fields, 'endedAt', where, epochField)),
    ...optional(
      'endedBy',
      given(fields, 'endedBy', where, (...at) => oneOf(...at, endings)),
    ),
  };
}

function readTier(json: unknown, where: string): TierState {
  const fields = object(json, where);
  return {
    name: string(fields, 'name', where),
    barrierMs: milliseconds(fields, 'barrierMs', where),
    workloads: wholeNumber(fields, 'workloads', where, mostCounted),
    databases: strings(fields, 'databases', where),
    ...optional('startedAt', given(fields, 'startedAt', where, epochField)),
    ...optional('judgedAt', given(fields, 'judgedAt', where, epochField)),
    ...optional('releasedAt', given(fields, 'releasedAt', where, epochField)),
    ...optional(
      'releasedBy',
      given(fields, 'releasedBy', where, (...at) => oneOf(...at, releases)),
    ),
  };
}

function readWriteOff(json: unknown, where: string): WriteOff {
  const fields = object(json, where);
  return {
    code: oneOf(fields, 'code', where, reasonCodes),
    at: epochField(fields, 'at', where),
    ...optional('ms', given(fields, 'ms', where, milliseconds)),
    ...optional('detail', given(fields, 'detail', where, string)),
    ...optional('killMs', given(fields, 'killMs', where, milliseconds)),
    ...optional('again', given(fields, 'again', where, only)),
    ...optional('lift', own(fields, 'lift') === undefined ? undefined : readLift(fields['lift'], place(where, 'lift'))),
  };
}

function readLift(json: unknown, where: string): Lift {
  const fields = object(json, where);
  return {
    at: epochField(fields, 'at', where),
    ending: oneOf(fields, 'ending', where, liftEndings),
    ...optional('gapMs', given(fields, 'gapMs', where, milliseconds)),
    ...optional(
      'restarts',
      given(fields, 'restarts', where, (...at) => wholeNumber(...at, mostCounted)),
    ),
    ...optional('broken', given(fields, 'broken', where, only)),
  };
}

/** Reads a field that may be absent. */
function given<T>(
  fields: Fields,
  field: string,
  where: string,
  read: (fields: Fields, field: string, where: string) => T,
): T | undefined {
  return own(fields, field) === undefined ? undefined : read(fields, field, where);
}
