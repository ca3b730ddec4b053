// Waiting pages a second, against a bare Node HTTP server of the same answer size in the same run.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import {
  asInContainer,
  nodeEnvironment,
  satelliteMebibytes,
  satelliteNodeFlags,
} from '../../src/platform/node-flags.ts';
import { bundle, bundles } from '../../tools/build/bundle.ts';
import type { Benchmark } from '../main.ts';
import { type LoadResult, load } from './load.ts';

const leastRatio = 0.7;
const leastPerSecond = 5_000;
/** Resident at its peak, the mapped binary of Node included; bare Node alone is above it under this load. */
const mostMiB = 64;
const rounds = 3;
const seconds = 3;
const connections = 50;

interface Subject {
  readonly child: ChildProcess;
  readonly port: number;
}

interface Memory {
  readonly resident: number;
  readonly anonymous: number;
}

export const run: Benchmark = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'bench-satellite-'));
  const children: ChildProcess[] = [];
  const api = await statusServer();
  try {
    await bundle({ satellite: bundles.satellite, bare: join(import.meta.dirname, 'bare-entry.ts') }, folder);
    const flags = asInContainer(satelliteNodeFlags, satelliteMebibytes);
    const satellite = await start(children, [...flags, join(folder, 'satellite.mjs')], {
      CLUSTER_NAME: 'staging',
      SERVICE_NAMESPACE: 'shop',
      SERVICE_NAME: 'web',
      EXTERNAL_URL: 'https://svc.example.com',
      STATUS_URL: `http://127.0.0.1:${(api.address() as AddressInfo).port}`,
      PORTS: '0',
    });
    const size = (await page(satellite.port)).length;
    // Node as it comes: none of the flags that save memory and cost speed.
    const bare = await start(children, [join(folder, 'bare.mjs'), String(size)]);
    // Both are warm before anything is measured.
    await measure(bare, 1);
    await measure(satellite, 1);
    const results: { readonly bare: LoadResult; readonly satellite: LoadResult }[] = [];
    for (let round = 0; round < rounds; round++) {
      results.push({ bare: await measure(bare, seconds), satellite: await measure(satellite, seconds) });
    }
    return verdict(results, size, { satellite: peakMiB(satellite.child), bare: peakMiB(bare.child) });
  } finally {
    for (const child of children) child.kill();
    api.close();
    rmSync(folder, { recursive: true });
  }
};

/** The API that a satellite asks now and then, so that its asking and the words it makes of the answer are measured too. */
function statusServer(): Promise<Server> {
  const nextChangeAt = new Date(Date.now() + 8 * 3_600_000).toISOString();
  const text = JSON.stringify({ state: 'hibernated', timezone: 'Europe/Berlin', nextChangeAt });
  const server = createServer((_request, response) => response.end(text));
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

/** Starts a process as its image does; it is there when a line of its output names its port. */
async function start(
  children: ChildProcess[],
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Subject> {
  const child = spawn(process.execPath, [...args], {
    env: { ...nodeEnvironment, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  return { child, port: await portIn(child.stdout) };
}

async function portIn(output: Readable): Promise<number> {
  for await (const line of createInterface(output)) {
    const port = /"ports":\[(\d+)\]/.exec(line)?.[1];
    if (port !== undefined) return Number(port);
  }
  throw new Error('the process ended without naming its port');
}

function measure({ port }: Subject, duration: number): Promise<LoadResult> {
  return load({ port, seconds: duration, connections, expect: 'HTTP/1.1 503 ' });
}

async function page(port: number): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${port}/cart?item=42`, { headers: { accept: 'text/html' } });
  return answer.text();
}

function peakMiB({ pid }: ChildProcess): Memory {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const field = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1024;
  return { resident: field('VmHWM'), anonymous: field('RssAnon') };
}

function verdict(
  results: readonly { readonly bare: LoadResult; readonly satellite: LoadResult }[],
  size: number,
  memory: { readonly satellite: Memory; readonly bare: Memory },
): { readonly figure: string; readonly pass: boolean } {
  const perSecond = median(results.map(({ satellite }) => satellite.perSecond));
  const p99 = median(results.map(({ satellite }) => satellite.p99Ms));
  const limit = median(results.map(({ bare }) => bare.perSecond));
  const ratio = median(results.map(({ bare, satellite }) => satellite.perSecond / bare.perSecond));
  const figure =
    `${Math.round(perSecond)} waiting pages of ${size} bytes a second, p99 ${p99.toFixed(1)} ms; bare Node ` +
    `${Math.round(limit)} a second; ratio ${ratio.toFixed(2)} (goal ${leastRatio}, and ${leastPerSecond} a second); ` +
    `peak ${mib(memory.satellite)}, goal ${mostMiB} resident (bare Node ${mib(memory.bare)})`;
  return { figure, pass: ratio >= leastRatio && perSecond >= leastPerSecond && memory.satellite.resident <= mostMiB };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

function mib({ resident, anonymous }: Memory): string {
  return `${Math.round(resident)} MiB resident, ${Math.round(anonymous)} anonymous`;
}
