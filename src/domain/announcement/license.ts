import { auditEntry } from '../audit/entry.ts';
import type { LicenseCheck } from '../license/check.ts';
import type { EpochMs } from '../workload.ts';
import { type Announcement, type LogLine, ofEntry } from './announcement.ts';

/** The license no longer lets the service act, or lets it again. Cards for it are conditions: see `conditions.ts`. */
export function licenseChanged({ acts, reason }: LicenseCheck, at: EpochMs): Announcement {
  const kind = acts ? 'license-lets-scaling-resume' : 'license-stopped-scaling';
  return ofEntry(auditEntry({ id: `${kind}-${at}`, at, kind, actor: 'license', reason }));
}

/** The log line for a verdict that differs from the last one; the first check of a process always has one. */
export function licenseLog(before: LicenseCheck | undefined, check: LicenseCheck): LogLine | undefined {
  if (before?.verdict === check.verdict) return undefined;
  const { verdict, reason, acts } = check;
  const message = acts ? `License check: ${verdict}` : `License check: ${verdict}, handing back and scaling nothing`;
  return { level: verdict === 'licensed' ? 'info' : 'warn', message, fields: { verdict, reason } };
}
