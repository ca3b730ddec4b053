import { describe, expect, it } from 'vitest';
import { parseFlags, usage } from './flags.ts';

describe('the flags of npm start', () => {
  it('have defaults', () => {
    expect(parseFlags([])).toEqual({ ok: true, flags: { port: 3000, seed: 1, speed: 1, past: 28, act: false } });
  });

  it('are taken as given', () => {
    expect(parseFlags(['--port', '3100', '--seed', '7', '--speed', '60', '--past', '7'])).toEqual({
      ok: true,
      flags: { port: 3100, seed: 7, speed: 60, past: 7, act: false },
    });
    expect(parseFlags(['--kubeconfig', '/k', '--act'])).toEqual({
      ok: true,
      flags: { port: 3000, seed: 1, speed: 1, past: 28, kubeconfig: '/k', act: true },
    });
  });

  it('name a configuration and keys', () => {
    expect(parseFlags(['--config', 'host.yaml', '--branding', 'brand.yaml', '--keys', 'keys'])).toMatchObject({
      ok: true,
      flags: { config: 'host.yaml', branding: 'brand.yaml', keys: 'keys' },
    });
  });

  it.each(['--help', '-h'])('are told by %s, with every port', (flag) => {
    expect(parseFlags([flag])).toEqual({ ok: 'help' });
    expect(usage).toContain('The mail is at N+25, the sleeping service at N+26');
  });

  const refused: [string, string[], string][] = [
    ['a port that is none', ['--port', '70000'], '--port 70000: must be a port number from 1 to 65535'],
    ['a seed that is no number', ['--seed', 'x'], '--seed x: must be a whole number'],
    ['a clock that stands still', ['--speed', '0'], '--speed 0: must be a number from 0.1 to 10000'],
    ['a past that is too long', ['--past', '29'], '--past 29: must be a number of days from 0 to 28'],
    [
      'a faster clock on a real cluster',
      ['--kubeconfig', '/k', '--speed', '60'],
      '--speed 60: must be left out with --kubeconfig: a real cluster has its own time',
    ],
    ['--act alone', ['--act'], '--act goes with --kubeconfig: the embedded cluster is always acted on'],
  ];
  it.each(refused)('refuse %s', (_, args, message) => {
    expect(parseFlags(args)).toEqual({ ok: false, message });
  });

  it('refuse a flag they do not know', () => {
    expect(parseFlags(['--sped', '60'])).toMatchObject({ ok: false, message: expect.stringContaining('--sped') });
  });
});
