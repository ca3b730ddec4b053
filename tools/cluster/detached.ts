import { spawn } from 'node:child_process';
import { existsSync, openSync, readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { systemClock } from '../../src/platform/system-clock.ts';
import { sleep } from '../../src/ports/clock.ts';
import type { ClusterConnection } from './control-plane.ts';
import { clusterFiles, clustersFolder } from './layout.ts';
import { isOwned, sweepLeftovers } from './leftovers.ts';

/** The clusters that people start by name, one of each at a time. */
export type NamedCluster = 'up' | 'embedded';

export function namedFolder(name: NamedCluster): string {
  return join(clustersFolder(), name);
}

/** How to reach it, or undefined when it does not run. */
export async function runningCluster(name: NamedCluster): Promise<ClusterConnection | undefined> {
  const files = clusterFiles(namedFolder(name));
  if (!existsSync(files.connection) || !(await isOwned(files.folder))) return undefined;
  return JSON.parse(readFileSync(files.connection, 'utf8')) as ClusterConnection;
}

/** Starts this program again in the background, in a session of its own, and waits until its cluster can be used. */
export async function startDetached(name: NamedCluster, args: readonly string[]): Promise<ClusterConnection> {
  await sweepLeftovers();
  await mkdir(clustersFolder(), { recursive: true, mode: 0o700 });
  const logFile = join(clustersFolder(), `${name}.log`);
  const log = openSync(logFile, 'w');
  const program = fileURLToPath(new URL('./main.ts', import.meta.url));
  const child = spawn(process.execPath, [program, ...args, '--folder', namedFolder(name)], {
    detached: true,
    stdio: ['ignore', log, log],
  });
  let ended = false;
  child.on('exit', () => {
    ended = true;
  });
  for (;;) {
    const connection = await runningCluster(name);
    if (connection !== undefined) {
      child.unref();
      return connection;
    }
    if (ended) throw new Error(`the cluster did not start:\n${readFileSync(logFile, 'utf8').trim()}`);
    await sleep(systemClock, 50);
  }
}
