import type { Freshness } from '../data/polling.ts';
import type { AuditEntry, Resource } from '../data/queries.ts';
import type { Sign } from '../shell/status-sign.ts';
import { casualtiesOf, leftUnchecked, type Unfinished, unfinishedOf } from './unfinished.ts';

/** What is known of how the last transition ended: nothing yet, nothing at all, or what it left. */
export type Ending =
  | { readonly known: 'reading' }
  | { readonly known: 'no' }
  /** `checked: false`: what it left, but not which of it somebody has seen to since. */
  | { readonly known: 'yes'; readonly left?: Unfinished; readonly checked: boolean };

/** A read as far as it matters here. */
export interface Asked<T> {
  readonly data: T | undefined;
  readonly error: Error | null;
  /** How often no answer came: while it is asked once more, an earlier failure is not forgotten. */
  readonly errorUpdateCount: number;
}

export function endingOf(turns: Asked<readonly AuditEntry[]>, resources: Asked<readonly Resource[]>): Ending {
  const log = stateOf(turns);
  if (log.is !== 'here') return { known: log.is === 'awaited' ? 'reading' : 'no' };
  const casualties = casualtiesOf(log.data);
  if (casualties.length === 0) return { known: 'yes', checked: true };
  const workloads = stateOf(resources);
  if (workloads.is === 'awaited') return { known: 'reading' };
  const left = workloads.is === 'here' ? unfinishedOf(casualties, workloads.data) : leftUnchecked(casualties);
  return { known: 'yes', checked: workloads.is === 'here', ...(left === undefined ? {} : { left }) };
}

type Here<T> = { readonly is: 'here'; readonly data: T } | { readonly is: 'awaited' | 'missing' };

function stateOf<T>({ data, error, errorUpdateCount }: Asked<T>): Here<T> {
  if (error === null && data !== undefined) return { is: 'here', data };
  return { is: error === null && errorUpdateCount === 0 ? 'awaited' : 'missing' };
}

const colors: Readonly<Record<Sign, string>> = {
  awake: 'success.main',
  hibernated: 'info.main',
  waking: 'warning.main',
  hibernating: 'warning.main',
  stopped: 'error.main',
  unknown: 'text.secondary',
};

/** Green is for what is so now, and ended well. */
export function cardColor(sign: Sign, freshness: Freshness, ending: Ending): string {
  if (freshness !== 'fresh') return colors.unknown;
  if (ending.known !== 'yes') return sign === 'awake' ? colors.unknown : colors[sign];
  return ending.left === undefined ? colors[sign] : 'error.main';
}
