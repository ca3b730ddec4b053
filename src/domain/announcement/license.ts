import { auditEntry } from '../audit/entry.ts';
import type { LicenseCheck } from '../license/check.ts';
import type { EpochMs } from '../workload.ts';
import { type Announcement, ofEntry } from './announcement.ts';

/** The license no longer lets the service act, or lets it again. Cards for it are conditions: see `conditions.ts`. */
export function licenseChanged({ acts, reason }: LicenseCheck, at: EpochMs): Announcement {
  const kind = acts ? 'license-lets-scaling-resume' : 'license-stopped-scaling';
  return ofEntry(auditEntry({ id: `${kind}-${at}`, at, kind, actor: 'license', reason }));
}
