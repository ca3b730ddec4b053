// A cache of 5,000 Deployments and 20,000 Pods of full size, first list and a storm of events included, in a process as we ship it.
import { type ChildProcess, fork } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { asInContainer, containerMebibytes, nodeFlags } from '../../src/platform/node-flags.ts';
import { bundlePrograms } from '../../tools/build/bundle.ts';
import type { Result } from '../recorded.ts';
import { failure, message, pause, type Subject, serviceAccount, startClient } from './measured-process.ts';
import { type Peak, sampleMemory } from './memory-sampler.ts';
import type { Seen } from './report.ts';
import { controllerBundle, measureTransition, transitionGoal } from './transition.ts';

const goal: Peak = { residentMiB: 120, anonymousMiB: 70 };
const settleMs = 5_000;
const usage =
  'memory [--transition] [--entry FILE.ts] [--bundle FILE.mjs] [--deployments 5000] [--pods 20000] [--events 20000] [--lists paged|streaming|both] [--node-flags="…"]';

interface Plan {
  readonly deployments: number;
  readonly pods: number;
  readonly events: number;
  readonly streamingLists: boolean;
}

export async function run(args: readonly string[]): Promise<Result> {
  if (!existsSync('/proc/self/status')) throw new Error('The memory benchmark reads /proc and runs on Linux only.');
  const { values } = parseArgs({ args: [...args], options });
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-memory-'));
  try {
    const flags = values['node-flags'].split(' ').filter((flag) => flag !== '');
    if (values.transition) {
      const subject = { bundle: await controllerBundle(folder), flags, folder, own: false };
      const { peak, chart } = await measureTransition(subject, counts(values));
      const pass = peak.residentMiB < transitionGoal.residentMiB && peak.anonymousMiB < transitionGoal.anonymousMiB;
      const figure = `hibernation and wake ${rounded(peak)}; goal under ${rounded(transitionGoal)}`;
      return { figure, pass, charts: [chart] };
    }
    const file = values.bundle ? resolve(values.bundle) : await bundled(resolve(values.entry ?? defaultEntry), folder);
    const own = !values.bundle;
    const peaks: string[] = [];
    let pass = true;
    for (const streamingLists of listModes(values.lists)) {
      const plan = { ...counts(values), streamingLists };
      const measured = await measure({ bundle: file, flags, folder, own }, plan);
      pass &&= measured.residentMiB < goal.residentMiB && measured.anonymousMiB < goal.anonymousMiB;
      peaks.push(`${streamingLists ? 'streaming' : 'paged'} list ${rounded(measured)}`);
    }
    return { figure: `${peaks.join('; ')}; goal under ${rounded(goal)}`, pass };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const defaultEntry = join(import.meta.dirname, 'controller-entry.ts');

const options = {
  entry: { type: 'string' },
  bundle: { type: 'string' },
  transition: { type: 'boolean', default: false },
  deployments: { type: 'string', default: '5000' },
  pods: { type: 'string', default: '20000' },
  events: { type: 'string', default: '20000' },
  lists: { type: 'string', default: 'both' },
  'node-flags': { type: 'string', default: asInContainer(nodeFlags, containerMebibytes).join(' ') },
} as const;

function counts(values: Readonly<Record<'deployments' | 'pods' | 'events', string>>) {
  const count = (name: 'deployments' | 'pods' | 'events') => {
    const value = Number(values[name]);
    if (!Number.isInteger(value) || value < 1)
      throw new Error(`--${name} must be a whole number above 0. Usage: ${usage}`);
    return value;
  };
  return { deployments: count('deployments'), pods: count('pods'), events: count('events') };
}

function listModes(lists: string): readonly boolean[] {
  if (lists === 'both') return [false, true];
  if (lists === 'paged' || lists === 'streaming') return [lists === 'streaming'];
  throw new Error(`--lists must be paged, streaming or both; it was ${JSON.stringify(lists)}. Usage: ${usage}`);
}

/** As the shipped processes are bundled, what only some installations need left in chunks of its own. */
async function bundled(entry: string, folder: string): Promise<string> {
  await bundlePrograms({ entry }, folder);
  return join(folder, 'entry.mjs');
}

async function measure(subject: Subject, plan: Plan): Promise<Peak> {
  const server = fork(join(import.meta.dirname, 'server.ts'), [JSON.stringify(plan)]);
  let client: ChildProcess | undefined;
  try {
    const { port, ca } = await message<{ port: number; ca: string }>(server, 'ready');
    serviceAccount(subject.folder, ca);
    client = startClient(subject, port);
    const sampler = sampleMemory(client.pid ?? 0);
    await Promise.race([message(server, 'synced'), failure(client)]);
    await pause(settleMs);
    const afterList = sampler.peak();
    server.send('storm');
    await Promise.race([message(server, 'stormSent'), failure(client)]);
    await pause(settleMs);
    sampler.stop();
    const report = await finish(client);
    console.log(
      `${plan.streamingLists ? 'streaming' : 'paged'} list: ${rounded(afterList)} after the list, ${rounded(sampler.peak())} after ${plan.events} events; ${report}`,
    );
    if (subject.own) checkCounts(report, plan);
    return sampler.peak();
  } finally {
    client?.kill('SIGKILL');
    server.kill('SIGKILL');
  }
}

/** Ends the process as a kubelet would; what our own entry prints then proves that it did the work. */
async function finish(client: ChildProcess): Promise<string> {
  let printed = '';
  client.stdout?.on('data', (piece) => {
    printed += String(piece);
  });
  const ended = new Promise((done) => client.once('close', done));
  client.kill('SIGTERM');
  await ended;
  return printed.trim().split('\n').at(-1) ?? '';
}

function checkCounts(report: string, plan: Plan): void {
  const seen = JSON.parse(report) as Seen;
  const counted = seen.changes === undefined || seen.changes === plan.events;
  if (seen.deployments !== plan.deployments || seen.pods !== plan.pods || !counted) {
    throw new Error(`The measured process saw ${report}, not ${JSON.stringify(plan)}.`);
  }
}

function rounded(peak: Peak): string {
  return `${peak.residentMiB.toFixed(0)} MiB resident / ${peak.anonymousMiB.toFixed(0)} MiB anonymous`;
}
