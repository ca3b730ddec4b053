import type { EpochMs } from '../domain/workload.ts';
import { arrayText, codec } from './codec/codec.ts';
import {
  elements,
  instantField,
  instantText,
  object,
  optional,
  optionalText,
  own,
  place,
  refuseDuplicates,
  ShapeError,
  text,
} from './codec/shape.ts';

/** What a dependent cluster asked for; an absent field means all of them. */
export interface WakeTarget {
  readonly namespace: string;
  readonly type?: string;
  readonly name?: string;
}

export interface ExternalWakeSession {
  readonly id: string;
  readonly cluster: string;
  /** Empty means the whole cluster. */
  readonly resources: readonly WakeTarget[];
  readonly startedAt: EpochMs;
  readonly expiresAt: EpochMs;
  /** The clusters with a reason of their own, when they are others than the one that asked. */
  readonly origins?: readonly string[];
}

export const externalWakeSessions = codec<readonly ExternalWakeSession[]>({
  key: 'external_wake_sessions',
  empty: [],
  blankIsEmpty: false,
  read(json) {
    const sessions = elements(json, '', readSession);
    refuseDuplicates(sessions, ({ id }) => `session ${id}`);
    return sessions;
  },
  write: (sessions) => arrayText(sessions.map((session) => JSON.stringify(sessionJson(session)))),
});

function readSession(element: unknown, where: string): ExternalWakeSession {
  const fields = object(element, where);
  const session = {
    id: text(fields, 'id', where, 128),
    cluster: text(fields, 'cluster', where, 253),
    resources: elements(own(fields, 'resources'), place(where, 'resources'), readTarget),
    startedAt: instantField(fields, 'startedAt', where),
    expiresAt: instantField(fields, 'expiresAt', where),
    ...optional('origins', readOrigins(own(fields, 'origins'), place(where, 'origins'))),
  };
  if (session.expiresAt < session.startedAt) throw new ShapeError(`${where} expires before it starts.`);
  return session;
}

function readOrigins(value: unknown, where: string): readonly string[] | undefined {
  if (value === undefined) return undefined;
  return elements(value, where, (element, at) => text({ name: element }, 'name', at, 253));
}

export function readTarget(element: unknown, where: string): WakeTarget {
  const fields = object(element, where);
  return {
    namespace: text(fields, 'namespace', where, 253),
    ...optional('type', optionalText(fields, 'type', where, 253)),
    ...optional('name', optionalText(fields, 'name', where, 253)),
  };
}

function sessionJson({ id, cluster, resources, startedAt, expiresAt, origins }: ExternalWakeSession): object {
  return {
    id,
    cluster,
    resources,
    startedAt: instantText(startedAt),
    expiresAt: instantText(expiresAt),
    ...optional('origins', origins),
  };
}
