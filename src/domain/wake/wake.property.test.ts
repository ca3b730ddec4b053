import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyPod, type Chaos, chaos, frameAt, play } from '../../../test/support/wake/chaos.ts';
import { specced, T0, wakeOf } from '../../../test/support/wake/scenario.ts';
import { workloadKey } from '../workload.ts';
import { advanceWake } from './advance.ts';
import { endOf } from './ending.ts';
import { progressOf } from './progress.ts';
import { outsideAt } from './verdict/failopen.ts';
import { standardFigures } from './verdict/figures.ts';
import type { WakeObservations } from './verdict/observation.ts';
import { liftOf } from './verdict/recovery.ts';
import { standingOf } from './verdict/standing.ts';

const runs = { numRuns: 400 };

function shuffled(observations: WakeObservations, turn: number): WakeObservations {
  const workloads = observations.workloads.map((one) => {
    const at = one.pods.length === 0 ? 0 : turn % one.pods.length;
    const rotated = [...one.pods.slice(at), ...one.pods.slice(0, at)];
    return { ...one, pods: turn % 2 === 0 ? rotated : rotated.reverse() };
  });
  return { ...observations, workloads };
}

describe('whatever the pods do', () => {
  it('a verdict never depends on their order', () => {
    fc.assert(
      fc.property(chaos, fc.integer({ min: 1, max: 5 }), (one, turn) => {
        const other: Chaos = { ...one, frames: one.frames.map((frame) => shuffled(frame, turn)) };
        const [a, b] = [play(one), play(other)];
        expect(b.wake).toEqual(a.wake);
        expect(endOf(b.wake, b.last, b.now, standardFigures)).toEqual(endOf(a.wake, a.last, a.now, standardFigures));
      }),
      runs,
    );
  });

  it('neither does where a workload stands, nor how it recovers', () => {
    const moment = { now: T0 + 1_500_000, from: T0, figures: standardFigures };
    const pods = fc.array(anyPod, { maxLength: 5 });
    const orders = pods.chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })));
    fc.assert(
      fc.property(orders, fc.integer({ min: 1, max: 3 }), ([all, other], replicas) => {
        const [a, b] = [all, other].map((some) => standingOf(specced({ replicas }, some), moment));
        expect(b).toEqual(a);
        const writeOff = { code: 'restarted_twice', at: T0 } as const;
        expect(liftOf(writeOff, b!, other, moment)).toEqual(liftOf(writeOff, a!, all, moment));
      }),
      { numRuns: 3_000 },
    );
  });

  it('a wake ends by its outside figure, and asks only for passes before that', () => {
    fc.assert(
      fc.property(chaos, fc.option(fc.integer({ min: 0, max: 12 }), { nil: undefined }), (one, restartAt) => {
        const { wake, instants } = play(one, restartAt);
        const allowance = (wake.resumedAt === undefined ? 225 : 345) * 1_000;
        expect(outsideAt(wake, standardFigures)).toBe(T0 + wake.failOpenMs + allowance);
        expect(wake.endedAt).toBeLessThanOrEqual(T0 + wake.failOpenMs + allowance);
        expect([...instants].sort((a, b) => a - b)).toEqual(instants);
        expect(new Set(instants).size).toBe(instants.length);
      }),
      runs,
    );
  });

  it('each workload has exactly one class at the end, and the result follows from the classes', () => {
    fc.assert(
      fc.property(chaos, (one) => {
        const { wake, last, now } = play(one);
        const end = endOf(wake, last, now, standardFigures);
        const classed = [
          ...end.up,
          ...end.left,
          ...[...end.failed, ...end.recovered, ...end.stillStarting].map((w) => w.workload),
        ];
        expect(classed.sort()).toEqual(last.workloads.map((w) => workloadKey(w.ref)).sort());
        expect(end.result === 'failed').toBe(end.failed.length > 0);
        expect(end.color === 'red').toBe(end.failed.length > 0);
        if (end.result === 'success') expect(end.stillStarting).toEqual([]);
      }),
      runs,
    );
  });

  it('a second pass over the same cluster at the same instant changes nothing', () => {
    fc.assert(
      fc.property(chaos, (one) => {
        let wake = wakeOf(frameAt(one, 0).workloads, one.tiers);
        for (const [pass, step] of one.steps.entries()) {
          const now = T0 + step * 1_000 * (pass + 1);
          const first = advanceWake(wake, frameAt(one, pass), now, standardFigures);
          const second = advanceWake(first.wake, frameAt(one, pass), now, standardFigures);
          expect(second).toEqual({ wake: first.wake, changes: [], nextCheckAt: first.nextCheckAt });
          wake = first.wake;
        }
      }),
      runs,
    );
  });

  it('the value changes if and only if a change is reported, and is plain JSON', () => {
    fc.assert(
      fc.property(chaos, (one) => {
        let wake = wakeOf(frameAt(one, 0).workloads, one.tiers);
        for (const [pass, step] of one.steps.entries()) {
          const now = T0 + step * 1_000 * (pass + 1);
          const { wake: next, changes } = advanceWake(wake, frameAt(one, pass), now, standardFigures);
          expect(next === wake).toBe(changes.length === 0);
          expect(JSON.parse(JSON.stringify(next))).toStrictEqual(next);
          wake = next;
        }
      }),
      runs,
    );
  });

  it('the progress shows every workload in every frame', () => {
    fc.assert(
      fc.property(chaos, (one) => {
        const { wake, last, now } = play(one);
        const shown = progressOf(wake, last, now, standardFigures).tiers.flatMap((tier) => tier.workloads);
        expect(shown.map((w) => w.workload).sort()).toEqual(last.workloads.map((w) => workloadKey(w.ref)).sort());
      }),
      runs,
    );
  });
});

describe('the counts of a wake', () => {
  it('are the same on the page and in the audit entry', () => {
    fc.assert(
      fc.property(chaos, (one) => {
        const { wake, last, now } = play(one);
        const { up, total } = progressOf(wake, last, now, standardFigures);
        const ending = endOf(wake, last, now, standardFigures);
        const answered = ending.up.length + ending.recovered.length;
        expect(up).toBe(answered);
        expect(total).toBe(answered + ending.failed.length + ending.stillStarting.length);
      }),
      runs,
    );
  });
});

describe('a restart of the controller', () => {
  it('before any pass files the same verdicts at the same instants, as far as the wake would have lasted', () => {
    fc.assert(
      fc.property(chaos, fc.integer({ min: 0, max: 12 }), (one, restartAt) => {
        const whole = play(one);
        const restarted = play(one, restartAt);
        const until = whole.wake.endedAt ?? 0;
        const sooner = Object.entries(restarted.wake.writeOffs).filter(
          ([, w]) => w.at < until && (w.lift?.at ?? 0) < until,
        );
        for (const [key, writeOff] of sooner) {
          const same = whole.wake.writeOffs[key];
          expect([same?.code, same?.detail, same?.ms]).toEqual([writeOff.code, writeOff.detail, writeOff.ms]);
        }
        expect(restarted.wake.endedAt).toBeGreaterThanOrEqual(until);
        if (restarted.wake.endedAt === until) {
          const { resumedAt: _, ...rest } = restarted.wake;
          expect(rest).toEqual(whole.wake);
        }
      }),
      runs,
    );
  });
});
