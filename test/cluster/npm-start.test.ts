import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { freePort } from '../../tools/cluster/free-ports.ts';
import { provision } from '../../tools/provision/provision.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Starts the demo as a newcomer does, and resolves with what it printed once it is ready. */
async function start(...flags: string[]) {
  const child = spawn('npm', ['start', '--silent', '--', ...flags], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    // A process group of its own, as a shell gives it: Ctrl-C goes to all of it.
    detached: true,
  });
  let printed = '';
  child.stdout.setEncoding('utf8');
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (text: string) => {
      printed += text;
      if (printed.includes('kubectl --kubeconfig')) resolve();
    });
    child.on('exit', (code) => reject(new Error(`ended with ${code} before it was ready: ${printed}`)));
  });
  return { child, printed, kubeconfig: /--kubeconfig (\S+)/.exec(printed)?.[1] ?? '' };
}

describe('npm start', () => {
  it('prints that it is ready, can be used and looked at with kubectl, and stops cleanly on Ctrl-C', async () => {
    const port = await freePort();
    const { child, printed, kubeconfig } = await start('--port', String(port), '--speed', '60', '--past', '1');
    try {
      expect(printed.split('\n')[0]).toBe(`ready: http://localhost:${port}`);
      const status = await fetch(`http://localhost:${port}/api/v1/public/hibernation-status`);
      expect([status.status, await status.json()]).toMatchObject([200, { clusterName: 'demo' }]);
      const { kubectl } = await provision('controlplane');
      const ask = (...args: string[]) =>
        execFileSync(kubectl, ['--kubeconfig', kubeconfig, ...args], { encoding: 'utf8' });
      expect(
        ask('get', 'deployments,statefulsets,cronjobs', '-A', '--no-headers').trim().split('\n').length,
      ).toBeGreaterThan(55);
      expect(ask('-n', 'shop', 'describe', 'deployment', 'storefront')).toContain('Name:');
      ask('-n', 'shop', 'scale', 'deployment/storefront', '--replicas=3');
      expect(ask('-n', 'shop', 'rollout', 'status', 'deployment/storefront', '--timeout=60s')).toContain(
        'successfully rolled out',
      );
      expect(
        ask('-n', 'shop', 'patch', 'deployment', 'storefront', '-p', '{"metadata":{"labels":{"seen":"yes"}}}'),
      ).toContain('patched');
      expect(ask('-n', 'svc', 'get', 'configmap', 'svc-state', '-o', 'jsonpath={.data.phase}')).toMatch(
        /awake|hibernated|^$/,
      );
      expect(ask('auth', 'can-i', 'list', 'pods')).toContain('yes');
      expect(ask('-n', 'shop', 'events')).toBeTruthy();
      expect(ask('-n', 'shop', 'create', 'deployment', 'made-here', '--image=example.com/a:1')).toContain('created');
      expect(ask('-n', 'shop', 'delete', 'deployment', 'made-here')).toContain('deleted');
    } finally {
      process.kill(-child.pid!, 'SIGINT');
    }
    await once(child, 'exit');
    expect(existsSync(kubeconfig)).toBe(false);
    await expect(fetch(`http://localhost:${port}/`)).rejects.toThrow();
  });

  it('refuses a flag that makes no sense, and says what would', async () => {
    const child = spawn('npm', ['start', '--silent', '--', '--port', 'x'], {
      cwd: root,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    const [code] = (await once(child, 'exit')) as [number];
    expect([code, said.split('\n')[0]]).toEqual([1, '--port x: must be a port number from 1 to 65535']);
  });
});
