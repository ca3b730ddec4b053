import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** A process by number and start time: numbers are used again, the pair is not. */
export interface ProcessIdentity {
  readonly name: string;
  readonly pid: number;
  readonly started: string;
}

export function identify(name: string, pid: number): ProcessIdentity {
  return { name, pid, started: startTime(pid) ?? '' };
}

export function isAlive(process: ProcessIdentity): boolean {
  return process.started !== '' && startTime(process.pid) === process.started;
}

function startTime(pid: number): string | undefined {
  try {
    if (process.platform !== 'linux') {
      return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim() || undefined;
    }
    return startTimeInStat(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return undefined;
  }
}

/** Field 22 of /proc/<pid>/stat; the command before it is in brackets and may hold spaces. A zombie counts as gone. */
export function startTimeInStat(stat: string): string | undefined {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields[0] === 'Z' ? undefined : fields[19];
}
