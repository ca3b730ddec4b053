// A wake's end as the records hold it: the fields of the audit entry and the message of the Kubernetes event.

import type { AuditResult, StillStartingCause, WakeEnding } from './ending.ts';
import type { ReasonCode } from './reason.ts';
import { recoveredClause } from './recovery.ts';
import { counted } from './span.ts';

export interface WakeAuditFields {
  readonly result: AuditResult;
  readonly completeness: 'complete' | 'incomplete';
  /** One sentence a casualty, all of them. */
  readonly workloads_failed_detail: readonly string[];
  /** One sentence a recovery, all of them. */
  readonly workloads_recovered: readonly string[];
  readonly workloads_recovered_detail: readonly RecoveryDetail[];
  readonly workloads_still_starting: readonly { readonly workload: string; readonly cause: StillStartingCause }[];
}

export interface RecoveryDetail {
  readonly workload: string;
  readonly code: ReasonCode;
  readonly reason: string;
  readonly ending: string;
}

export function wakeAuditFields(ending: WakeEnding): WakeAuditFields {
  return {
    result: ending.result,
    completeness: ending.completeness,
    workloads_failed_detail: ending.failed.map((one) => one.sentence),
    workloads_recovered: ending.recovered.map((one) => one.sentence),
    workloads_recovered_detail: ending.recovered.map((one) => ({
      workload: one.workload,
      code: one.reason,
      reason: one.words,
      ending: one.ending,
    })),
    workloads_still_starting: ending.stillStarting,
  };
}

/** `Wake Complete - 1 workload failed, 2 workloads recovered`; `Wake Complete, 1 workload still starting`. */
export function wakeEventMessage(ending: WakeEnding): string {
  const starting = ending.stillStarting.length;
  const clauses = [
    recoveredClause(ending.recovered.length),
    starting === 0 ? undefined : `${counted(starting, 'workload')} still starting`,
  ];
  return [ending.title, ...clauses.filter((clause) => clause !== undefined)].join(', ');
}

/** How the activity log and the UI say why a workload has no answer. */
export function stillStartingWords(cause: StillStartingCause): string {
  switch (cause) {
    case 'fail_open':
      return 'was still starting when the wake reached its overall limit';
    case 'walked_past':
      return 'was still starting when its tier was released without waiting for it';
    case 'superseded':
      return 'was still starting when a hibernation began';
    case 'not_observed':
      return 'was not observed to the end: the controller restarted and the cluster was no longer being woken';
  }
}
