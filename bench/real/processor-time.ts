import { readFileSync } from 'node:fs';

/** Linux counts in hundredths of a second, whatever the kernel's own clock does. */
const ticksPerSecond = 100;

/** Seconds of processors' time that the process has had so far. */
export function processorSeconds(pid: number): number {
  return parseProcessSeconds(readFileSync(`/proc/${pid}/stat`, 'utf8'));
}

/** Of `/proc/PID/stat`. The second field is the program's name in brackets, and may hold blanks and brackets itself. */
export function parseProcessSeconds(stat: string): number {
  const fromThird = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [user, system] = [Number(fromThird[11]), Number(fromThird[12])];
  return (user + system) / ticksPerSecond;
}
