import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { bundle, bundles } from '../../tools/build/bundle.ts';
import { olderNodes } from '../../tools/provision/node-versions.ts';
import { provision } from '../../tools/provision/provision.ts';

const root = join(import.meta.dirname, '../..');
let folder: string;
let cli: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-command-line-'));
  cli = join(folder, 'cli.mjs');
  await bundle({ cli: join(root, bundles.cli) }, folder);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(program: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', env: { HOME: folder, ...env } });
  return { status, stdout, stderr };
}

describe.each(Object.entries(olderNodes))('the bundled svc on Node %s', (major, version) => {
  it.each([['--version'], ['status'], ['stand-down', '--reason', 'incident']])(
    'says what it needs to %s',
    async (...args) => {
      const node = (await provision('nodes'))[Number(major) as keyof typeof olderNodes];
      expect(run(node, [cli, ...args])).toEqual({
        status: 1,
        stdout: '',
        stderr: `svc needs Node.js 26 or newer; this is ${version}.\n`,
      });
    },
  );
});

describe('the bundled svc on the Node that the package pins', () => {
  it('runs', () => {
    expect(run(process.execPath, [cli, '--version'])).toEqual({
      status: 0,
      stdout: `svc ${packageJson.version}\n`,
      stderr: '',
    });
  });

  it('is a kubectl plugin, and then goes to the cluster that kubectl goes to', async () => {
    const { kubectl } = await provision('controlplane');
    symlinkSync(cli, join(folder, 'kubectl-svc'));
    const env = { PATH: `${folder}:${dirname(process.execPath)}:${process.env['PATH']}` };
    expect(run(kubectl, ['svc', '--version'], env)).toMatchObject({
      status: 0,
      stdout: `svc ${packageJson.version}\n`,
    });
    const nowhere = run(kubectl, ['svc', 'status'], { ...env, KUBECONFIG: join(folder, 'no-such-kubeconfig') });
    expect(nowhere).toMatchObject({ status: 1, stderr: expect.stringContaining('no-such-kubeconfig') });
    const server = run(kubectl, ['svc', 'status', '--server', 'https://127.0.0.1:1'], env);
    expect(server).toMatchObject({ status: 1, stderr: expect.stringContaining('https://127.0.0.1:1') });
  });
});
