import { type Calls, callsText, ofEach } from '../real/calls.ts';
import type { Peak } from '../real/tree-use.ts';
import { type Spread, spread, spreadText } from '../samples.ts';
import type { Passed } from './progress.ts';

/** Seconds of the processors' time on one way, from when it was asked to the last change. */
interface Processor {
  /** Of the tool, with all that it has started. */
  readonly own: number;
  readonly apiserver: number;
}

export interface WayTaken extends Passed {
  readonly processor: Processor;
}

/** One run of one tool: down and up. */
export interface Run {
  readonly down: WayTaken;
  readonly up: WayTaken;
  readonly calls: Calls;
  readonly peak: Peak;
  readonly lost: number;
}

export interface Killed {
  /** Where it stood, in percent, when the signal was sent. */
  readonly atPercent: number;
  readonly lost: number;
}

export interface Measured {
  readonly name: string;
  readonly runs: readonly Run[];
  readonly killed: Killed | undefined;
}

/** What one tool comes to. Times in seconds, of the time from the first change to the last and from when it was asked for. */
export interface Row {
  readonly name: string;
  readonly down: Spread;
  readonly up: Spread;
  readonly downAsked: Spread;
  readonly upAsked: Spread;
  /** The medians, in seconds for a thousand workloads. */
  readonly downProcessor: Processor;
  readonly upProcessor: Processor;
  /** The median of each verb. */
  readonly calls: Calls;
  /** The most of all runs. */
  readonly peak: Peak;
  /** In all runs together: what was not as before at the end of one, without anybody having been killed. */
  readonly lost: number;
  /** In all runs together: what did not get to zero, or not up again, while somebody waited. */
  readonly missing: number;
  readonly killed: Killed | null;
}

export function rowOf({ name, runs, killed }: Measured, workloads: number): Row {
  const seconds = (of: (run: Run) => number) => spread(runs.map((run) => of(run) / 1000));
  const perThousand = (way: 'down' | 'up', of: keyof Processor) =>
    (spread(runs.map((run) => run[way].processor[of])).median / workloads) * 1000;
  const processor = (way: 'down' | 'up') => ({
    own: perThousand(way, 'own'),
    apiserver: perThousand(way, 'apiserver'),
  });
  return {
    name,
    down: seconds(({ down }) => down.changesMs),
    up: seconds(({ up }) => up.changesMs),
    downAsked: seconds(({ down }) => down.askedMs),
    upAsked: seconds(({ up }) => up.askedMs),
    downProcessor: processor('down'),
    upProcessor: processor('up'),
    calls: ofEach((verb) => Math.round(spread(runs.map(({ calls }) => calls[verb])).median)),
    peak: {
      residentMiB: Math.max(...runs.map(({ peak }) => peak.residentMiB)),
      anonymousMiB: Math.max(...runs.map(({ peak }) => peak.anonymousMiB)),
    },
    lost: runs.reduce((sum, run) => sum + run.lost, 0),
    missing: runs.reduce((sum, { down, up }) => sum + down.missing + up.missing, 0),
    killed: killed ?? null,
  };
}

const head = [
  '',
  'down',
  'up',
  'down, asked',
  'up, asked',
  'processor for 1,000 down',
  'and up',
  'peak resident',
  'anonymous',
  'lost after a SIGKILL',
  'lost',
  'API calls of a run',
];

/** One line; to a thousandth, which is more than any of it is worth. */
export function tableJson(rows: readonly Row[], workloads: number): string {
  const rounded = (_: string, value: unknown) => (typeof value === 'number' ? Math.round(value * 1000) / 1000 : value);
  return JSON.stringify({ workloads, rows }, rounded);
}

export function tableText(rows: readonly Row[], workloads: number): string {
  const cells = [head, ...rows.map((row) => cellsOf(row, workloads))];
  const widths = head.map((_, column) => Math.max(...cells.map((line) => line[column]!.length)));
  return cells
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function cellsOf(row: Row, workloads: number): readonly string[] {
  return [
    row.name,
    secondsText(row.down),
    secondsText(row.up),
    secondsText(row.downAsked),
    secondsText(row.upAsked),
    processorText(row.downProcessor),
    processorText(row.upProcessor),
    `${row.peak.residentMiB.toFixed(0)} MiB`,
    `${row.peak.anonymousMiB.toFixed(0)} MiB`,
    row.killed === null ? '-' : `${row.killed.lost} of ${workloads} (at ${row.killed.atPercent.toFixed(0)} %)`,
    row.missing === 0 ? String(row.lost) : `${row.lost}, and ${row.missing} never came`,
    callsText(row.calls),
  ];
}

function processorText({ own, apiserver }: Processor): string {
  return `${own.toFixed(2)} s, apiserver ${apiserver.toFixed(2)} s`;
}

function secondsText(seconds: Spread): string {
  return spreadText(seconds, 1, ' s');
}

/** Of the rate of a loop that only patches. */
const rateGoal = 0.85;

/** What has to hold of ours; how it stands beside another tool is said and not judged. */
export function verdict(
  rows: readonly Row[],
  { ours, loop, containerMiB }: { readonly ours: string; readonly loop: string; readonly containerMiB: number },
): { readonly figure: string; readonly pass: boolean } {
  const [our, plain] = [rows.find(({ name }) => name === ours), rows.find(({ name }) => name === loop)];
  if (our === undefined || plain === undefined) throw new Error('Ours and the plain loop are always measured.');
  const rate = (way: 'down' | 'up') => plain[way].median / our[way].median;
  const lost = our.lost + our.missing + (our.killed?.lost ?? 0);
  const { residentMiB } = our.peak;
  const others = rows.filter((row) => row !== our && row !== plain);
  return {
    pass: Math.min(rate('down'), rate('up')) >= rateGoal && lost === 0 && residentMiB < containerMiB,
    figure: [
      `ours at ${rate('down').toFixed(2)} (down) and ${rate('up').toFixed(2)} (up) of the rate of the plain loop (goal ${rateGoal})`,
      ...others.map((other) => besideText(our, other)),
      `${lost} counts lost (goal 0)`,
      `${residentMiB.toFixed(0)} MiB resident at its peak (goal under ${containerMiB})`,
    ].join('; '),
  };
}

function besideText(our: Row, { name, down, up, peak }: Row): string {
  const times = (theirs: Spread, ourTime: Spread) => (theirs.median / ourTime.median).toFixed(2);
  const memory = (our.peak.residentMiB / peak.residentMiB).toFixed(2);
  return `${times(down, our.down)} (down) and ${times(up, our.up)} (up) times as fast as ${name}, with ${memory} of its memory`;
}
