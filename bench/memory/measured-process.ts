import { type ChildProcess, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { serviceAccountFolderVariable } from '../../src/adapters/kubernetes/transport/in-cluster.ts';
import { nodeEnvironment } from '../../src/platform/node-flags.ts';

const longestWaitMs = 300_000;

/** What is measured, and how it is started. */
export interface Subject {
  readonly bundle: string;
  readonly flags: readonly string[];
  readonly folder: string;
  /** An entry of this folder says at its end what it has seen; a foreign bundle does not. */
  readonly own: boolean;
}

/** Starts it as a pod would, with the server in place of an apiserver. */
export function startClient({ bundle, flags, folder }: Subject, port: number): ChildProcess {
  return spawn(process.execPath, [...flags, bundle], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PATH: process.env['PATH'],
      ...nodeEnvironment,
      KUBERNETES_SERVICE_HOST: '127.0.0.1',
      KUBERNETES_SERVICE_PORT: String(port),
      HEALTH_PORT: '0',
      METRICS_PORT: '0',
      [serviceAccountFolderVariable]: folder,
    },
  });
}

export function serviceAccount(folder: string, ca: string, token = 'bench-token'): void {
  for (const [name, content] of Object.entries({ token, 'ca.crt': ca, namespace: 'svc' })) {
    writeFileSync(join(folder, name), content);
  }
}

export function message<T>(child: ChildProcess, kind: string): Promise<T> {
  return new Promise((done, fail) => {
    const giveUp = (why: string) => fail(new Error(`The server did not say ${kind}: ${why}.`));
    const timer = setTimeout(() => giveUp(`${longestWaitMs / 1000} seconds have passed`), longestWaitMs);
    const onMessage = (received: unknown) => {
      const body = received as Record<string, T | undefined>;
      if (body[kind] === undefined) return;
      clearTimeout(timer);
      child.off('message', onMessage);
      done(body[kind]);
    };
    child.on('message', onMessage);
    child.once('exit', (code) => giveUp(`it ended with ${code}`));
  });
}

export function failure(client: ChildProcess): Promise<never> {
  return new Promise((_, fail) => {
    client.once('exit', (code, signal) => fail(new Error(`The measured process ended early with ${code ?? signal}.`)));
  });
}

export function pause(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms));
}
