/** Where the cluster was when a fault met it. */
export const phases = ['awake', 'going down', 'asleep', 'waking', 'handing back', 'stopped'] as const;
export type Phase = (typeof phases)[number];

type Counts = Record<string, Partial<Record<Phase, number>>>;

/** Which faults met which phases of a cluster's life, and how often. */
export class Coverage {
  readonly counts: Counts = {};

  met(fault: string, phase: Phase, times = 1): void {
    const row = this.counts[fault] ?? {};
    this.counts[fault] = row;
    row[phase] = (row[phase] ?? 0) + times;
  }

  /** What another seed met as well. */
  add(counts: Counts): void {
    for (const [fault, row] of Object.entries(counts)) {
      for (const [phase, times] of Object.entries(row) as [Phase, number][]) this.met(fault, phase, times);
    }
  }
}

export function phaseOf(state: Readonly<Record<string, string>>, stopped: boolean): Phase {
  // A stop gives everything back, and forgets what it has given.
  if (stopped) return hasRecords(state) ? 'handing back' : 'stopped';
  const transition = state['transition'] ?? '';
  if (transition.includes('"kind":"wake"')) return 'waking';
  if (transition.includes('"kind":"hibernation"')) return 'going down';
  return (state['phase'] ?? '').includes('"hibernated"') ? 'asleep' : 'awake';
}

function hasRecords(state: Readonly<Record<string, string>>): boolean {
  return (state['resource_states'] ?? '[]') !== '[]';
}

/** The faults of all seeds, one line each. */
export function coverageTable(all: readonly Counts[], faults: readonly string[]): string {
  const sum = sumOf(all);
  const cells = (row: Partial<Record<Phase, number>>) => phases.map((phase) => String(row[phase] ?? 0).padStart(14));
  return [
    `${'met while'.padEnd(44)}${phases.map((phase) => phase.padStart(14)).join('')}`,
    ...faults.map((fault) => `${fault.padEnd(44)}${cells(sum[fault] ?? {}).join('')}`),
  ].join('\n');
}

/** Faults that met no cluster at all. */
export function neverMet(all: readonly Counts[], faults: readonly string[]): readonly string[] {
  const sum = sumOf(all);
  return faults.filter((fault) => Object.values(sum[fault] ?? {}).every((count) => count === 0));
}

function sumOf(all: readonly Counts[]): Counts {
  const sum = new Coverage();
  for (const counts of all) sum.add(counts);
  return sum.counts;
}
