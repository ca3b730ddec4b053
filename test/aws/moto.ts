import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../../tools/cluster/free-ports.ts';
import { provision } from '../../tools/provision/provision.ts';

/** Credentials that are easy to find if they leak. */
export const canary = {
  AWS_ACCESS_KEY_ID: 'AKIACANARYCANARY0001',
  AWS_SECRET_ACCESS_KEY: 'canary/secret+access-key-0123456789abcdef',
  AWS_SESSION_TOKEN: 'canary-session-token-0123456789abcdef==',
} as const;

export interface Moto {
  readonly url: string;
  stop(): Promise<void>;
}

/** moto's own server: an emulator of the cloud that others wrote. The process environment gets credentials for it. */
export async function startMoto(): Promise<Moto> {
  const program = await provision('moto');
  const port = await freePort();
  const server = spawn(program, ['-H', '127.0.0.1', '-p', String(port)], { stdio: 'ignore' });
  const url = `http://127.0.0.1:${port}`;
  Object.assign(process.env, canary, { AWS_EC2_METADATA_DISABLED: 'true' });
  await answering(url, server);
  return {
    url,
    async stop() {
      if (server.exitCode !== null) return;
      server.kill('SIGTERM');
      await once(server, 'exit');
    },
  };
}

/** Forgets everything that was made in it. */
export async function resetMoto({ url }: Moto): Promise<void> {
  await fetch(`${url}/moto-api/reset`, { method: 'POST' });
}

async function answering(url: string, server: ChildProcess): Promise<void> {
  for (let attempt = 0; attempt < 300; attempt++) {
    if (server.exitCode !== null) throw new Error(`moto ended with ${server.exitCode}`);
    try {
      await fetch(`${url}/moto-api/`);
      return;
    } catch {
      // It tells nobody when it listens: the only way to know is to ask.
      await pause(100);
    }
  }
  throw new Error('moto did not answer within 30 seconds');
}
