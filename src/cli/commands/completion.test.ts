import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../platform/system-clock.ts';
import { commands, runCli } from '../cli.ts';
import { candidates } from './completion.ts';

describe('the words that may come next', () => {
  it.each<[string, readonly string[], readonly string[]]>([
    ['commands at first', ['st'], ['status', 'stand-down', 'state']],
    ['nothing after a word that is no command', ['sleep', ''], []],
    ['the words of a command', ['state', ''], ['show', 'verify', 'rebuild']],
    ['no second word of the same kind', ['state', 'show', ''], []],
    ['the flags of a command', ['wake', '--w'], ['--wait']],
    ['the flags of a word, and not those of another', ['state', 'rebuild', '--re'], ['--replace']],
    ['a flag once', ['wake', '--wait', '--wa'], []],
    ['nothing in the place of a value', ['keep-awake', '--for', ''], []],
    ['the forms of an answer', ['status', '-o', ''], ['text', 'json']],
    ['shells, and not the word of the scripts', ['completion', ''], ['bash', 'zsh', 'fish', 'kubectl']],
  ])('%s', (_, typed, expected) => {
    expect(candidates(commands, typed)).toEqual(expected);
  });

  it('offers no flag that its command refuses', async () => {
    for (const name of Object.keys(commands)) {
      const flags = candidates(commands, [name, '--']);
      expect(flags, name).toContain('--help');
      for (const flag of flags.filter((one) => one !== '--version')) {
        const value = ['--help', '--wait', '--dry-run', '--yes', '--end', '--replace'].includes(flag) ? [] : ['text'];
        const said: string[] = [];
        const terminal = { out() {}, err: (text: string) => void said.push(text) };
        const connect = () => Promise.reject(new Error('no connection was expected'));
        const args = [name, flag, ...value, '--help'];
        await runCli({ args, env: {}, terminal, clock: systemClock, version: '', connect });
        expect(said, `${name} ${flag}`).toEqual([]);
      }
    }
  });
});

describe('in bash itself', () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-completion-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('completes a line', () => {
    const entry = join(import.meta.dirname, '../entry.ts');
    writeFileSync(join(folder, 'svc'), `#!/bin/sh\nexec "${process.execPath}" "${entry}" "$@"\n`);
    chmodSync(join(folder, 'svc'), 0o755);
    const script = `
      source <(svc completion bash)
      COMP_WORDS=(svc state ve); COMP_CWORD=2; _svc; echo "\${COMPREPLY[@]}"
      COMP_WORDS=(svc wake --); COMP_CWORD=2; _svc; echo "\${COMPREPLY[0]}"`;
    const env = { ...process.env, PATH: `${folder}${delimiter}${process.env['PATH']}` };
    expect(execFileSync('bash', ['-c', script], { env, encoding: 'utf8' })).toBe('verify\n--for\n');
  });
});
