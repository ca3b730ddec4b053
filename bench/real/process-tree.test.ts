import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { parseEntry, parseMemory, processTree, treeOf } from './process-tree.ts';

describe('a process tree', () => {
  it.each([
    ['7 (sh) S 3 7 7 0 -1', { pid: 7, parent: 3, session: 7 }],
    ['8 (a) b) R 7 7 9 0 -1', { pid: 8, parent: 7, session: 9 }],
    ['9 (gone) Z 7 7 7 0 -1', undefined],
    ['', undefined],
  ])('is read from %j', (stat, entry) => {
    expect(parseEntry(stat)).toEqual(entry);
  });

  const entry = (pid: number, parent: number, session: number) => ({ pid, parent, session });

  it('holds children of children, however they are listed', () => {
    const entries = [entry(12, 11, 1), entry(11, 10, 1), entry(10, 1, 1), entry(20, 1, 1)];
    expect([...treeOf(entries, 10)].sort()).toEqual([10, 11, 12]);
  });

  it('holds what a shell has left behind in its session', () => {
    expect([...treeOf([entry(31, 1, 30), entry(32, 31, 32), entry(40, 1, 40)], 30)].sort()).toEqual([31, 32]);
  });

  it('is found for a real shell', async () => {
    const shell = spawn('sh', ['-c', 'sleep 60 & echo $!; wait'], {
      stdio: ['ignore', 'pipe', 'ignore'],
      detached: true,
    });
    const [said] = (await once(shell.stdout, 'data')) as [Buffer];
    const ended = once(shell, 'exit');
    try {
      expect([...processTree(shell.pid!)].sort((a, b) => a - b)).toEqual([shell.pid, Number(said.toString())]);
    } finally {
      process.kill(-shell.pid!, 'SIGKILL');
      await ended;
    }
  });
});

describe('memory', () => {
  it('is a field of the kernel’s status, and nothing where there is none', () => {
    const status = 'VmHWM:\t   2048 kB\nRssAnon:\t    512 kB\n';
    expect(parseMemory(status, 'VmHWM')).toBe(2048);
    expect(parseMemory(status, 'RssAnon')).toBe(512);
    expect(parseMemory(status, 'VmRSS')).toBe(0);
  });
});
