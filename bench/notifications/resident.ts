import { readFileSync } from 'node:fs';

const everyMs = 20;

/** The most memory of its own that a process holds from now on, seen from outside. */
export function sampleResident(pid: number): { readonly peakMiB: () => number; readonly stop: () => void } {
  let most = 0;
  const sample = () => {
    const kib = /^RssAnon:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    most = Math.max(most, Number(kib ?? 0) / 1024);
  };
  sample();
  const timer = setInterval(sample, everyMs);
  return { peakMiB: () => most, stop: () => clearInterval(timer) };
}
