import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { vi } from 'vitest';
import { Child } from '../../../tools/cluster/child-process.ts';
import { freePort } from '../../../tools/cluster/free-ports.ts';
import { provision } from '../../../tools/provision/provision.ts';

export interface Redis {
  readonly address: string;
  stop(): Promise<void>;
}

/** A redis that keeps nothing. */
export async function startRedis(): Promise<Redis> {
  const [command, port] = await Promise.all([provision('redis'), freePort()]);
  const folder = await mkdtemp(join(tmpdir(), 'svc-redis-'));
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', folder];
  const child = new Child({ name: 'redis', command, args, logFile: join(folder, 'redis.log') });
  await vi.waitFor(
    async () => {
      if (!child.running) throw new Error(`redis ended: ${child.lastWords()}`);
      const socket = connect(port, '127.0.0.1');
      await once(socket, 'connect').finally(() => socket.destroy());
    },
    { timeout: 30_000, interval: 100 },
  );
  return {
    address: `127.0.0.1:${port}`,
    stop: async () => {
      await child.kill('SIGKILL');
      await rm(folder, { recursive: true, force: true });
    },
  };
}
