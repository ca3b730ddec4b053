import { describe, expect, it } from 'vitest';
import {
  at,
  declaring,
  ended,
  named,
  observed,
  passes,
  pod,
  probe,
  probeOf,
  readyPod,
  seen,
  specced,
  startingPod,
  terminated,
  unplaced,
  waiting,
  wakeOf,
  withContainers,
  withInit,
} from '../../../../test/support/wake/scenario.ts';
import type { WorkloadObservation } from './observation.ts';
import type { PodView } from './pod.ts';

const crashing = withContainers(
  waiting('CrashLoopBackOff', { restartCount: 2, lastTerminated: ended('1:00', '1:50') }),
);

/** Whether the wake of this one workload has ended after passes at these instants. */
function isOver(workload: WorkloadObservation, ...clocks: string[]): boolean {
  return passes(wakeOf([workload]), () => seen([workload]), clocks).wake.endedAt !== undefined;
}

describe('a written-off workload that is visibly restarting holds the end of the wake for five minutes', () => {
  it.each<[string, clocks: string[], over: boolean]>([
    ['at the write-off', ['2:00'], false],
    ['4:59 after it', ['2:00', '6:59'], false],
    ['5:00 after it', ['2:00', '7:00'], true],
  ])('%s', (_name, clocks, over) => {
    expect(isOver(observed([crashing]), ...clocks)).toBe(over);
  });

  it('asks for the next pass at the end of the band', () => {
    const workload = observed([crashing]);
    expect(passes(wakeOf([workload]), () => seen([workload]), ['2:00']).nextCheckAt).toBe(at('7:00'));
  });

  it.each<[string, PodView, restarting: boolean]>([
    ['a container between two attempts', withContainers(terminated('14:00', '14:50')), true],
    ['an init container that failed', withInit(terminated('0:05', '14:59')), true],
    ['an init container that backs off', withInit(waiting('CrashLoopBackOff', { restartCount: 9 })), true],
    ['a pod that was never placed', unplaced('Unschedulable'), false],
    ['an image that is never pulled', withContainers(waiting('ImagePullBackOff')), false],
    ['a first attempt of an init container', withInit(waiting('PodInitializing')), false],
    ['a crashing pod that leaves', pod({ deleting: true, containers: [terminated('14:00', '14:50')] }), false],
  ])('%s', (_name, view, restarting) => {
    const workload = specced({ replicas: 2 }, [view]);
    expect(isOver(workload, '15:00')).toBe(!restarting);
  });

  it('begins with the write-off even when the restart is seen later', () => {
    const idle = observed([startingPod('1:00')]);
    const other = { ...observed([]), ref: { kind: 'Deployment' as const, namespace: 'shop', name: 'late' } };
    const restarted = observed([startingPod('12:00', { restartCount: 1, lastTerminated: ended('1:00', '11:55') })]);
    const script = (now: number) =>
      seen([now < at('12:00') ? idle : restarted, { ...other, pods: now < at('13:00') ? [] : [readyPod('13:00')] }]);
    const wake = wakeOf([idle, other]);
    expect(passes(wake, script, ['11:00', '13:00']).wake.endedAt).toBeUndefined();
    expect(passes(wake, script, ['11:00', '13:00', '15:59']).wake.endedAt).toBeUndefined();
    expect(passes(wake, script, ['11:00', '13:00', '16:00']).wake.endedBy).toBe('settled');
  });
});

describe('the wait for the kubelet to kill', () => {
  const declared = (seconds: number) => specced({ containers: declaring(probeOf(seconds)) }, [startingPod('1:00')]);
  it.each<[string, WorkloadObservation, clocks: string[], over: boolean]>([
    ['holds the wake 40 seconds after a declared budget', declared(60), ['2:00', '2:40'], false],
    ['and no longer than 41 with the defaults', declared(60), ['2:00', '2:41'], true],
    ['none after the default budget', observed([startingPod('1:00')]), ['11:00'], true],
    ['none after the cap', declared(2400), ['31:00'], true],
  ])('%s', (_name, workload, clocks, over) => {
    expect(isOver(workload, ...clocks)).toBe(over);
  });

  it.each<[string, boolean]>([
    ['6:59', false],
    ['7:00', true],
  ])('is never more than the five minutes: at %s over is %s', (clock, over) => {
    const containers = declaring(probe({ failureThreshold: 6 }));
    const workload = specced({ containers, terminationGracePeriodSeconds: 3600 }, [startingPod('1:00')]);
    expect(isOver(workload, '2:00', clock)).toBe(over);
  });

  it('runs within the band, not before it: a kill at 40 seconds leaves the rest of the five minutes', () => {
    const containers = declaring(probeOf(60));
    const killed = startingPod('2:40', { restartCount: 1, lastTerminated: ended('1:00', '2:40') });
    const script = (now: number) => seen([specced({ containers }, [now < at('2:40') ? startingPod('1:00') : killed])]);
    const wake = wakeOf(script(at('0:00')).workloads);
    expect(passes(wake, script, ['2:00', '2:40', '6:59']).wake.endedAt).toBeUndefined();
    expect(passes(wake, script, ['2:00', '2:40', '7:00']).wake.endedBy).toBe('settled');
  });
});

describe('one band a workload a wake', () => {
  /** Keeps the wake running until 5:30. */
  const beside = (now: number) => named('beside', now < at('5:30') ? [] : [readyPod('5:30')]);
  /** Written off at 2:00, up at 3:00, then crashing twice more: the verdict returns. */
  const script = (now: number) => {
    if (now < at('3:00')) return seen([observed([crashing]), beside(now)]);
    if (now < at('4:00')) return seen([observed([readyPod('3:00', { restartCount: 2 }, '2:50')]), beside(now)]);
    const again = waiting('CrashLoopBackOff', { restartCount: 4, lastTerminated: ended('4:40', '4:50') });
    return seen([observed([withContainers(again)]), beside(now)]);
  };

  it('a verdict that was lifted and returns gets none', () => {
    const wake = wakeOf(script(at('0:00')).workloads);
    const returned = passes(wake, script, ['2:00', '3:00', '3:45', '5:00']);
    expect(returned.changes).toEqual([
      {
        kind: 'written_off',
        workload: 'Deployment shop/cart',
        reason: 'restarted_twice',
        sentence: 'Deployment shop/cart restarted twice before it was ready',
        again: true,
      },
    ]);
    expect(passes(returned.wake, script, ['5:30']).wake.endedBy).toBe('settled');
  });

  it('a lifted verdict holds nothing', () => {
    const up = (now: number) =>
      seen([observed([now < at('3:00') ? crashing : readyPod('3:00', { restartCount: 2 }, '2:50')])]);
    expect(passes(wakeOf(up(at('0:00')).workloads), up, ['2:00', '3:00', '3:45']).wake.endedBy).toBe('settled');
  });
});
