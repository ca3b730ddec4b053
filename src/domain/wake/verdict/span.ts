// Spans of time as the sentences of a wake write them.

import { minute, second } from './figures.ts';

/**
 * `20 minutes`, `1 minute`, `45 seconds`, `90 seconds`, `2 minutes 30 seconds`. A span under two minutes that is not a
 * whole minute stays in seconds; hours are never used, so that figures compare at a glance with the 15 and 30 minutes.
 */
export function spanWords(ms: number): string {
  const seconds = Math.round(ms / second);
  if (seconds % 60 === 0 && seconds > 0) return counted(seconds / 60, 'minute');
  if (seconds < 120) return counted(seconds, 'second');
  return `${counted(Math.floor(seconds / 60), 'minute')} ${counted(seconds % 60, 'second')}`;
}

/** The span as it stands before a noun: `30-minute`, `90-second`. */
export function spanAdjective(ms: number): string {
  const seconds = Math.round(ms / second);
  return seconds % 60 === 0 && seconds > 0 ? `${seconds / 60}-minute` : `${seconds}-second`;
}

/** A gap, in whole minutes gone by: `less than 1 minute` up to 59 seconds, then `1 minute`, `3 minutes`. */
export function gapWords(ms: number): string {
  return ms < minute ? 'less than 1 minute' : counted(Math.floor(ms / minute), 'minute');
}

/** `1 workload`, `2 workloads`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
