import { spread, spreadText } from '../samples.ts';

/** When a run of patches began and when the last of them was answered. */
export interface Patched {
  readonly count: number;
  readonly ms: number;
}

/** What one transition cost the controller, until the cluster was at rest again. */
export interface Spent {
  readonly stateWrites: number;
  /** Of its process: a machine that is busy with something else changes this least. */
  readonly processorMs: number;
}

/** What one transition took. */
export interface Transition extends Patched, Spent {
  /** Until the cluster itself was at rest again. */
  readonly settledMs: number;
}

export type Direction = 'hibernate' | 'wake';

export interface Measured {
  /** The same patches without us, in turns with ours. */
  readonly bare: readonly Patched[];
  /** With the client limits lifted. */
  readonly ours: readonly Transition[];
  readonly limited: Transition;
  /** State writes of a transition of a few workloads. */
  readonly fewStateWrites: number;
}

const goalRatio = 0.85;
const limits = { qps: 150, burst: 200 } as const;
const tolerance = 0.1;
/** A pass that is repeated writes once or twice more; one write a workload would be hundreds. */
const spareWrites = 4;

export function rate({ count, ms }: Patched): number {
  return (count / ms) * 1000;
}

/** The median of our rates over the median of the bare loop's. */
export function ratio({ bare, ours }: Measured): number {
  return spread(ours.map(rate)).median / spread(bare.map(rate)).median;
}

/** The least time that the limits allow. */
export function floorMs(count: number): number {
  return (Math.max(0, count - limits.burst) / limits.qps) * 1000;
}

export function report(direction: Direction, measured: Measured): { readonly figure: string; readonly pass: boolean } {
  const { ours, limited, bare, fewStateWrites } = measured;
  const floor = floorMs(limited.count);
  const off = Math.abs(limited.ms - floor) / floor;
  const reached = ratio(measured);
  const writes = ours.map(({ stateWrites }) => stateWrites);
  const constant = writes.every((count) => Math.abs(count - fewStateWrites) <= spareWrites);
  const rates = (all: readonly Patched[]) => spreadText(spread(all.map(rate)), 0, '/s');
  const times = (of: (one: Transition) => number) => spreadText(spread(ours.map((one) => of(one) / 1000)), 2, ' s');
  const lines = [
    `${ours.length} samples of each, in turns, of ${limited.count} workloads; medians, and from the least to the most`,
    `bare loop: ${rates(bare)}`,
    `limits lifted: ${rates(ours)}, patched in ${times(({ ms }) => ms)}, settled after ${times(({ settledMs }) => settledMs)}`,
    `default limits: patched in ${seconds(limited.ms)}, floor ${seconds(floor)} (${(off * 100).toFixed(1)} % off), settled after ${seconds(limited.settledMs)}`,
    `writes of the state: ${fewStateWrites} for a few workloads, ${[...writes, limited.stateWrites].join(', ')} for ${limited.count}`,
    `processor of the controller: ${times(({ processorMs }) => processorMs)}, with default limits ${seconds(limited.processorMs)}`,
    'controller-manager at 1,000 QPS',
  ];
  for (const line of lines) console.log(line);
  const figure = `${direction} at ${reached.toFixed(2)} of the rate of a bare loop (goal ${goalRatio}); default limits ${(off * 100).toFixed(1)} % off their floor (goal 10 %); ${constant ? 'constant' : 'GROWING'} number of state writes`;
  return { figure, pass: reached >= goalRatio && off <= tolerance && constant };
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`;
}
