// Requests a second through the frontend as it ships, to an API that answers at once, and the memory that it takes.

import { type ChildProcess, fork } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { nodeEnvironment, nodeFlags } from '../../src/platform/node-flags.ts';
import { bundle } from '../../tools/build/bundle.ts';
import { freePort } from '../../tools/cluster/free-ports.ts';
import { load } from '../api/load.ts';

const containerMiB = 128;
const goalPerSecond = 1_000;

export async function run(args: readonly string[]): Promise<{ figure: string; pass: boolean }> {
  const { values } = parseArgs({ args: [...args], options: { seconds: { type: 'string', default: '5' } } });
  const seconds = Number(values.seconds);
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-frontend-'));
  const children: ChildProcess[] = [];
  try {
    await bundle({ frontend: 'src/frontend/main.ts' }, folder);
    mkdirSync(join(folder, 'web'));
    writeFileSync(join(folder, 'web', 'index.html'), '<!doctype html><html><head></head></html>');
    const upstream = fork(join(import.meta.dirname, 'upstream.ts'));
    children.push(upstream);
    const { port } = await new Promise<{ port: number }>((resolve) =>
      upstream.once('message', (told) => resolve(told as { port: number })),
    );
    const [httpPort, httpsPort] = [await freePort(), await freePort()];
    const frontend = fork(join(folder, 'frontend.mjs'), [], {
      execArgv: [...nodeFlags],
      silent: true,
      env: {
        ...nodeEnvironment,
        EXTERNAL_URL: 'http://127.0.0.1',
        API_URL: `http://127.0.0.1:${port}`,
        HTTP_PORT: String(httpPort),
        HTTPS_PORT: String(httpsPort),
        WEB_ROOT: join(folder, 'web'),
      },
    });
    children.push(frontend);
    await new Promise((resolve) => frontend.stdout?.once('data', resolve));
    const idle = memoryOf(frontend);
    const url = `http://127.0.0.1:${httpPort}/api/v1/hibernation/status`;
    await load(url, 'token', 16, seconds / 2);
    const loads = [];
    for (let turn = 0; turn < 3; turn++) loads.push(await load(url, 'token', 16, seconds));
    const best = loads.toSorted((a, b) => b.requestsPerSecond - a.requestsPerSecond)[0]!;
    const loaded = memoryOf(frontend);
    return {
      figure: [
        `${Math.round(best.requestsPerSecond)} requests a second (goal ${goalPerSecond})`,
        `p50 ${best.p50Ms.toFixed(1)} ms, p99 ${best.p99Ms.toFixed(1)} ms`,
        `memory ${idle} idle, ${loaded} after the load (container ${containerMiB})`,
      ].join('; '),
      pass: best.requestsPerSecond >= goalPerSecond,
    };
  } finally {
    for (const child of children) child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  }
}

function memoryOf({ pid }: ChildProcess): string {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const of = (name: string) => Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024);
  return `${of('VmRSS')} MiB (${of('RssAnon')} anonymous)`;
}
