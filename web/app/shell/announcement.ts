import type { Freshness } from '../data/polling.ts';
import type { Status } from '../data/queries.ts';
import type { Ending } from '../overview/ending.ts';
import { counted } from '../parts/time-text.ts';
import { signOf, signWords } from './status-sign.ts';

export interface Announcement {
  /** A new one is said when this changes; counts that tick say nothing. */
  readonly key: string;
  readonly text: string;
}

/** What somebody who cannot see the screen is told when the state changes. */
export function announcementOf(status: Status | undefined, freshness: Freshness, ending: Ending): Announcement {
  if (status === undefined) return { key: 'unknown', text: 'The state of the cluster is not known now.' };
  const sign = signOf(status);
  const late = freshness === 'fresh' ? '' : ' No newer answer has come; this may no longer be so.';
  const left = leftOf(ending);
  return {
    key: `${sign} ${freshness} ${left.key}`.trim(),
    text: `${status.clusterName}: ${signWords[sign]}. ${status.sentence}.${left.text}${late}`,
  };
}

/** A wake that left something must not sound like a good one. */
function leftOf(ending: Ending): Announcement {
  if (ending.known === 'no') return { key: 'ending unknown', text: ' How the last wake ended is not known.' };
  if (ending.known === 'reading' || ending.left === undefined) return { key: '', text: '' };
  const { entry, failed } = ending.left;
  return {
    key: `${entry.id} ${failed.length}`,
    text: ` ${counted(failed.length, 'workload')} failed: ${failed.join('; ')}.`,
  };
}
