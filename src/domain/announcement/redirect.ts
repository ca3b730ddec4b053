import type { RedirectRecord } from '../redirect/decide-redirect.ts';
import { serviceKey } from '../redirect/service.ts';
import type { EpochMs } from '../workload.ts';
import type { Announcement } from './announcement.ts';

/** Nothing is left of a redirect, its record included. */
export function redirectEnded(record: RedirectRecord, reason: string, at: EpochMs): Announcement {
  const service = serviceKey(record);
  return {
    // By the time of the record: the same end after a crash has the same id.
    id: `redirect-${service}-ended-${record.at}`,
    at,
    log: { level: 'info', message: 'Redirect ended', fields: { service, reason } },
  };
}
