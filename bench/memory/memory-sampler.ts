import { readFileSync } from 'node:fs';

export interface Peak {
  /** MiB that were resident at most, the mapped binary included. */
  readonly residentMiB: number;
  /** MiB of that which the kernel cannot reclaim. */
  readonly anonymousMiB: number;
}

const everyMs = 10;

/** Watches a process from outside, through /proc, so that watching costs it nothing. */
export function sampleMemory(pid: number): { readonly peak: () => Peak; readonly stop: () => void } {
  let resident = 0;
  let anonymous = 0;
  const sample = () => {
    const status = statusOf(pid);
    if (status === undefined) return;
    resident = Math.max(resident, kib(status, 'VmHWM'));
    anonymous = Math.max(anonymous, kib(status, 'RssAnon'));
  };
  const timer = setInterval(sample, everyMs);
  return {
    peak: () => ({ residentMiB: resident / 1024, anonymousMiB: anonymous / 1024 }),
    stop: () => clearInterval(timer),
  };
}

function statusOf(pid: number): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    return undefined;
  }
}

function kib(status: string, field: string): number {
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1] ?? 0);
}
