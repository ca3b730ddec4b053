// A stranger holds 5,000 half-sent heads, 1,000 unfinished posts and 1,000 streams; a signed-in person from the same address asks
// for the status and stands the service down. What is shed or refused he opens again: a second later, and in a second part at
// once, which is no holding any more but a storm, as fast as this machine makes one. Last he sends a thousand requests in one piece, on
// 64 connections, again and again. The bundles are those that ship, in the
// memory of their containers. With `--tls` all of it is HTTPS, and every other half-sent head is a half-sent handshake.

import { type ChildProcess, fork } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { request as requestSecurely } from 'node:https';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { serviceAccountFolderVariable } from '../../src/adapters/kubernetes/transport/in-cluster.ts';
import { Keys } from '../../src/api/sign-in/keys.ts';
import { Tokens } from '../../src/api/sign-in/tokens.ts';
import { internalCertificate } from '../../src/frontend/internal-authority.ts';
import { asInContainer, nodeEnvironment, nodeFlags } from '../../src/platform/node-flags.ts';
import { bundle } from '../../tools/build/bundle.ts';
import { freePorts } from '../../tools/cluster/free-ports.ts';
import { openSockets } from '../real/process-tree.ts';
import { type Deeds, type Kind, kinds, type Order, type VolleyOrder, type Volleys } from './deeds.ts';

const containerMiB = 128;
const statusGoalMs = 1_000;
/** Thousands that come at once wait in the kernel's line, and a person who comes waits in it too. */
const stormGoalMs = 3_000;
const standDownGoalMs = 3_000;
/** The person asks so long after each answer. */
const pauseMs = 50;
/** How long the stranger may take until all of him has been there once. */
const patienceMs = 60_000;
const jwtSecret = 'a secret for the benchmark alone, 0123456789';
const admin = 'ada@example.com';

interface Line {
  readonly pass: boolean;
  readonly text: string;
}

