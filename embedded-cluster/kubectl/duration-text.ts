const SECOND = 1;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const YEAR = 365 * DAY;

/** A duration the way kubectl shows ages: two units while the number is small, one when it is large. */
export function humanDuration(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  if (seconds < -1) return '<invalid>';
  if (seconds < 0) return '0s';
  if (seconds < 2 * MINUTE) return `${seconds}s`;
  if (seconds < 10 * MINUTE) return two(seconds, { large: MINUTE, largeUnit: 'm', small: SECOND, smallUnit: 's' });
  if (seconds < 3 * HOUR) return `${Math.floor(seconds / MINUTE)}m`;
  if (seconds < 8 * HOUR) return two(seconds, { large: HOUR, largeUnit: 'h', small: MINUTE, smallUnit: 'm' });
  if (seconds < 2 * DAY) return `${Math.floor(seconds / HOUR)}h`;
  if (seconds < 8 * DAY) return two(seconds, { large: DAY, largeUnit: 'd', small: HOUR, smallUnit: 'h' });
  if (seconds < 2 * YEAR) return `${Math.floor(seconds / DAY)}d`;
  if (seconds < 8 * YEAR) return two(seconds, { large: YEAR, largeUnit: 'y', small: DAY, smallUnit: 'd' });
  return `${Math.floor(seconds / YEAR)}y`;
}

function two(
  seconds: number,
  {
    large,
    largeUnit,
    small,
    smallUnit,
  }: { readonly large: number; readonly largeUnit: string; readonly small: number; readonly smallUnit: string },
): string {
  const rest = Math.floor((seconds % large) / small);
  const first = `${Math.floor(seconds / large)}${largeUnit}`;
  return rest === 0 ? first : `${first}${rest}${smallUnit}`;
}

export function age(since: unknown, now: number): string {
  return typeof since === 'string' && since !== '' ? humanDuration(now - Date.parse(since)) : '<unknown>';
}
