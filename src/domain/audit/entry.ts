import type { EpochMs } from '../workload.ts';

/** The acts that leave an entry, with the title each is shown under. */
export const auditTitles = {
  'stand-down': 'Stood Down',
  'stand-down-ended': 'Stand-down Ended',
  wake: 'Wake Complete',
  'wake-failed': 'Wake Failed',
  'wake-no-changes': 'Wake Made No Changes',
  hibernation: 'Hibernation Complete',
  'hibernation-failed': 'Hibernation Failed',
  'hibernation-started': 'Hibernation Started',
  'wake-started': 'Wake Started',
  'catch-up': 'Caught Up After Downtime',
  'manual-hibernation': 'Manual Hibernation Requested',
  'wake-requested': 'Wake Requested',
  'schedule-resumed': 'Schedule Resumed',
  'schedule-override-set': 'Schedule Override Set',
  'schedule-override-removed': 'Schedule Override Removed',
  'external-wake-started': 'External Wake Started',
  'external-wake-renewed': 'External Wake Renewed',
  'external-wake-ended': 'External Wake Ended',
  'database-stopped': 'Database Stopped',
  'database-started': 'Database Started',
  'workload-handed-back': 'Workload Handed Back',
  'workload-added': 'Workload Added',
  'workload-lowered-late': 'Workload Taken Down Late',
  'workload-removed': 'Workload Removed',
  'replicas-changed-by-owner': 'Replicas Changed by Their Owner',
  'records-disagree': 'Records Disagree',
  'records-rebuilt': 'Records Rebuilt',
  'license-stopped-scaling': 'License Stopped Scaling',
  'license-lets-scaling-resume': 'License Lets Scaling Resume',
  'passkey-added': 'Passkey Added',
  'passkey-removed': 'Passkey Removed',
  'calendar-address-made': 'Calendar Address Made',
  'calendar-address-revoked': 'Calendar Address Revoked',
} as const;

export type AuditKind = keyof typeof auditTitles;

export type WakeResult = 'failed' | 'incomplete' | 'success';

/** One act, as it is stored, logged and served. The names with underscores are part of the stored form. */
export interface AuditEntry {
  readonly id: string;
  readonly at: EpochMs;
  /** A slug of `auditTitles`; an entry of another release may carry one that is not in the table. */
  readonly kind: string;
  readonly title: string;
  /** An address as the privacy settings show it, `configuration`, `schedule`, `<actor> (stand-down)`, … */
  readonly actor: string;
  readonly trigger?: string;
  readonly reason?: string;
  readonly result?: WakeResult;
  readonly completeness?: 'complete' | 'incomplete';
  /** One sentence a workload; never cut. */
  readonly workloads_failed_detail?: readonly string[];
  readonly workloads_recovered?: number;
  readonly workloads_recovered_detail?: readonly string[];
  /** Absent where nothing was measured, as for a wake that made no changes. */
  readonly durationMs?: number;
  readonly details?: Readonly<Record<string, AuditDetail>>;
}

export type AuditDetail = string | number | boolean | readonly string[];

/** What the writer of an entry gives; the title follows from the kind unless the act has a title of its own. */
export type AuditAct = Omit<AuditEntry, 'kind' | 'title'> & { readonly kind: AuditKind; readonly title?: string };

export function auditEntry(act: AuditAct): AuditEntry {
  return { ...act, title: act.title ?? auditTitles[act.kind] };
}