export async function run(args: readonly string[]): Promise<{ figure: string; pass: boolean }> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      heads: { type: 'string', default: '5000' },
      posts: { type: 'string', default: '1000' },
      streams: { type: 'string', default: '1000' },
      seconds: { type: 'string', default: '30' },
      workloads: { type: 'string', default: '500' },
      // The stranger's priority: on this machine he must not take the processor of the service, as from his own he could not.
      nice: { type: 'string', default: '10' },
      // How long he waits before he comes again with what was shed or refused.
      again: { type: 'string', default: '1000' },
      // How long he comes again at once, after that.
      storm: { type: 'string', default: '15' },
      // How long he sends requests in one piece, last.
      volleys: { type: 'string', default: '10' },
      tls: { type: 'boolean', default: false },
    },
  });
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-siege-'));
  const children: ChildProcess[] = [];
  try {
    await bundle({ api: 'src/api/main.ts', frontend: 'src/frontend/main.ts' }, folder);
    mkdirSync(join(folder, 'web'));
    writeFileSync(join(folder, 'web', 'index.html'), '<!doctype html><html><head></head></html>');
    const cluster = fork(join(import.meta.dirname, '..', 'api', 'cluster.ts'), [folder, values.workloads]);
    children.push(cluster);
    const { port: clusterPort } = await message<{ port: string }>(cluster);
    const [api, frontend, door] = await startProcesses(folder, clusterPort, children, values.tls);
    const processes = { frontend, api };
    const before = Object.entries(processes).map(([name, child]) => `${name} ${memoryOf(child).now}`);

    const stranger = fork(join(import.meta.dirname, 'stranger.ts'));
    children.push(stranger);
    const order: Order = {
      ...door,
      places: { heads: Number(values.heads), posts: Number(values.posts), streams: Number(values.streams) },
      tokens: Array.from({ length: 100 }, (_, index) => tokenOf(`stranger${index}@example.com`)),
      nice: Number(values.nice),
      againMs: Number(values.again),
    };
    const there = message(stranger);
    stranger.send(order);
    const peaks: string[] = [];
    const notePeaks = (when: string) => {
      const all = Object.entries(processes).map(([name, child]) => `${name} ${memoryOf(child).peak}`);
      peaks.push(`${when} ${all.join(' and ')}`);
    };
    const held = await besieged(door, there, Number(values.seconds) * 1000);
    notePeaks('while he held');
    const deeds = await told<Readonly<Record<Kind, Deeds>>>(stranger);
    stranger.send({ againMs: 0 });
    const storm = await besieged(door, Promise.resolve(), Number(values.storm) * 1000);
    notePeaks('in the storm');
    // Those of clients and those to the API.
    const inside = openSockets(frontend.pid ?? 0);
    const afterStorm = await told<Readonly<Record<Kind, Deeds>>>(stranger);
    await ended(stranger);
    // Behind him stands what he left waiting: the first answer after the storm is one of the storm.
    storm.statuses.push(await ask(door, 'GET', '/api/v1/hibernation/status', tokenOf(admin)));
    const volleys = await underVolleys(door, values.nice, Number(values.volleys) * 1000, children);
    notePeaks('under the volleys');
    const lines = [
      strangerLine(order, deeds),
      statusLine('while he holds what he can', held.statuses, statusGoalMs),
      standDownLine(held.standDowns),
      stormLine(order, timesHeCame(afterStorm) - timesHeCame(deeds)),
      statusLine('in the storm', storm.statuses, stormGoalMs),
      standDownLine(storm.standDowns),
      volleyLine(volleys.sent),
      statusLine('under the volleys', volleys.statuses, statusGoalMs),
      standDownLine(volleys.standDowns),
      ...Object.entries(processes).map(([name, child]) => memoryLine(name, memoryOf(child).peak)),
    ];
    console.log(
      [
        `siege${values.tls ? ' over TLS' : ''} by one stranger on the person's own address, at nice ${values.nice}, for ${values.seconds} s from when all he holds had stood once; what is shed or refused he opens again after ${values.again} ms, and for ${values.storm} s more at once`,
        ...kinds.map((kind) => deedsLine(kind, order.places[kind], deeds[kind])),
        ...kinds.map((kind) => `after the storm, ${deedsLine(kind, order.places[kind], afterStorm[kind])}`),
        `connections that stood at the frontend's port, looked at every second: ${held.standing.join(' ')}; in the storm: ${storm.standing.join(' ')}; sockets inside it at the end: ${inside}`,
        `memory before: ${before.join(' MiB, ')} MiB; highest until then: ${peaks.join(', ')}; the controller takes no part; load of the machine ${loadavg()[0]?.toFixed(1)}`,
        ...lines.map(({ pass, text }) => `${pass ? 'PASS' : 'FAIL'} ${text}`),
      ].join('\n'),
    );
    const missed = lines.filter(({ pass }) => !pass).length;
    return { figure: `${lines.length - missed} of ${lines.length} lines hold`, pass: missed === 0 };
  } finally {
    for (const child of children) child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * What a signed-in person gets from now on: a status all the time, and a stand-down at each quarter of the time in which all of
 * the stranger is there.
 */
async function besieged(door: Door, there: Promise<unknown>, lastsMs: number) {
  const token = tokenOf(admin);
  const statuses: Answer[] = [];
  const standDowns: Answer[] = [];
  const standing: number[] = [];
  const startedAt = performance.now();
  let thereAt = startedAt + patienceMs;
  void there.then(() => {
    thereAt = Math.min(thereAt, performance.now());
  });
  while (performance.now() - thereAt < lastsMs) {
    statuses.push(await ask(door, 'GET', '/api/v1/hibernation/status', token));
    if (performance.now() - thereAt > (lastsMs * (standDowns.length + 1)) / 4) {
      standDowns.push(await ask(door, 'POST', '/api/v1/stand-down', token, '{"reason":"siege"}'));
      await ask(door, 'DELETE', '/api/v1/stand-down', token);
    }
    if (performance.now() - thereAt > 1000 * standing.length) standing.push(standingAt(door.port));
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  return { statuses, standDowns, standing };
}

const volley = { connections: 64, requests: 1_000 } as const;

async function underVolleys(door: Door, nice: string, lastsMs: number, children: ChildProcess[]) {
  const stranger = fork(join(import.meta.dirname, 'volley-entry.ts'));
  children.push(stranger);
  const paths = ['/api/v1/public/hibernation-status', '/', '/nothing'];
  stranger.send({ ...door, ...volley, paths, nice: Number(nice) } satisfies VolleyOrder);
  const answers = await besieged(door, Promise.resolve(), lastsMs);
  const { sent } = await told<Volleys>(stranger);
  await ended(stranger);
  return { ...answers, sent };
}

function volleyLine(sent: number): Line {
  const { connections, requests } = volley;
  return {
    pass: sent >= 3 * connections,
    text: `volleys: ${requests} requests in one piece, sent ${sent} times on ${connections} connections (goal: three times on each)`,
  };
}

function ended(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill('SIGKILL');
  });
}

