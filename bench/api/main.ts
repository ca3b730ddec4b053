// Reads at 5,000 workloads against a bare route in the same process, and 500 event streams in the memory of its container.
import { type ChildProcess, fork } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { serviceAccountFolderVariable } from '../../src/adapters/kubernetes/transport/in-cluster.ts';
import { asInContainer, containerMebibytes, nodeEnvironment, nodeFlags } from '../../src/platform/node-flags.ts';
import { bundlePrograms } from '../../tools/build/bundle.ts';
import { type Load, load } from './load.ts';

const goalRatio = 0.5;
const containerMiB = 128;
const connections = 16;
const turns = 5;

interface Started {
  readonly url: string;
  readonly hello: string;
  readonly token: string;
}

export async function run(args: readonly string[]): Promise<{ figure: string; pass: boolean }> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      workloads: { type: 'string', default: '5000' },
      streams: { type: 'string', default: '500' },
      seconds: { type: 'string', default: '5' },
      'node-flags': { type: 'string', default: asInContainer(nodeFlags, containerMebibytes).join(' ') },
    },
  });
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-api-'));
  const children: ChildProcess[] = [];
  try {
    await bundlePrograms({ entry: join(import.meta.dirname, 'entry.ts') }, folder);
    const cluster = fork(join(import.meta.dirname, 'cluster.ts'), [folder, values.workloads]);
    children.push(cluster);
    const { port } = await message<{ port: string }>(cluster);
    const env = {
      KUBERNETES_SERVICE_HOST: '127.0.0.1',
      KUBERNETES_SERVICE_PORT: port,
      [serviceAccountFolderVariable]: folder,
    };
    const api = fork(join(folder, 'entry.mjs'), [], {
      execArgv: values['node-flags'].split(' '),
      env: { ...process.env, ...nodeEnvironment, ...env },
    });
    children.push(api);
    const started = await message<Started>(api);
    const idle = memoryOf(api);
    const ratio = await reads(started, Number(values.seconds));
    const afterReads = memoryOf(api);
    const held = await holdStreams(api, started, Number(values.streams));
    const pass = ratio >= goalRatio && held.heard === Number(values.streams) && held.residentMiB < containerMiB;
    return {
      figure: [
        `status reads at ${ratio.toFixed(2)} of a bare route (goal ${goalRatio})`,
        `${held.heard} of ${values.streams} streams heard an event`,
        `memory ${idle.residentMiB} MiB idle, ${afterReads.residentMiB} after the reads, ${held.residentMiB} with the streams (${held.anonymousMiB} anonymous; container ${containerMiB})`,
      ].join('; '),
      pass,
    };
  } finally {
    // Killed: a Node that is asked to exit under load was once seen to wait for its own threads for ever.
    for (const child of children) child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Short turns of the two, one after the other, and the middle of their ratios: a busy machine shows in both alike. */
async function reads({ url, hello, token }: Started, seconds: number): Promise<number> {
  const measure = (target: string, turn: number) => load(target, token, connections, turn);
  const status = `${url}/api/v1/hibernation/status`;
  await measure(status, seconds / 2);
  const ratios: number[] = [];
  for (let turn = 0; turn < turns; turn++) {
    const bare = await measure(`${hello}/hello`, seconds / turns);
    const read = await measure(status, seconds / turns);
    ratios.push(read.requestsPerSecond / bare.requestsPerSecond);
    print(`bare route, turn ${turn + 1}`, bare);
    print(`status, turn ${turn + 1}`, read);
  }
  for (const [name, path] of [
    ['listing, 100 of all', '/resources?limit=100'],
    ['listing, one namespace', '/resources/ns-7'],
    ['counts', '/resources/stats'],
  ] as const) {
    print(name, await measure(`${url}/api/v1${path}`, seconds / 2));
  }
  return ratios.toSorted((a, b) => a - b)[Math.floor(turns / 2)] ?? 0;
}

function print(name: string, { requestsPerSecond, p50Ms, p99Ms }: Load): void {
  console.log(
    `${name.padEnd(24)} ${Math.round(requestsPerSecond)}/s, p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms`,
  );
}

async function holdStreams(api: ChildProcess, { url, token }: Started, count: number) {
  let heard = 0;
  const streams: IncomingMessage[] = [];
  for (let index = 0; index < count; index++) {
    const stream = await openStream(`${url}/api/v1/events`, token);
    stream.on('data', (chunk: Buffer) => {
      if (chunk.includes('to everybody')) heard++;
    });
    streams.push(stream);
  }
  api.send('publish');
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  const memory = memoryOf(api);
  for (const stream of streams) stream.destroy();
  return { heard, ...memory };
}

function openStream(url: string, token: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get(url, { agent: false, headers: { authorization: `Bearer ${token}` } }, resolve).on('error', reject);
  });
}

function memoryOf({ pid }: ChildProcess): { readonly residentMiB: number; readonly anonymousMiB: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const of = (name: string) => Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024);
  return { residentMiB: of('VmRSS'), anonymousMiB: of('RssAnon') };
}

function message<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    child.once('message', (value) => resolve(value as T));
    child.once('exit', (code) => reject(new Error(`the child ended with ${code}`)));
  });
}
