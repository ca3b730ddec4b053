import type { EpochMs } from '../../domain/workload.ts';
import { arrayText, codec } from '../codec/codec.ts';
import {
  elements,
  type Fields,
  instantField,
  instantText,
  object,
  optional,
  optionalText,
  own,
  place,
  refuseDuplicates,
  text,
  wrong,
} from '../codec/shape.ts';

/** Other working hours for one date, in the schedule's time zone. */
export interface ScheduleOverride {
  /** `YYYY-MM-DD`. */
  readonly date: string;
  /** As in the configuration: `on`, `off`, or `HH:MM-HH:MM` ranges separated by commas. */
  readonly hours: string;
  readonly by: string;
  readonly at: EpochMs;
  readonly reason?: string;
}

export const scheduleOverrides = codec<readonly ScheduleOverride[]>({
  key: 'schedule_overrides',
  empty: [],
  blankIsEmpty: false,
  read(json) {
    const overrides = elements(json, '', readOverride);
    refuseDuplicates(overrides, ({ date }) => `date ${date}`);
    return overrides;
  },
  write: (overrides) => arrayText(overrides.map((override) => JSON.stringify(overrideJson(override)))),
});

function readOverride(element: unknown, where: string): ScheduleOverride {
  const fields = object(element, where);
  return {
    date: readDate(fields, where),
    hours: readHours(fields, where),
    by: text(fields, 'by', where),
    at: instantField(fields, 'at', where),
    ...optional('reason', optionalText(fields, 'reason', where)),
  };
}

function readDate(fields: Fields, where: string): string {
  const value = own(fields, 'date');
  if (typeof value !== 'string' || !isDate(value)) {
    throw wrong(place(where, 'date'), 'a date such as 2026-12-24', value);
  }
  return value;
}

function isDate(value: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(value)) return false;
  const at = Date.parse(`${value}T00:00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(value);
}

const time = '([01][0-9]|2[0-3]):[0-5][0-9]';
const hours = new RegExp(`^(on|off|${time}-${time}(, *${time}-${time})*)$`);

function readHours(fields: Fields, where: string): string {
  const value = own(fields, 'hours');
  if (typeof value !== 'string' || !hours.test(value)) {
    throw wrong(place(where, 'hours'), 'on, off or ranges such as 08:00-20:00', value);
  }
  return value;
}

function overrideJson({ date, hours, by, at, reason }: ScheduleOverride): object {
  return { date, hours, by, at: instantText(at), ...optional('reason', reason) };
}
