/** Where the cluster was when a fault met it. */
export const phases = ['awake', 'going down', 'asleep', 'waking', 'stopped'] as const;
export type Phase = (typeof phases)[number];

type Counts = Record<string, Partial<Record<Phase, number>>>;

/** Which faults met which phases of a cluster's life, and how often. */
export class Coverage {
  readonly counts: Counts = {};

  met(fault: string, phase: Phase): void {
    const row = this.counts[fault] ?? {};
    this.counts[fault] = row;
    row[phase] = (row[phase] ?? 0) + 1;
  }
}

export function phaseOf(state: Readonly<Record<string, string>>, stopped: boolean): Phase {
  if (stopped) return 'stopped';
  const transition = state['transition'] ?? '';
  if (transition.includes('"kind":"wake"')) return 'waking';
  if (transition.includes('"kind":"hibernation"')) return 'going down';
  return (state['phase'] ?? '').includes('"hibernated"') ? 'asleep' : 'awake';
}

/** The faults of all seeds, one line each. */
export function coverageTable(all: readonly Counts[], faults: readonly string[]): string {
  const sum = sumOf(all);
  const cells = (row: Partial<Record<Phase, number>>) => phases.map((phase) => String(row[phase] ?? 0).padStart(11));
  return [
    `${'met while'.padEnd(44)}${phases.map((phase) => phase.padStart(11)).join('')}`,
    ...faults.map((fault) => `${fault.padEnd(44)}${cells(sum[fault] ?? {}).join('')}`),
  ].join('\n');
}

/** Faults that met no cluster at all. */
export function neverMet(all: readonly Counts[], faults: readonly string[]): readonly string[] {
  const sum = sumOf(all);
  return faults.filter((fault) => Object.values(sum[fault] ?? {}).every((count) => count === 0));
}

function sumOf(all: readonly Counts[]): Counts {
  const sum: Counts = {};
  for (const counts of all) {
    for (const [fault, row] of Object.entries(counts)) {
      const total = sum[fault] ?? {};
      sum[fault] = total;
      for (const [phase, count] of Object.entries(row) as [Phase, number][]) total[phase] = (total[phase] ?? 0) + count;
    }
  }
  return sum;
}
