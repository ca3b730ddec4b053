import { parseArgs } from 'node:util';
import { systemClock } from '../../src/platform/system-clock.ts';
import { turns } from '../samples.ts';
import type { Direction, Measured, Patched, Spent, Transition } from './figures.ts';
import { builtPrograms, Program, type Programs } from './program.ts';
import { releaseNamespace, WorkloadCluster } from './workload-cluster.ts';

const concurrency = 50;
const few = 20;

export interface Both {
  readonly hibernate: Measured;
  readonly wake: Measured;
}

/** Both directions in one run: whoever goes down has to come up again anyway. */
export async function measureTransitions(args: readonly string[]): Promise<Both> {
  const { values } = parseArgs({
    args: [...args],
    options: { workloads: { type: 'string', default: '1000' }, samples: { type: 'string', default: '4' } },
  });
  const [count, samples] = [Number(values.workloads), Number(values.samples)];
  if (!Number.isInteger(count) || count <= few) throw new Error(`--workloads must be a whole number above ${few}.`);
  if (!Number.isInteger(samples) || samples < 1) throw new Error('--samples must be a whole number above 0.');
  const programs = await builtPrograms();
  const cluster = await WorkloadCluster.start();
  try {
    return await new Run(cluster, programs).all(count, samples);
  } finally {
    await cluster.stop();
    programs.remove();
  }
}

class Run {
  readonly #cluster: WorkloadCluster;
  readonly #programs: Programs;

  constructor(cluster: WorkloadCluster, programs: Programs) {
    this.#cluster = cluster;
    this.#programs = programs;
  }

  async all(count: number, samples: number): Promise<Both> {
    await this.#cluster.grow(few);
    const small = await this.#ours('lifted', few);
    say(`${few} workloads taken through; creating ${count}`);
    await this.#cluster.grow(count);
    const bare: Record<Direction, Patched>[] = [];
    const lifted: Record<Direction, Transition>[] = [];
    const takes = [
      async () => void bare.push(await this.#bare()),
      async () => void lifted.push(await this.#ours('lifted', count)),
    ];
    for (let sample = 0; sample < samples; sample++) for (const take of turns(takes, sample)) await take();
    const limited = await this.#ours('default', count);
    const measured = (direction: Direction): Measured => ({
      bare: bare.map((one) => one[direction]),
      ours: lifted.map((one) => one[direction]),
      limited: limited[direction],
      fewStateWrites: small[direction].stateWrites,
    });
    return { hibernate: measured('hibernate'), wake: measured('wake') };
  }

  /** Down and up by a loop that does nothing else. */
  async #bare(): Promise<Record<Direction, Patched>> {
    const loop = new Program(this.#programs.bareLoop, { started: 'plainly' });
    try {
      const one = async (direction: Direction) => {
        const { url: server, adminToken: token } = this.#cluster.plane;
        const patches = await this.#cluster.patches(direction);
        loop.tell({ server, ca: this.#cluster.ca, token, concurrency, patches });
        const patched = await loop.hear<Patched>('bare');
        await this.#cluster.settled(direction);
        say(`bare loop, ${direction}: ${patched.count} in ${(patched.ms / 1000).toFixed(2)} s`);
        return patched;
      };
      const hibernate = await one('hibernate');
      return { hibernate, wake: await one('wake') };
    } finally {
      await loop.stop();
    }
  }

  async #ours(limits: 'lifted' | 'default', count: number): Promise<Record<Direction, Transition>> {
    const env = { KUBECONFIG: this.#cluster.plane.kubeconfig, POD_NAMESPACE: releaseNamespace, LIMITS: limits };
    const controller = new Program(this.#programs.controller, { started: 'as shipped', env });
    try {
      await controller.hear('ready');
      const one = async (direction: Direction): Promise<Transition> => {
        controller.tell({ expect: count });
        await controller.hear('expecting');
        const startedAt = systemClock.monotonic();
        await this.#cluster.order(direction);
        const patched = await controller.hear<Patched & { readonly withRecordMs: number }>('patched');
        await this.#cluster.settled(direction);
        const settledMs = systemClock.monotonic() - startedAt;
        await this.#cluster.recorded(direction);
        controller.tell({ spent: true });
        const { stateWrites, processorMs } = await controller.hear<Spent>('spent');
        say(
          `ours (${limits} limits), ${direction}: ${count} in ${(patched.ms / 1000).toFixed(2)} s, ${(patched.withRecordMs / 1000).toFixed(2)} s with the record, settled ${(settledMs / 1000).toFixed(1)} s, ${stateWrites} state writes, ${(processorMs / 1000).toFixed(2)} s of processor`,
        );
        // With the limits lifted the record counts as ours to pay for; the limits are a promise about the patches.
        const ms = limits === 'lifted' ? patched.withRecordMs : patched.ms;
        return { count, ms, settledMs, stateWrites, processorMs };
      };
      const hibernate = await one('hibernate');
      return { hibernate, wake: await one('wake') };
    } finally {
      await controller.stop();
    }
  }
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}
