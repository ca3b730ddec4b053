import { durationMaxLength, durationPattern, formatDuration, parseDuration } from '../../domain/duration.ts';
import { timezoneProblem } from '../../domain/schedule/zone.ts';
import { nearestName } from './nearest-name.ts';
import { patternFormat } from './pattern-format.ts';
import { quote } from './quote.ts';
import type { TextFormat } from './value-types.ts';

const hour = 3_600_000;

/** A duration within bounds that are themselves durations, both included. */
export function duration(min: string, max: string): TextFormat {
  return {
    name: 'duration',
    rule: `a duration such as \`30s\`, \`5m\`, \`1h30m\`, from ${min} to ${max}`,
    pattern: durationPattern,
    maxLength: durationMaxLength,
    check(text) {
      const parsed = parseDuration(text);
      if (!parsed.ok) return parsed.error;
      if (parsed.ms < boundMs(min)) return `${quote(text)} is too short; the shortest is ${min}`;
      if (parsed.ms > boundMs(max)) return `${quote(text)} is too long; the longest is ${max}`;
      return undefined;
    },
  };
}

function boundMs(text: string): number {
  const parsed = parseDuration(text);
  return parsed.ok ? parsed.ms : Number.NaN;
}

/** The longest wait that is still a wait: timers of the runtime overflow at 24 days, and no tier needs a day. */
export const wait = duration('1s', formatDuration(24 * hour));

export const timeOfDayUtc = patternFormat({
  name: 'HH:MM',
  rule: '`HH:MM` in UTC, hour 00-23 and minute 00-59, two digits each',
  pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$',
  maxLength: 16,
  otherwise: 'is not a time: write HH:MM with two digits each, from 00:00 to 23:59',
});

export const timezone = patternFormat({
  name: 'timezone',
  rule: 'a name of the IANA time zone database, such as `Europe/Berlin` or `UTC`',
  pattern: '^[A-Za-z][A-Za-z0-9_+-]*(/[A-Za-z0-9_+-]+)*$',
  maxLength: 64,
  otherwise: 'is not a timezone: write a name of the IANA database, for example Europe/Berlin',
  diagnose(text) {
    if (/^[+-][0-9]/.test(text)) {
      return `${quote(text)} is an offset, which knows no summer time: write a name such as Europe/Berlin or UTC`;
    }
    const problem = timezoneProblem(text);
    if (problem === undefined) return undefined;
    const near = nearestName(text, Intl.supportedValuesOf('timeZone'));
    return near === undefined ? problem : `${quote(text)} is not a timezone; did you mean ${near}?`;
  },
});
