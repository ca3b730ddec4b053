import type { Chart, Result } from '../recorded.ts';

/** What one way, down or up, took. */
export interface Way {
  readonly seconds: number;
  /** Of processors' time, of the controller. */
  readonly cpuSeconds: number;
  readonly requests: number;
  readonly patches: number;
  /** Writes of `svc-state` and of its parts, and what was sent with them. */
  readonly stateWrites: number;
  readonly stateBytes: number;
  readonly parts: number;
}

/** A pass over a cluster that is as it should be: one annotation of one workload has changed. */
export interface Rest {
  readonly cpuSeconds: number;
  readonly writes: number;
}

export interface Measured {
  readonly workloads: number;
  readonly down: Way;
  readonly up: Way;
  readonly asleep: Rest;
  readonly awake: Rest;
  readonly residentMiB: number;
  readonly anonymousMiB: number;
  /** Of the container whose flags it had. */
  readonly limitMiB: number;
}

/** What one workload costs the controller's processor may not grow with their number. */
const growth = 1.1;

/** From size to size, with the ratio of what one workload costs. */
export function report(all: readonly Measured[]): Result {
  for (const one of all) console.log(line(one));
  const steps = all.slice(1).map((one, index) => {
    const before = all[index]!;
    const ratio = (way: 'down' | 'up') => perWorkload(one, way) / perWorkload(before, way);
    return { from: before.workloads, to: one.workloads, down: ratio('down'), up: ratio('up') };
  });
  for (const { from, to, down, up } of steps) {
    console.log(
      `by the processor a workload of ${to} costs ${down.toFixed(2)} (down), ${up.toFixed(2)} (up) times one of ${from}`,
    );
  }
  const even = steps.every(({ down, up }) => down <= growth && up <= growth);
  const fits = all.every(({ anonymousMiB, limitMiB }) => anonymousMiB < limitMiB);
  const quiet = all.every(({ asleep, awake }) => asleep.writes + awake.writes === 0);
  const last = all.at(-1)!;
  const rest = Math.max(last.asleep.cpuSeconds, last.awake.cpuSeconds);
  const figure = `${last.workloads} workloads down in ${last.down.seconds.toFixed(0)} s, up in ${last.up.seconds.toFixed(0)} s, ${last.residentMiB.toFixed(0)} MiB of ${last.limitMiB}; a pass at rest ${rest.toFixed(2)} s of the processor; the cost of one ${even ? 'does not grow' : 'GROWS'}${quiet ? '' : '; NOT QUIET at rest'}`;
  return { figure, pass: even && fits && quiet, charts: chartsOf(all) };
}

function chartsOf(all: readonly Measured[]): readonly Chart[] {
  const line = (name: string, value: (one: Measured) => number) => ({
    name,
    points: all.map((one) => [one.workloads, Number(value(one).toFixed(2))] as const),
  });
  return [
    {
      title: 'Time to put a fleet to sleep, and to wake it',
      scale: 'factor',
      x: 'workloads',
      y: 'seconds',
      lines: [line('down', ({ down }) => down.seconds), line('up', ({ up }) => up.seconds)],
    },
    {
      title: 'Processor time of the controller for a workload',
      scale: 'factor',
      x: 'workloads',
      y: 'milliseconds',
      lines: [
        line('down', (one) => perWorkload(one, 'down') * 1000),
        line('up', (one) => perWorkload(one, 'up') * 1000),
      ],
    },
    {
      title: 'Most memory of the controller on the way',
      scale: 'factor',
      x: 'workloads',
      y: 'MiB',
      lines: [
        line('resident', ({ residentMiB }) => residentMiB),
        line('anonymous', ({ anonymousMiB }) => anonymousMiB),
        line('its container', ({ limitMiB }) => limitMiB),
      ],
    },
  ];
}

function perWorkload(one: Measured, way: 'down' | 'up'): number {
  return one[way].cpuSeconds / one.workloads;
}

function line({ workloads, down, up, asleep, awake, residentMiB, anonymousMiB, limitMiB }: Measured): string {
  const way = (name: string, { seconds, cpuSeconds, requests, patches, stateWrites, stateBytes, parts }: Way) =>
    `${name} ${seconds.toFixed(1)} s (${cpuSeconds.toFixed(1)} s of the processor), ${requests} requests, ${patches} of workloads, ${stateWrites} of the state (${(stateBytes / 1024).toFixed(0)} KiB), ${parts} parts`;
  const rest = (name: string, { cpuSeconds, writes }: Rest) =>
    `a pass ${name} ${cpuSeconds.toFixed(2)} s of the processor, ${writes} writes`;
  return `${workloads}: ${[way('down', down), rest('asleep', asleep), way('up', up), rest('awake', awake)].join('; ')}; peak ${residentMiB.toFixed(0)} MiB resident, ${anonymousMiB.toFixed(0)} anonymous, limit ${limitMiB}`;
}
