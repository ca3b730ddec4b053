import type { WakeTarget } from '../domain/externalwake/session.ts';
import { reasonCodes } from '../domain/wake/verdict/failure-sentence.ts';
import type {
  EndedBy,
  Lift,
  ReleasedBy,
  TierState,
  WaitedHost,
  WakeState,
  WriteOff,
} from '../domain/wake/verdict/wake-state.ts';
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
  wrong,
} from './codec/shape.ts';
import { readTarget } from './external-wake-sessions.ts';

export interface WakePayload {
  readonly kind: 'wake';
  readonly wake: WakeState;
  /** What the cluster would not let us raise, with its own words. */
  readonly refused: Readonly<Record<string, string>>;
  /** Keys of the workloads that answer fail-closed admission webhooks, as they were when the wake began. */
  readonly first?: readonly string[];
  /** What other clusters named: the wake is about this alone, and the rest of the cluster sleeps on. */
  readonly part?: readonly WakeTarget[];
  /** Of a part that somebody wants tried again while the cluster is awake: what of it is up already is judged anew. */
  readonly retry?: true;
  /** Present while the wake has yet to begin: it waits for these first. */
  readonly hosts?: readonly WaitedHost[];
}

export function readWake(json: unknown, where: string): WakePayload {
  const fields = object(json, where);
  const refused = stringMap(fields, 'refused', where);
  const first = own(fields, 'first') === undefined ? undefined : strings(fields, 'first', where);
  const wake = readWakeState(own(fields, 'wake'), place(where, 'wake'), refused);
  const named = own(fields, 'part');
  const part = named === undefined ? undefined : elements(named, place(where, 'part'), readTarget);
  const retry = given(fields, 'retry', where, only);
  const waited = own(fields, 'hosts');
  const hosts = waited === undefined ? undefined : elements(waited, place(where, 'hosts'), readHost);
  return {
    kind: 'wake',
    wake,
    refused,
    ...optional('first', first),
    ...optional('part', part),
    ...optional('retry', retry),
    ...optional('hosts', hosts),
  };
}

function readHost(json: unknown, where: string): WaitedHost {
  const fields = object(json, where);
  return {
    cluster: string(fields, 'cluster', where),
    until: epochField(fields, 'until', where),
    ...optional('why', given(fields, 'why', where, string)),
  };
}

/** The hosts that a wake waits for, of a payload that may be of any kind or release. */
export function hostsIn(payload: unknown): readonly WaitedHost[] {
  try {
    const hosts = own(object(payload, ''), 'hosts');
    return hosts === undefined ? [] : elements(hosts, 'hosts', readHost);
  } catch {
    return [];
  }
}

/** The words of a refusal stand once: a write-off for the same reason says where. */
export function wakeJson({ wake, refused, first, part, retry, hosts }: WakePayload): object {
  const writeOffs = mapOf(wake.writeOffs, '', (writeOff, _where, key) => {
    const { detail, ...rest } = writeOff as WriteOff;
    return detail !== undefined && detail === own(refused, key) ? { ...rest, detailIn: 'refused' } : writeOff;
  });
  return {
    wake: { ...wake, writeOffs },
    refused,
    ...optional('first', first),
    ...optional('part', part),
    ...optional('retry', retry),
    ...optional('hosts', hosts),
  };
}

/** More than any cluster holds; a count beyond it was not written by us. */
const mostCounted = 1_000_000_000;
const releases: readonly ReleasedBy[] = ['settled', 'barrier'];
const endings: readonly EndedBy[] = ['settled', 'fail_open', 'superseded', 'not_observed'];
const liftEndings: readonly Lift['ending'][] = ['restart', 'waiting', 'unmeasured', 'back'];

function readWakeState(json: unknown, where: string, refused: WakePayload['refused']): WakeState {
  const fields = object(json, where);
  return {
    id: string(fields, 'id', where),
    startedAt: epochField(fields, 'startedAt', where),
    failOpenMs: milliseconds(fields, 'failOpenMs', where),
    ...optional('resumedAt', given(fields, 'resumedAt', where, epochField)),
    tiers: elements(own(fields, 'tiers'), place(where, 'tiers'), readTier),
    writeOffs: mapOf(own(fields, 'writeOffs'), place(where, 'writeOffs'), (one, at, key) =>
      readWriteOff(one, at, own(refused, key)),
    ),
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

function readWriteOff(json: unknown, where: string, refusal: unknown): WriteOff {
  const fields = object(json, where);
  return {
    code: oneOf(fields, 'code', where, reasonCodes),
    at: epochField(fields, 'at', where),
    ...optional('ms', given(fields, 'ms', where, milliseconds)),
    ...optional('detail', readDetail(fields, where, refusal)),
    ...optional('killMs', given(fields, 'killMs', where, milliseconds)),
    ...optional('again', given(fields, 'again', where, only)),
    ...optional('lift', own(fields, 'lift') === undefined ? undefined : readLift(fields['lift'], place(where, 'lift'))),
  };
}

function readDetail(fields: Fields, where: string, refusal: unknown): string | undefined {
  const detailIn = own(fields, 'detailIn');
  if (detailIn === undefined) return given(fields, 'detail', where, string);
  if (detailIn === 'refused' && typeof refusal === 'string') return refusal;
  throw wrong(place(where, 'detailIn'), 'the word refused, with a message of that name in field refused', detailIn);
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
