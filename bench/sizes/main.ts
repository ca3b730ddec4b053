// Clusters of growing size through a hibernation and a wake: an embedded cluster over HTTPS in a process of its own, and the
// controller's bundle with the flags of its image, as for a container of the size that is given for it.
import { type ChildProcess, fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { asInContainer, nodeFlags } from '../../src/platform/node-flags.ts';
import { containerFor } from '../container-size.ts';
import { failure, pause, type Subject, serviceAccount, startClient } from '../memory/measured-process.ts';
import { type Peak, sampleMemory } from '../memory/memory-sampler.ts';
import { controllerBundle } from '../memory/transition.ts';
import { processorSeconds } from '../real/processor-time.ts';
import type { Result } from '../recorded.ts';
import { type Measured, type Rest, report, type Way } from './figures.ts';

export async function run(args: readonly string[]): Promise<Result> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      workloads: { type: 'string', default: '1000,3000,10000,50000' },
      limit: { type: 'string' },
      'node-flags': { type: 'string', default: nodeFlags.join(' ') },
    },
  });
  const flags = values['node-flags'].split(' ').filter((flag) => flag !== '');
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-sizes-'));
  try {
    const bundle = await controllerBundle(folder);
    const all: Measured[] = [];
    for (const workloads of values.workloads.split(',').map(Number)) {
      const limitMiB = values.limit === undefined ? containerFor(workloads) : Number(values.limit);
      const subject = { bundle, flags: asInContainer(flags, limitMiB), folder, own: false };
      all.push(await new Size(subject, workloads, limitMiB).measure());
    }
    return report(all);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Reached extends Omit<Way, 'seconds' | 'cpuSeconds'> {
  readonly up: number;
  readonly down: number;
  readonly marked: number;
}

/** The cluster, and the controller seen from outside. */
interface Watched {
  readonly server: ChildProcess;
  readonly peak: () => Peak;
  readonly cpuSeconds: () => number;
}

class Size {
  readonly #subject: Subject;
  readonly #workloads: number;
  readonly #limitMiB: number;

  constructor(subject: Subject, workloads: number, limitMiB: number) {
    this.#subject = subject;
    this.#workloads = workloads;
    this.#limitMiB = limitMiB;
  }

  async measure(): Promise<Measured> {
    const server = fork(join(import.meta.dirname, 'server.ts'), [String(this.#workloads)], {
      execArgv: ['--max-old-space-size=6000'],
    });
    let client: ChildProcess | undefined;
    try {
      const { port, ca, token } = await said<{ port: number; ca: string; token: string }>(server, 'ready');
      serviceAccount(this.#subject.folder, ca, token);
      client = startClient(this.#subject, port);
      client.stdout?.resume();
      const sampler = sampleMemory(client.pid ?? 0);
      const pid = client.pid!;
      const watched = { server, peak: () => sampler.peak(), cpuSeconds: () => processorSeconds(pid) };
      const measured = await Promise.race([this.#ways(watched), failure(client)]);
      sampler.stop();
      return measured;
    } finally {
      client?.kill('SIGKILL');
      server.kill('SIGKILL');
    }
  }

  async #ways(watched: Watched): Promise<Measured> {
    // The caches are filled first: what is measured are the transitions.
    await pause(3_000 + this.#workloads / 2);
    const down = await this.#way(watched, 'hibernate', ({ down: zero, marked }) => Math.min(zero, marked));
    const asleep = await resting(watched);
    const up = await this.#way(watched, 'wake', ({ up: back }) => back);
    const awake = await resting(watched);
    const { residentMiB, anonymousMiB } = watched.peak();
    const sizes = { residentMiB, anonymousMiB, limitMiB: this.#limitMiB };
    const measured = { workloads: this.#workloads, down, up, asleep, awake, ...sizes };
    console.error(JSON.stringify(measured));
    return measured;
  }

  async #way(
    { server, cpuSeconds: cpuNow }: Watched,
    order: 'hibernate' | 'wake',
    done: (reached: Reached) => number,
  ): Promise<Way> {
    const startedAt = performance.now();
    const cpuBefore = cpuNow();
    const reached = said<Reached>(server, 'reached');
    server.send(order);
    const answer = await reached;
    const there = done(answer);
    if (there !== this.#workloads)
      throw new Error(`${JSON.stringify(answer)}: ${there} of ${this.#workloads} workloads are where they should be.`);
    const { requests, patches, stateWrites, stateBytes, parts } = answer;
    const seconds = (performance.now() - startedAt) / 1000;
    const cpuSeconds = cpuNow() - cpuBefore;
    return { seconds, cpuSeconds, requests, patches, stateWrites, stateBytes, parts };
  }
}

/** One pass, once the last things have been told. */
async function resting({ server, cpuSeconds }: Watched): Promise<Rest> {
  await pause(5_000);
  const before = cpuSeconds();
  const rested = said<{ stateWrites: number; patches: number }>(server, 'rested');
  server.send('rest');
  const { stateWrites, patches } = await rested;
  return { cpuSeconds: cpuSeconds() - before, writes: stateWrites + patches };
}

function said<T>(child: ChildProcess, kind: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const onMessage = (received: unknown) => {
      const body = received as Record<string, T | undefined>;
      if (body[kind] === undefined) return;
      child.off('message', onMessage);
      resolve(body[kind]);
    };
    child.on('message', onMessage);
    child.once('exit', (code) => reject(new Error(`The server ended with ${code}.`)));
  });
}
