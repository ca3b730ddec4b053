import type { Announcement, LogLine, NamespaceEvent } from '../domain/announcement/announcement.ts';
import type { AuditDetail, AuditEntry } from '../domain/audit/entry.ts';
import { eventKeys } from '../domain/notification/event-keys.ts';
import type { Notice } from '../domain/notification/notice.ts';
import { arrayText, codec } from './codec/codec.ts';
import {
  elements,
  epochField,
  type Fields,
  finiteNumber,
  flag,
  mapOf,
  object,
  oneOf,
  optional,
  optionalStrings,
  own,
  place,
  ShapeError,
  string,
  text,
  wrong,
} from './codec/shape.ts';

type GiveUp = (why: string) => void;

/**
 * What the world has not been told yet. Nothing else stands on it, so a part that makes no sense is given up alone and the
 * others are told. One that an earlier version wrote has the id and the time of its audit entry.
 */
export const outbox = codec<readonly Announcement[]>({
  key: 'outbox',
  empty: [],
  blankIsEmpty: true,
  read(json, giveUp) {
    const announcements = new Map<string, Announcement>();
    elements(json, '', (element, where) => {
      const one = orGiveUp(giveUp, () => readAnnouncement(element, where, giveUp));
      if (one === undefined) return;
      if (announcements.has(one.id)) giveUp(`${where} is given up: announcement ${one.id} is there twice.`);
      else announcements.set(one.id, one);
    });
    return [...announcements.values()];
  },
  write: (announcements) =>
    announcements.length === 0 ? undefined : arrayText(announcements.map((one) => JSON.stringify(stored(one)))),
});

function orGiveUp<T>(giveUp: GiveUp, read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ShapeError)) throw error;
    giveUp(error.message);
    return undefined;
  }
}

function readAnnouncement(element: unknown, where: string, giveUp: GiveUp): Announcement {
  const fields = object(element, where);
  const part = <T>(field: string, read: (fields: Fields, where: string) => T): T | undefined => {
    const value = own(fields, field);
    if (value === undefined) return undefined;
    return orGiveUp(giveUp, () => read(object(value, place(where, field)), place(where, field)));
  };
  const audit = part('audit', readEntry);
  const identity = own(fields, 'id') === undefined && audit !== undefined ? { ...audit } : fields;
  return inOrderOf(fields, {
    id: text(identity, 'id', where, 256),
    at: epochField(identity, 'at', where),
    ...optional('audit', audit),
    ...optional('event', part('event', readEvent)),
    ...optional(
      'notice',
      part('notice', (notice, at) => readNotice(notice, at, audit)),
    ),
    ...optional(
      'log',
      part('log', (log, at) => readLog(log, at, audit)),
    ),
    ...optional(
      'sent',
      orGiveUp(giveUp, () => optionalStrings(fields, 'sent', where)),
    ),
  });
}

function readEntry(fields: Fields, where: string): AuditEntry {
  const words = <K extends string>(field: K) => optional(field, optionalString(fields, field, where));
  const amount = <K extends string>(field: K) =>
    optional(field, own(fields, field) === undefined ? undefined : finiteNumber(fields, field, where));
  const sentences = <K extends string>(field: K) => optional(field, optionalStrings(fields, field, where));
  const result = own(fields, 'result') === undefined ? undefined : oneOf(fields, 'result', where, results);
  const completeness =
    own(fields, 'completeness') === undefined ? undefined : oneOf(fields, 'completeness', where, completenesses);
  return inOrderOf(fields, {
    id: text(fields, 'id', where, 256),
    at: epochField(fields, 'at', where),
    kind: text(fields, 'kind', where, 256),
    title: text(fields, 'title', where),
    actor: string(fields, 'actor', where),
    ...words('trigger'),
    ...words('reason'),
    ...optional('result', result),
    ...optional('completeness', completeness),
    ...sentences('workloads_failed_detail'),
    ...amount('workloads_recovered'),
    ...sentences('workloads_recovered_detail'),
    ...amount('durationMs'),
    ...optional('details', own(fields, 'details') === undefined ? undefined : details(fields, 'details', where)),
  });
}

const results = ['failed', 'incomplete', 'success'] as const;
const completenesses = ['complete', 'incomplete'] as const;

