import type { EpochMs } from '../workload.ts';
import { type AuditKind, auditTitles } from './titles.ts';

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
