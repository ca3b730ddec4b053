interface Warning {
  readonly code: string;
  readonly text: string;
}

export interface WarningGroup {
  readonly code: string;
  /** One for each workload, which it names. */
  readonly texts: readonly string[];
}

/** One warning a kind of trouble, with all that it says, instead of a hundred side by side. */
export function byCode(warnings: readonly Warning[]): readonly WarningGroup[] {
  return [...Map.groupBy(warnings, ({ code }) => code)].map(([code, group]) => ({
    code,
    texts: group.map(({ text }) => text),
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