function placesIn({ places }: Order): number {
  return kinds.reduce((sum, kind) => sum + places[kind], 0);
}

/** By the kernel's books, which count those that it keeps until the frontend takes them in. */
function standingAt(port: number): number {
  const end = port.toString(16).toUpperCase().padStart(4, '0');
  const established = new RegExp(`^ *\\d+: [0-9A-F]+:${end} [0-9A-F]+:[0-9A-F]{4} 01 `, 'gm');
  return ['tcp', 'tcp6'].reduce((sum, name) => {
    const path = `/proc/net/${name}`;
    return sum + (existsSync(path) ? (readFileSync(path, 'utf8').match(established)?.length ?? 0) : 0);
  }, 0);
}

function deedsLine(kind: Kind, places: number, { opened, cut, refused, open, heard }: Deeds): string {
  const end = kind === 'streams' ? `${open} stood at the end, ${heard} of them answered` : `${open} stood at the end`;
  return `${places} ${kind}: opened ${opened} times, cut ${cut} times, refused ${refused} times; ${end}`;
}

function timesHeCame(deeds: Readonly<Record<Kind, Deeds>>): number {
  return kinds.reduce((sum, kind) => sum + deeds[kind].opened, 0);
}

/** Where his processor was taken from him, it was no siege, and the other lines say nothing. */
function strangerLine(order: Order, deeds: Readonly<Record<Kind, Deeds>>): Line {
  const all = placesIn(order);
  const opened = timesHeCame(deeds);
  return {
    pass: kinds.every((kind) => deeds[kind].opened >= order.places[kind]) && opened >= 3 * all,
    text: `the stranger was there: each of his ${all} places was taken, and he came ${opened} times (goal: three times for each)`,
  };
}

/** By how often he came and not by how many stood: where he is sent away at once, few stand, however fast he comes. */
function stormLine(order: Order, came: number): Line {
  const all = placesIn(order);
  return {
    pass: came >= 10 * all,
    text: `it was a storm: he came ${came} times more (goal: ten times for each of his ${all} places)`,
  };
}

function statusLine(when: string, answers: readonly Answer[], goalMs: number): Line {
  const { p50, p99, max, refused } = figuresOf(answers);
  return {
    pass: max < goalMs && refused === 'none refused',
    text: `status of a signed-in person ${when}, ${answers.length} times, each on a new connection: p50 ${p50} ms, p99 ${p99} ms, max ${max} ms (goal: every one under ${goalMs}), ${refused}`,
  };
}

function standDownLine(answers: readonly Answer[]): Line {
  const { max, refused } = figuresOf(answers);
  return {
    pass: answers.length > 0 && max < standDownGoalMs && refused === 'none refused',
    text: `stand-down: ${answers.map(({ ms }) => `${Math.round(ms)} ms`).join(', ')} (goal: each under ${standDownGoalMs}), ${refused}`,
  };
}

function memoryLine(name: string, peak: number): Line {
  return {
    pass: peak < containerMiB,
    text: `${name}: ${peak} MiB at its peak (VmHWM of the process; container ${containerMiB})`,
  };
}

function figuresOf(answers: readonly Answer[]) {
  const times = answers.map(({ ms }) => Math.round(ms)).sort((a, b) => a - b);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  const wrong = Object.entries(Object.groupBy(answers, ({ status }) => status)).filter(([status]) => status !== '200');
  const refused = wrong.map(([status, all]) => `${all?.length} times ${status}`).join(', ') || 'none refused';
  return { p50: at(0.5), p99: at(0.99), max: at(1), refused };
}

