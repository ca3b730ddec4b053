import { existsSync, readFileSync } from 'node:fs';

/** Of the whole machine since it was started, in the kernel's ticks. */
export interface ProcessorTime {
  readonly all: number;
  /** Wanted by somebody here, and given to another guest of the same host. */
  readonly stolen: number;
}

const nothing: ProcessorTime = { all: 0, stolen: 0 };

export function processorTime(): ProcessorTime {
  return existsSync('/proc/stat') ? parseProcessorTime(readFileSync('/proc/stat', 'utf8')) : nothing;
}

/** user, nice, system, idle, iowait, irq, softirq, steal; what follows is counted among the first two already. */
export function parseProcessorTime(stat: string): ProcessorTime {
  const ticks = /^cpu +([\d ]+)$/m.exec(stat)?.[1]?.trim().split(' ').slice(0, 8).map(Number) ?? [];
  return { all: ticks.reduce((sum, one) => sum + one, 0), stolen: ticks[7] ?? 0 };
}

/** In percent: a figure for which the host took a third of the time says little of the program. */
export function hostTook(before: ProcessorTime, after: ProcessorTime): number {
  const all = after.all - before.all;
  return all > 0 ? Math.round(((after.stolen - before.stolen) / all) * 100) : 0;
}