function readEvent(fields: Fields, where: string): NamespaceEvent {
  return inOrderOf(fields, {
    where: oneOf(fields, 'where', where, ['release', 'default']),
    type: oneOf(fields, 'type', where, ['Normal', 'Warning']),
    reason: text(fields, 'reason', where),
    message: string(fields, 'message', where),
  });
}

function readLog(fields: Fields, where: string, audit: AuditEntry | undefined): LogLine {
  const said = details(fields, 'fields', where);
  const whole = (field: string, told: readonly string[] | undefined) =>
    said[field] === asInAudit ? { [field]: told ?? [] } : {};
  return inOrderOf(fields, {
    level: oneOf(fields, 'level', where, ['info', 'warn', 'error']),
    message: string(fields, 'message', where),
    fields: {
      ...said,
      ...whole('failed', audit?.workloads_failed_detail),
      ...whole('recovered', audit?.workloads_recovered_detail),
    },
  });
}

const colors = ['green', 'red', 'amber', 'blue'] as const;

/** Earlier versions spelled it `colour`. */
function readNotice(fields: Fields, where: string, audit: AuditEntry | undefined): Notice {
  const sentences = <K extends string>(field: K, told: readonly string[] | undefined) =>
    optional(field, own(fields, field) === asInAudit ? (told ?? []) : optionalStrings(fields, field, where));
  return inOrderOf(fields, {
    id: text(fields, 'id', where, 256),
    key: oneOf(fields, 'key', where, eventKeys),
    at: epochField(fields, 'at', where),
    title: text(fields, 'title', where),
    color: oneOf(fields, own(fields, 'colour') === undefined ? 'color' : 'colour', where, colors),
    ...optional('text', optionalString(fields, 'text', where)),
    ...optional('facts', own(fields, 'facts') === undefined ? undefined : readFacts(fields, where)),
    ...sentences('casualties', audit?.workloads_failed_detail),
    ...sentences('recoveries', audit?.workloads_recovered_detail),
    ...optional('alsoHigh', own(fields, 'alsoHigh') === undefined ? undefined : flag(fields, 'alsoHigh', where)),
  });
}

function readFacts(fields: Fields, where: string): NonNullable<Notice['facts']> {
  return elements(own(fields, 'facts'), place(where, 'facts'), (element, at) => {
    const fact = object(element, at);
    return { name: string(fact, 'name', at), value: string(fact, 'value', at) };
  });
}

function details(fields: Fields, field: string, where: string): Readonly<Record<string, AuditDetail>> {
  return mapOf(own(fields, field), place(where, field), (value, at) => {
    if (typeof value === 'string' || typeof value === 'boolean') return value;
    if (typeof value === 'number') return value;
    if (!Array.isArray(value)) throw wrong(at, 'a text, a number, true, false or a list of texts', value);
    return elements(value, at, (one, whereOne) => string({ one }, 'one', whereOne));
  });
}

/** The fields as they were found: what is stored again without a change is the same text, and no write. */
function inOrderOf<T extends object>(found: Fields, value: T): T {
  const known = Object.keys(found).filter((name) => Object.hasOwn(value, name));
  return { ...Object.fromEntries(known.map((name) => [name, undefined])), ...value };
}

function optionalString(fields: Fields, field: string, where: string): string | undefined {
  return own(fields, field) === undefined ? undefined : string(fields, field, where);
}

/** Stands for a list of the card, or of the log line, that the audit entry beside it holds too: no sentence is stored twice. */
const asInAudit = 'as in audit';

function stored(announcement: Announcement): object {
  const { audit, notice, log } = announcement;
  if (audit === undefined) return announcement;
  const { workloads_failed_detail: failed, workloads_recovered_detail: recovered } = audit;
  const shorter = <K extends string>(field: K, list: unknown, told: readonly string[] | undefined) =>
    told !== undefined && told.length > 0 && JSON.stringify(list) === JSON.stringify(told)
      ? { [field]: asInAudit }
      : {};
  const card = notice && {
    ...notice,
    ...shorter('casualties', notice.casualties, failed),
    ...shorter('recoveries', notice.recoveries, recovered),
  };
  const fields = log && {
    ...log.fields,
    ...shorter('failed', log.fields['failed'], failed),
    ...shorter('recovered', log.fields['recovered'], recovered),
  };
  return {
    ...announcement,
    ...(card === undefined ? {} : { notice: card }),
    ...(log === undefined ? {} : { log: { ...log, fields } }),
  };
}
