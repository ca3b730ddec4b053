import { describe, expect, it } from 'vitest';
import { searchPath } from './search-path.ts';

const usableIn = (...programs: readonly string[]) => {
  const usable = new Set(programs);
  return (program: string) => usable.has(program);
};

describe('the PATH of a rehearsed step', () => {
  it('has Go where this machine keeps it, and nothing else of who started it', () => {
    const usable = usableIn('/opt/go/bin/go', '/usr/bin/python3');
    expect(searchPath(['/home/bin'], '/root/bin:/opt/go/bin:/usr/bin', usable)).toBe(
      '/home/bin:/usr/local/bin:/usr/bin:/bin:/opt/go/bin',
    );
  });

  it('takes what is in the usual folders from there', () => {
    const usable = usableIn('/usr/bin/go', '/usr/bin/python3', '/root/.pyenv/shims/python3');
    expect(searchPath([], '/root/.pyenv/shims:/usr/bin', usable)).toBe('/usr/local/bin:/usr/bin:/bin');
  });

  it('leaves out a program that only whoever started it may run', () => {
    expect(searchPath([], '/root/go/bin', usableIn())).toBe('/usr/local/bin:/usr/bin:/bin');
  });
});
