import type { Death } from './dead-mail-server.ts';

/** What the measured process is asked for: the next wake. */
export interface Asked {
  readonly workloads: number;
  /** Told when the wake begins; none for a wake in peace. */
  readonly events: number;
}

export interface Wake {
  readonly outcome: string;
  /** From the beginning of the wake until the last workload was raised: what the rate limit makes of it. */
  readonly raisedMs: number;
  /** Until it was told to be complete. */
  readonly completeMs: number;
  /** What telling all the events took of it. */
  readonly burstMs: number;
  readonly queue: number;
  readonly dropped: number;
  /** Memory that is still held at the end and was not before. */
  readonly keptBytes: number;
}

/** Two wakes one after the other, in peace and under events. */
export interface Pair {
  readonly death: Death;
  readonly quiet: Wake;
  readonly burst: Wake;
  /** MiB resident at most during each. */
  readonly quietPeakMiB: number;
  readonly burstPeakMiB: number;
}

export interface Setting {
  readonly workloads: number;
  readonly events: number;
  readonly destinations: number;
  readonly bufferSize: number;
}

const goals = { delay: 0.01, keptMiB: 2, peakMiB: 16 } as const;
const mebibyte = 2 ** 20;

/** How much longer the wake took, as a part of it. */
export function delays(pairs: readonly Pair[]): readonly number[] {
  return pairs.map(({ quiet, burst }) => (burst.raisedMs - quiet.raisedMs) / quiet.raisedMs);
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** One that is being sent and those that wait, for each destination. */
export function mostQueued({ destinations, bufferSize }: Setting): number {
  return destinations * (bufferSize + 1);
}

export function report(pairs: readonly Pair[], setting: Setting): { readonly figure: string; readonly pass: boolean } {
  const delay = median(delays(pairs));
  const queue = Math.max(...pairs.map(({ burst }) => burst.queue));
  const kept = Math.max(...pairs.map(({ burst }) => burst.keptBytes)) / mebibyte;
  const peak = median(pairs.map(({ quietPeakMiB, burstPeakMiB }) => burstPeakMiB - quietPeakMiB));
  const untold = pairs.filter(({ burst }) => burst.dropped === 0).length;
  const complete = median(pairs.map(({ quiet, burst }) => (burst.completeMs - quiet.completeMs) / quiet.completeMs));
  for (const { death, quiet, burst } of pairs) {
    console.log(
      `${death}: raised in ${seconds(quiet.raisedMs)} alone, ${seconds(burst.raisedMs)} under events (${percent((burst.raisedMs - quiet.raisedMs) / quiet.raisedMs)}), complete after ${seconds(quiet.completeMs)} and ${seconds(burst.completeMs)}, telling took ${burst.burstMs.toFixed(0)} ms, queue ${burst.queue}, ${(burst.keptBytes / mebibyte).toFixed(2)} MiB kept`,
    );
  }
  const figure = [
    `${setting.events} events delay a wake of ${setting.workloads} workloads by ${percent(delay)} (median of ${pairs.length} pairs, goal ${percent(goals.delay)}), to its end by ${percent(complete)}`,
    `queue at most ${queue} (bound ${mostQueued(setting)})`,
    `${kept.toFixed(2)} MiB kept (goal ${goals.keptMiB}), ${peak.toFixed(1)} MiB more at the peak (goal ${goals.peakMiB})`,
  ].join('; ');
  const pass =
    delay <= goals.delay &&
    queue <= mostQueued(setting) &&
    kept <= goals.keptMiB &&
    peak <= goals.peakMiB &&
    untold === 0 &&
    pairs.every(({ quiet, burst }) => quiet.outcome === 'wakeComplete' && burst.outcome === 'wakeComplete');
  return { figure, pass };
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(3)} s`;
}

function percent(part: number): string {
  return `${(part * 100).toFixed(2)} %`;
}
