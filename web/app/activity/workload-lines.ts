import type { AuditEntry } from '../data/queries.ts';
import { beginsWith } from '../resources/workload-name.ts';

export interface WorkloadLine {
  readonly sentence: string;
  readonly recovered: boolean;
}

type Said = Pick<AuditEntry, 'workloads_failed_detail' | 'workloads_recovered_detail'>;

/** Every casualty, in the order of the workloads; a recovery stands where its casualty would. */
export function workloadLines(entry: Said): readonly WorkloadLine[] {
  const failed = (entry.workloads_failed_detail ?? []).map((sentence) => ({ sentence, recovered: false }));
  const recovered = (entry.workloads_recovered_detail ?? []).map((sentence) => ({ sentence, recovered: true }));
  return [...failed, ...recovered].toSorted((a, b) => {
    const [left, right] = [nameIn(a.sentence), nameIn(b.sentence)];
    if (left === right) return 0;
    return left < right ? -1 : 1;
  });
}

function nameIn(sentence: string): string {
  const found = beginsWith(sentence);
  return found === undefined ? sentence : `${found.workload.kind} ${found.workload.namespace}/${found.workload.name}`;
}
