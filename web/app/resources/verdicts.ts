import type { AuditEntry } from '../data/queries.ts';
import type { TransitionFrame } from '../data/transition.ts';
import { beginsWith, keyOf, type WorkloadName } from './workload-name.ts';

/** What was said of a workload, and by which transition. */
export interface Verdict {
  readonly sentence: string;
  /** Undefined for the transition that runs now. */
  readonly entry?: Pick<AuditEntry, 'id' | 'at' | 'title'>;
}

const most = 3;

/** The newest sentences about a workload: of the transition that is shown, then of those before it. */
export function verdictsOn(
  workload: WorkloadName,
  frame: TransitionFrame | undefined,
  entries: readonly AuditEntry[],
): readonly Verdict[] {
  const about = (sentence: string) => {
    const found = beginsWith(sentence);
    return found !== undefined && keyOf(found.workload) === keyOf(workload);
  };
  const running =
    frame?.kind === 'wake' && frame.progress.endedAt === undefined
      ? frame.progress.tiers.flatMap(({ workloads }) => workloads.map(({ sentence }) => sentence)).filter(about)
      : [];
  const told = entries.flatMap((entry) =>
    [...(entry.workloads_failed_detail ?? []), ...(entry.workloads_recovered_detail ?? [])]
      .filter(about)
      .map((sentence): Verdict => ({ sentence, entry })),
  );
  return [...running.map((sentence): Verdict => ({ sentence })), ...told].slice(0, most);
}
