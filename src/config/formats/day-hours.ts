import { dayPattern, parseDay } from '../../domain/schedule/parse-day.ts';
import type { TextFormat } from './value-types.ts';

/** The schedule's own reader decides, so nothing passes here that it would not understand later. */
export const dayHours: TextFormat = {
  name: 'working hours',
  rule:
    '`off`, `on`, or `HH:MM-HH:MM` ranges separated by commas; hour 00-23, minute 00-59, two digits each; an end of `00:00` is ' +
    'the midnight at the end of the day; a range ends after it starts; ranges that overlap count as one',
  pattern: dayPattern,
  maxLength: 256,
  check(text) {
    const parsed = parseDay(text);
    return parsed.ok ? undefined : parsed.message;
  },
};
