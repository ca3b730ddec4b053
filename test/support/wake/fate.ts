// Pods that behave as pods do: created, placed, started, crashing some times, ready at last or never. What the cluster shows
// at an instant follows from the fate alone, so two controllers that look at the same instant see the same.

import fc from 'fast-check';
import type { PodView } from '../../../src/domain/wake/verdict/pod.ts';
import type { EpochMs } from '../../../src/domain/workload.ts';
import { ended, pod, readyPod, startingPod, T0, unplaced, waiting, withContainers } from './scenario.ts';

/** All in seconds. */
export interface Fate {
  readonly created: number;
  readonly placing: number;
  readonly pulling: number;
  readonly pullFails: boolean;
  readonly crashes: readonly { readonly runs: number; readonly backOff: number }[];
  /** From the last start to ready; undefined for never. */
  readonly readyAfter?: number;
}

const upTo = (max: number) => fc.integer({ min: 1, max });

export const fate: fc.Arbitrary<Fate> = fc
  .record({
    created: upTo(30),
    placing: fc.oneof(upTo(60), upTo(1_500)),
    pulling: fc.oneof(upTo(120), upTo(1_200)),
    pullFails: fc.boolean(),
    crashes: fc.array(fc.record({ runs: upTo(400), backOff: upTo(300) }), { maxLength: 3 }),
    readyAfter: fc.option(fc.oneof(upTo(120), upTo(900)), { nil: undefined }),
  })
  .map(({ readyAfter, ...rest }) => ({ ...rest, ...(readyAfter !== undefined && { readyAfter }) }));

interface Moment {
  readonly from: number;
  readonly pods: readonly PodView[];
}

const clock = (seconds: number) => `${Math.floor(seconds / 60)}:${seconds % 60}`;

export function momentsOf(one: Fate): readonly Moment[] {
  const placed = one.created + one.placing;
  const started = placed + one.pulling;
  return [
    { from: 0, pods: [] },
    { from: one.created, pods: [unplaced('Unschedulable')] },
    { from: placed, pods: [withContainers(waiting(one.pullFails ? 'ImagePullBackOff' : 'ContainerCreating'))] },
    ...attempts(one, started),
  ];
}

function attempts(one: Fate, started: number): readonly Moment[] {
  const moments: Moment[] = [];
  let start = started;
  let last = {};
  for (const [restartCount, crash] of one.crashes.entries()) {
    const dies = start + crash.runs;
    moments.push({ from: start, pods: [startingPod(clock(start), { restartCount, ...last })] });
    last = { lastTerminated: ended(clock(start), clock(dies)) };
    moments.push({ from: dies, pods: [pod({ containers: [waiting('CrashLoopBackOff', { restartCount, ...last })] })] });
    start = dies + crash.backOff;
  }
  const restarts = { restartCount: one.crashes.length, ...last };
  moments.push({ from: start, pods: [startingPod(clock(start), restarts)] });
  if (one.readyAfter === undefined) return moments;
  const ready = start + one.readyAfter;
  return [...moments, { from: ready, pods: [readyPod(clock(ready), restarts, clock(start))] }];
}

export function podsAt(moments: readonly Moment[], now: EpochMs): readonly PodView[] {
  return moments.findLast((moment) => T0 + moment.from * 1_000 <= now)?.pods ?? [];
}
