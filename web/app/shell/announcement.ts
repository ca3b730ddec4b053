import type { Freshness } from '../data/polling.ts';
import type { Status } from '../data/queries.ts';
import { signOf, signWords } from './status-sign.ts';

export interface Announcement {
  /** A new one is said when this changes; counts that tick say nothing. */
  readonly key: string;
  readonly text: string;
}

/** What somebody who cannot see the screen is told when the state changes. */
export function announcementOf(status: Status | undefined, freshness: Freshness): Announcement {
  if (status === undefined) return { key: 'unknown', text: 'The state of the cluster is not known now.' };
  const sign = signOf(status);
  const late = freshness === 'fresh' ? '' : ' No newer answer has come; this may no longer be so.';
  return { key: `${sign} ${freshness}`, text: `${status.clusterName}: ${signWords[sign]}. ${status.sentence}.${late}` };
}
