// The controller's own bundle takes a cluster of full-size objects through a hibernation and a wake.
import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { bundle, bundles } from '../../tools/build/bundle.ts';
import type { Chart } from '../recorded.ts';
import { failure, message, pause, type Subject, serviceAccount, startClient } from './measured-process.ts';
import { type Moment, type Peak, sampleMemory } from './memory-sampler.ts';

export const transitionGoal: Peak = { residentMiB: 125, anonymousMiB: 80 };
const settleMs = 3_000;

export async function controllerBundle(folder: string): Promise<string> {
  await bundle({ controller: join(import.meta.dirname, '../..', bundles.controller) }, folder);
  return join(folder, 'controller.mjs');
}

interface Counts {
  readonly deployments: number;
  readonly pods: number;
}

export interface MeasuredTransition {
  readonly peak: Peak;
  readonly chart: Chart;
}

export async function measureTransition(subject: Subject, counts: Counts): Promise<MeasuredTransition> {
  const server = fork(join(import.meta.dirname, 'transition-server.ts'), [JSON.stringify(counts)]);
  let client: ChildProcess | undefined;
  try {
    const { port, ca } = await message<{ port: number; ca: string }>(server, 'ready');
    serviceAccount(subject.folder, ca);
    client = startClient(subject, port);
    client.stdout?.resume();
    const ended = failure(client);
    const sampler = sampleMemory(client.pid ?? 0);
    const peaks: string[] = [];
    for (const [order, reached] of [
      ['hibernate', 'hibernated'],
      ['wake', 'awake'],
    ] as const) {
      const there = message(server, reached);
      server.send(order);
      await Promise.race([there, ended]);
      await pause(settleMs);
      peaks.push(`${sampler.peak().residentMiB.toFixed(0)} / ${sampler.peak().anonymousMiB.toFixed(0)} MiB ${reached}`);
    }
    const asked = message<{ asTheyWere: number }>(server, 'counts');
    server.send('counts');
    const { asTheyWere } = await asked;
    sampler.stop();
    console.log(`${peaks.join(', ')}; ${asTheyWere} of ${counts.deployments} workloads are as they were`);
    if (asTheyWere !== counts.deployments) throw new Error('Not every workload came back as it was.');
    return { peak: sampler.peak(), chart: chartOf(sampler.course()) };
  } finally {
    client?.kill('SIGKILL');
    server.kill('SIGKILL');
  }
}

function chartOf(course: readonly Moment[]): Chart {
  const line = (name: string, of: (one: Peak) => number) => ({
    name,
    points: course.map((one) => [Number(one.seconds.toFixed(1)), Number(of(one).toFixed(1))] as const),
  });
  return {
    title: 'Memory of the controller from its start through a hibernation and a wake',
    scale: 'linear',
    x: 'seconds',
    y: 'MiB',
    lines: [line('resident', ({ residentMiB }) => residentMiB), line('anonymous', ({ anonymousMiB }) => anonymousMiB)],
  };
}
