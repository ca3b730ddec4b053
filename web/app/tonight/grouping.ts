interface Warning {
  readonly code: string;
  readonly text: string;
  readonly workload: string;
}

export interface WarningGroup {
  readonly code: string;
  readonly text: string;
  readonly workloads: readonly string[];
}

/** One warning a kind of trouble, with all it concerns, instead of the same text a hundred times. */
export function byCode(warnings: readonly Warning[]): readonly WarningGroup[] {
  return [...Map.groupBy(warnings, ({ code }) => code)].map(([code, group]) => ({
    code,
    text: group[0]!.text,
    workloads: group.map(({ workload }) => workload),
  }));
}

interface Skipped {
  readonly workload: string;
  readonly reason: string;
}

export function byReason(skipped: readonly Skipped[]): readonly { reason: string; workloads: readonly string[] }[] {
  return [...Map.groupBy(skipped, ({ reason }) => reason)]
    .map(([reason, group]) => ({ reason, workloads: group.map(({ workload }) => workload) }))
    .toSorted((a, b) => b.workloads.length - a.workloads.length);
}
