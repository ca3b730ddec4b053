import type { Chart } from '../recorded.ts';

/** What one process had at a moment. */
export interface Sample {
  readonly atMs: number;
  readonly residentMiB: number;
}

/** One day as it was. */
export interface Day {
  /** Still up when the cluster was said to sleep. */
  readonly notAsleep: readonly string[];
  /** Another count than their owners want when the cluster was said to be awake. */
  readonly wrong: readonly string[];
  readonly asleepMs: number;
  readonly awakeMs: number;
  /** Of each process, in the quiet window by day. */
  readonly sockets: Readonly<Record<string, number>>;
  /** Of each process, in both quiet windows. */
  readonly quietWrites: Readonly<Record<string, number>>;
}

export interface Soaked {
  readonly days: readonly Day[];
  /** Of each process, from the second day on. */
  readonly memory: Readonly<Record<string, readonly Sample[]>>;
  readonly quietSeconds: number;
  /** Of each process, since the apiserver was started last: one that has written nothing was not counted. */
  readonly allWrites: Readonly<Record<string, number>>;
  readonly restarts: number;
}

const hour = 3_600_000;
/** A container of 128 MiB that has 20 to spare lasts ten hours of days pressed into hours: ten days. */
const slopeLimit = 2;
/** In less time than that a collection of garbage that has just been, or not yet, is all that a slope shows. */
const judgedFromMs = hour;
/** A kept connection more or less: those that stand idle are let go after a while. */
const spareSockets = 2;

/** MiB an hour, by least squares; none for a single moment. */
export function slopeOf(samples: readonly Sample[]): number {
  const mean = (of: (one: Sample) => number) => samples.reduce((sum, one) => sum + of(one), 0) / samples.length;
  const [at, resident] = [mean(({ atMs }) => atMs), mean(({ residentMiB }) => residentMiB)];
  const over = samples.reduce((sum, one) => sum + (one.atMs - at) * (one.residentMiB - resident), 0);
  const under = samples.reduce((sum, one) => sum + (one.atMs - at) ** 2, 0);
  return under === 0 ? 0 : (over / under) * hour;
}

export interface Line {
  readonly pass: boolean;
  readonly text: string;
}

export function linesOf({ days, memory, quietSeconds, allWrites, restarts }: Soaked): readonly Line[] {
  const notAsleep = days.flatMap((one) => one.notAsleep);
  const wrong = days.flatMap((one) => one.wrong);
  const processes = Object.keys(memory);
  return [
    {
      pass: notAsleep.length === 0,
      text: `missed at night: ${notAsleep.length} still up when the cluster was said to sleep (goal 0)${names(notAsleep)}`,
    },
    {
      pass: wrong.length === 0,
      text: `missed in the morning: ${wrong.length} with another count than their owners want (goal 0)${names(wrong)}`,
    },
    ...processes.map((name) => socketLine(name, days)),
    ...processes.map((name) => {
      const writes = days.reduce((sum, { quietWrites }) => sum + (quietWrites[name] ?? 0), 0);
      return {
        pass: writes === 0 && (allWrites[name] ?? 0) > 0,
        text: `${name}: ${writes} writes in ${days.length * 2} quiet windows of ${quietSeconds.toFixed(0)} s (goal 0; it renews no lease, so none is left out), ${allWrites[name] ?? 0} since the apiserver started last (goal: some, or nobody counts)`,
      };
    }),
    ...processes.map((name) => slopeLine(name, memory[name] ?? [])),
    { pass: restarts > 0, text: `the apiserver was killed and started again ${restarts} times (goal: once at least)` },
  ];
}

function socketLine(name: string, days: readonly Day[]): Line {
  const [first = 0, last = 0] = [days[0]?.sockets[name], days.at(-1)?.sockets[name]];
  return {
    pass: last <= first + spareSockets,
    text: `${name}: ${first} open sockets on the first day, ${last} on the last (goal: ${spareSockets} more at most)`,
  };
}

function slopeLine(name: string, samples: readonly Sample[]): Line {
  const slope = slopeOf(samples);
  const lastedMs = (samples.at(-1)?.atMs ?? 0) - (samples[0]?.atMs ?? 0);
  const judged = lastedMs >= judgedFromMs;
  const most = Math.max(0, ...samples.map(({ residentMiB }) => residentMiB));
  return {
    pass: !judged || slope < slopeLimit,
    text: `${name}: memory ${slope >= 0 ? '+' : ''}${slope.toFixed(1)} MiB an hour over ${(lastedMs / 60_000).toFixed(0)} min after the first day, ${most.toFixed(0)} MiB at most (${judged ? `goal under ${slopeLimit} MiB an hour` : 'not judged: that takes an hour'})`,
  };
}

function names(keys: readonly string[]): string {
  return keys.length === 0 ? '' : `: ${keys.slice(0, 5).join(', ')}${keys.length > 5 ? ', …' : ''}`;
}

export function dayLine(index: number, { notAsleep, wrong, asleepMs, awakeMs, sockets, quietWrites }: Day): string {
  const each = (of: Readonly<Record<string, number>>, unit: string) => {
    const values = Object.entries(of).map(([name, value]) => `${name} ${value}`);
    return `${values.join(', ')} ${unit}`;
  };
  return `day ${index}: asleep in ${seconds(asleepMs)}, awake in ${seconds(awakeMs)}, ${notAsleep.length} missed at night, ${wrong.length} wrong in the morning; ${each(sockets, 'sockets')}; ${each(quietWrites, 'writes while quiet')}`;
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

export function verdict(lines: readonly Line[], days: number): { readonly figure: string; readonly pass: boolean } {
  const missed = lines.filter(({ pass }) => !pass).length;
  return { pass: missed === 0, figure: `${lines.length - missed} of ${lines.length} lines hold after ${days} days` };
}

/** Of each process, from its first moment on: what grew shows, whatever the line through it says. */
export function memoryChart(memory: Readonly<Record<string, readonly Sample[]>>): Chart {
  const beganAt = Math.min(...Object.values(memory).flatMap((samples) => samples.slice(0, 1).map(({ atMs }) => atMs)));
  return {
    title: 'Memory over the days',
    scale: 'linear',
    x: 'minutes',
    y: 'MiB resident',
    lines: Object.entries(memory).map(([name, samples]) => ({
      name,
      points: thinned(samples).map(
        ({ atMs, residentMiB }) =>
          [Number(((atMs - beganAt) / 60_000).toFixed(1)), Number(residentMiB.toFixed(1))] as const,
      ),
    })),
  };
}

const mostPoints = 300;

function thinned<T>(all: readonly T[]): readonly T[] {
  const every = Math.max(1, Math.ceil(all.length / mostPoints));
  return all.filter((_, index) => index % every === 0);
}
