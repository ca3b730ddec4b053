import { readFileSync } from 'node:fs';

export interface Peak {
  /** MiB that were resident at most, the mapped binary included. */
  readonly residentMiB: number;
  /** MiB of that which the kernel cannot reclaim. */
  readonly anonymousMiB: number;
}

/** What it had at a moment, in seconds from the first on. */
export interface Moment extends Peak {
  readonly seconds: number;
}

const everyMs = 10;
/** A picture shows no more than this. */
const keptEveryMs = 250;

/** Watches a process from outside, through /proc, so that watching costs it nothing. */
export function sampleMemory(pid: number): {
  readonly peak: () => Peak;
  readonly course: () => readonly Moment[];
  readonly stop: () => void;
} {
  let resident = 0;
  let anonymous = 0;
  const beganAt = performance.now();
  const moments: Moment[] = [];
  const sample = () => {
    const status = statusOf(pid);
    if (status === undefined) return;
    resident = Math.max(resident, kib(status, 'VmHWM'));
    const anonymousNow = kib(status, 'RssAnon');
    anonymous = Math.max(anonymous, anonymousNow);
    const elapsedMs = performance.now() - beganAt;
    if (elapsedMs < moments.length * keptEveryMs) return;
    const residentMiB = kib(status, 'VmRSS') / 1024;
    moments.push({ seconds: elapsedMs / 1000, residentMiB, anonymousMiB: anonymousNow / 1024 });
  };
  const timer = setInterval(sample, everyMs);
  return {
    peak: () => ({ residentMiB: resident / 1024, anonymousMiB: anonymous / 1024 }),
    course: () => moments,
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