interface Answer {
  readonly status: string;
  readonly ms: number;
}

/** Where everybody comes in. */
interface Door {
  readonly port: number;
  readonly secure: boolean;
}

async function startProcesses(
  folder: string,
  clusterPort: string,
  children: ChildProcess[],
  secure: boolean,
): Promise<readonly [ChildProcess, ChildProcess, Door]> {
  const ports = await freePorts(6);
  const start = (name: string, env: Readonly<Record<string, string>>) => {
    const child = fork(join(folder, `${name}.mjs`), [], {
      execArgv: [...asInContainer(nodeFlags, containerMiB)],
      silent: true,
      env: { ...nodeEnvironment, ...env },
    });
    children.push(child);
    child.stderr?.pipe(process.stderr);
    return child;
  };
  const api = start('api', {
    KUBERNETES_SERVICE_HOST: '127.0.0.1',
    KUBERNETES_SERVICE_PORT: clusterPort,
    [serviceAccountFolderVariable]: folder,
    JWT_SECRET: jwtSecret,
    INTERNAL_API_SECRET: 'internal-secret-of-the-benchmark-0123456789',
    PORT: String(ports[0]),
    HEALTH_PORT: String(ports[1]),
    METRICS_PORT: String(ports[2]),
  });
  const frontend = start('frontend', {
    EXTERNAL_URL: 'https://svc.example.com',
    API_URL: `http://127.0.0.1:${ports[0]}`,
    HTTP_PORT: String(ports[3]),
    HTTPS_PORT: String(ports[4]),
    WEB_ROOT: join(folder, 'web'),
    ...(secure ? { TLS_FOLDER: await certificateIn(folder) } : {}),
  });
  await Promise.all([line(api, 'API started'), line(frontend, 'Frontend started')]);
  const door = { port: ports[secure ? 4 : 3]!, secure };
  while ((await ask(door, 'GET', '/api/v1/hibernation/status', tokenOf(admin))).status !== '200') {
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return [api, frontend, door];
}

async function certificateIn(folder: string): Promise<string> {
  const { cert, key } = await internalCertificate(Date.now());
  writeFileSync(join(folder, 'tls.crt'), cert);
  writeFileSync(join(folder, 'tls.key'), key);
  return folder;
}

function tokenOf(address: string): string {
  const issuedAt = Date.now();
  const claims = { type: 'access', subject: address, session: `of ${address}`, generation: 0, issuedAt } as const;
  return new Tokens(new Keys(jwtSecret)).issue({ ...claims, expiresAt: issuedAt + 3_600_000 });
}

/** On a connection of its own, as somebody who has just come. */
// biome-ignore lint/complexity/useMaxParams: one request, as plain as it is sent.
function ask({ port, secure }: Door, method: string, path: string, token: string, body?: string): Promise<Answer> {
  const startedAt = performance.now();
  return new Promise((resolve) => {
    const done = (status: string) => resolve({ status, ms: performance.now() - startedAt });
    const headers = {
      host: 'svc.example.com',
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    };
    const send = secure ? requestSecurely : request;
    const sent = send(
      { host: '127.0.0.1', port, method, path, headers, agent: false, timeout: 10_000, rejectUnauthorized: false },
      (answer) => {
        answer.resume();
        answer.on('end', () => done(String(answer.statusCode)));
      },
    );
    sent.on('timeout', () => sent.destroy(new Error('no answer')));
    sent.on('error', (error) => done(error.message));
    sent.end(body);
  });
}

function line(child: ChildProcess, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the child ended with ${code}`)));
    child.stdout?.on('data', (piece: Buffer) => void (piece.includes(text) && resolve()));
  });
}

function memoryOf({ pid }: ChildProcess): { readonly now: number; readonly peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const of = (name: string) => Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024);
  return { now: of('VmRSS'), peak: of('VmHWM') };
}

function message<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    child.once('message', (value) => resolve(value as T));
    child.once('exit', (code) => reject(new Error(`the child ended with ${code}`)));
  });
}

function told<T>(child: ChildProcess): Promise<T> {
  const answer = message<T>(child);
  child.send('tell');
  return answer;
}
