import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, vi } from 'vitest';
import { readProcesses, sweepLeftovers } from '../../../tools/cluster/leftovers.ts';
import { isAlive } from '../../../tools/cluster/process-identity.ts';

const controlPlane = fileURLToPath(new URL('../../../tools/cluster/control-plane.ts', import.meta.url));
const owner = `
  import { startControlPlane } from ${JSON.stringify(controlPlane)};
  const plane = await startControlPlane({ controllerManager: false, scheduler: false });
  console.log(plane.dir);
  setInterval(() => {}, 1000);
`;

describe('a control plane whose owner is killed', () => {
  it('leaves no process behind, and the next start removes its folder', async () => {
    const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', owner], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [folder] = await Promise.race([
      once(createInterface(child.stdout), 'line') as Promise<[string]>,
      once(child, 'exit').then(() => Promise.reject(new Error('the owner ended before its control plane was ready'))),
    ]);
    const record = await readProcesses(folder);
    expect(record?.children.map((one) => one.name)).toEqual(['etcd', 'kube-apiserver']);
    expect(record?.children.every(isAlive)).toBe(true);

    child.kill('SIGKILL');
    await once(child, 'exit');
    if (process.platform !== 'linux') await sweepLeftovers();
    await vi.waitFor(() => expect(record?.children.filter(isAlive)).toEqual([]), { timeout: 5_000 });
    await sweepLeftovers();
    expect(await readProcesses(folder)).toBeUndefined();
  });
});
