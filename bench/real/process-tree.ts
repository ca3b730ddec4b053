import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** One line of the kernel's books. */
export interface Entry {
  readonly pid: number;
  readonly parent: number;
  readonly session: number;
}

/** `pid (name) state ppid pgrp session …`; the name may hold anything, brackets too. */
export function parseEntry(stat: string): Entry | undefined {
  const rest = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [pid, parent, session] = [Number.parseInt(stat, 10), Number(rest[1]), Number(rest[3])];
  return rest[0] === 'Z' || !(pid > 0) || Number.isNaN(session) ? undefined : { pid, parent, session };
}

/** The process, what it has started, and what was started in its session and has lost its parent. */
export function treeOf(entries: readonly Entry[], root: number): readonly number[] {
  const tree = new Set(entries.filter(({ pid, session }) => pid === root || session === root).map(({ pid }) => pid));
  for (let grown = -1; grown !== tree.size; ) {
    grown = tree.size;
    for (const { pid, parent } of entries) if (tree.has(parent)) tree.add(pid);
  }
  return [...tree];
}

export function processTree(root: number): readonly number[] {
  const entries = readdirSync('/proc').flatMap((name) => {
    const stat = /^\d+$/.test(name) ? textOf(`/proc/${name}/stat`) : undefined;
    return (stat === undefined ? undefined : parseEntry(stat)) ?? [];
  });
  return treeOf(entries, root);
}

/** KiB of a field of the kernel's status of that process; 0 when it has gone. */
export function memoryField(pid: number, field: 'VmHWM' | 'VmRSS' | 'RssAnon'): number {
  return parseMemory(textOf(`/proc/${pid}/status`) ?? '', field);
}

export function parseMemory(status: string, field: 'VmHWM' | 'VmRSS' | 'RssAnon'): number {
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1] ?? 0);
}

export function openSockets(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).filter((fd) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${fd}`).startsWith('socket:');
    } catch {
      return false;
    }
  }).length;
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
