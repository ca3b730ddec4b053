// A verdict is about this wake: what has answered has answered, and what happened before the wake did not happen in it.

import { describe, expect, it } from 'vitest';
import {
  at,
  ended,
  named,
  observed,
  passes,
  pod,
  readyPod,
  running,
  seen,
  specced,
  startingPod,
  T0,
  unplaced,
  waiting,
  wakeOf,
  withContainers,
} from '../../../../test/support/wake/scenario.ts';
import { endOf } from '../ending.ts';
import { resumeWake } from '../start.ts';
import { standardFigures } from './figures.ts';
import type { WorkloadObservation } from './observation.ts';
import type { ContainerView, PodView } from './pod.ts';

/** Keeps the wake open beside the workload under test. */
const beside = named('beside', [unplaced(undefined, { createdAt: at('14:59') })]);

function ending(workload: WorkloadObservation, ...clocks: string[]) {
  const script = () => seen([workload, beside]);
  const { wake } = passes(wakeOf([workload, beside]), script, clocks);
  return { wake, ...endOf(wake, script(), at(clocks.at(-1) ?? '0:00'), standardFigures) };
}

/** The sentences of who failed, after one pass at the instant. */
const failed = (workload: WorkloadObservation, clock: string) =>
  ending(workload, clock).failed.map(({ sentence }) => sentence);

/** Containers that run and a pod that lost its readiness at the instant. */
const unready = (since: string, started: string, part: Partial<ContainerView> = {}): PodView => ({
  ...startingPod(started, part),
  ready: { status: false, since: at(since) },
});
const young = (created: string, part: PodView): PodView => ({
  ...part,
  name: `cart-${created}`,
  createdAt: at(created),
});
const creating = withContainers(waiting('ContainerCreating'));
/** A pod that has been there for a day. */
const old = (view: PodView): PodView => ({ ...view, createdAt: at('-1440:00') });

describe('what was ready in this wake has answered', () => {
  it.each<[string, WorkloadObservation, clock: string]>([
    ['ready for 11 minutes, unready for 10 s', observed([unready('12:00', '1:00')]), '12:10'],
    ['ready for a minute, and unready since', observed([unready('2:00', '0:30')]), '14:00'],
    [
      'ready for 11 minutes, then it restarted',
      observed([unready('12:00', '12:05', { restartCount: 1, lastTerminated: ended('1:00', '12:00') })]),
      '12:10',
    ],
    [
      'ready for 11 minutes, then it restarted within the second',
      observed([unready('12:00', '12:00', { restartCount: 1, lastTerminated: ended('1:00', '12:00') })]),
      '12:10',
    ],
    [
      'ready for 11 minutes, and waits for its next attempt',
      observed([
        {
          ...withContainers(waiting('CrashLoopBackOff', { restartCount: 0, lastTerminated: ended('1:00', '12:00') })),
          ready: { status: false, since: at('12:00') },
        },
      ]),
      '12:01',
    ],
    [
      'ready for 11 minutes, then it restarted twice',
      observed([
        {
          ...unready('12:00', '12:50', { restartCount: 2, lastTerminated: ended('12:10', '12:30') }),
          scheduled: { status: 'True', reason: '', message: '', at: at('0:03') },
        },
      ]),
      '13:00',
    ],
    ['one of two replicas unready', specced({ replicas: 2 }, [readyPod('1:30'), unready('12:00', '1:00')]), '12:10'],
    ['ready when the wake began', observed([old(unready('3:00', '-60:00'))]), '13:10'],
  ])('%s: up, not failed and not still starting', (_name, workload, clock) => {
    const { failed: casualties, up } = ending(workload, clock);
    expect(casualties).toEqual([]);
    expect(up).toEqual(['Deployment shop/cart']);
  });

  it('and holds up no end', () => {
    const flapping = observed([unready('12:00', '1:00')]);
    expect(passes(wakeOf([flapping]), () => seen([flapping]), ['12:10']).wake.endedBy).toBe('settled');
  });

  it.each<[string, PodView]>([
    ['never ready: its condition is as old as the pod', unready('0:00', '1:00')],
    ['ready before the wake only', old(unready('-5:00', '-60:00'))],
    ['ready for less than 45 s', unready('1:44', '1:00')],
  ])('%s: judged by its budget', (_name, view) => {
    const words = 'Deployment shop/cart did not finish starting within the default 10 minutes';
    expect(failed(observed([view]), '11:00')).toEqual([words]);
  });
});

describe('a replica that the wake did not ask for, or that is new, has not been missing for 15 minutes', () => {
  const ready = readyPod('1:00');
  it.each<[string, WorkloadObservation]>([
    [
      'an autoscaler raised the count above what the wake restores',
      { ...specced({ replicas: 3 }, [ready, young('14:40', creating), young('14:40', unplaced())]), replicas: 1 },
    ],
    [
      'a drained node: the replica that takes the place is 20 s old',
      specced({ replicas: 2 }, [ready, young('14:40', creating)]),
    ],
    [
      'a rolling update: both are new',
      specced({ replicas: 2 }, [young('14:30', creating), young('14:50', unplaced('Unschedulable'))]),
    ],
    [
      'a StatefulSet whose replica is just leaving',
      specced({ replicas: 2 }, [ready, { ...readyPod('1:00'), deleting: true }]),
    ],
  ])('%s', (_name, workload) => {
    expect(failed(workload, '15:00')).toEqual([]);
  });

  it.each<[created: string, before: string, limit: string | undefined]>([
    ['0:04', '14:59', '15:00'],
    ['1:59', '14:59', '15:00'],
    ['5:00', '19:59', '20:00'],
    ['15:00', '26:59', undefined],
  ])('created at %s: not named at %s, named at %s', (created, before, limit) => {
    const workload = observed([young(created, creating)]);
    expect(failed(workload, before)).toEqual([]);
    if (limit === undefined) return;
    expect(failed(workload, limit)).toEqual(['Deployment shop/cart was still pulling its image after 15 minutes']);
    expect(passes(wakeOf([workload]), () => seen([workload]), [before]).nextCheckAt).toBe(at(limit));
  });

  it('names the pod that has had its 15 minutes, not a younger one that is further from a start', () => {
    const pods = [creating, young('14:30', unplaced('Unschedulable'))];
    expect(failed(specced({ replicas: 2 }, pods), '15:00')).toEqual([
      'Deployment shop/cart was still pulling its image after 15 minutes',
    ]);
  });

  it('a leaving pod of the night before takes the place of nobody', () => {
    expect(failed(observed([{ ...old(readyPod('-60:00')), deleting: true }]), '15:00')).toEqual([
      'Deployment shop/cart had not started every replica after 15 minutes',
    ]);
  });
});

describe('restarts of this wake', () => {
  const crashing = (restartCount: number, from: string, to: string) =>
    withContainers(waiting('CrashLoopBackOff', { restartCount, lastTerminated: ended(from, to) }));
  const twice = ['Deployment shop/cart restarted twice before it was ready'];
  it.each<[string, PodView, clock: string, string[]]>([
    ['seven before it: nobody is written off at its start', old(crashing(7, '-9:00', '-8:00')), '0:00', []],
    ['nor by the first attempt of this wake', old(crashing(8, '0:10', '0:30')), '1:00', []],
    [
      'but by the second',
      old(startingPod('1:20', { restartCount: 9, lastTerminated: ended('0:10', '0:30') })),
      '1:21',
      twice,
    ],
    ['two of a pod of this wake', crashing(2, '0:40', '0:50'), '1:00', twice],
    [
      'two of a sidecar',
      pod({
        phase: 'Running',
        containers: [running('0:10', { ready: true, started: true })],
        initContainers: [
          waiting('CrashLoopBackOff', { sidecar: true, restartCount: 2, lastTerminated: ended('0:40', '0:50') }),
        ],
        ready: { status: false, since: T0 },
      }),
      '1:00',
      twice,
    ],
    [
      'two of a loop that was ready for five seconds at a time',
      {
        ...startingPod('1:05', { restartCount: 2, lastTerminated: ended('0:35', '0:45') }),
        ready: { status: false, since: at('0:45') },
      },
      '1:10',
      twice,
    ],
  ])('%s', (_name, view, clock, sentences) => {
    expect(failed(observed([view]), clock)).toEqual(sentences);
  });

  it('a restart of three weeks ago is not what brought it up', () => {
    const before = old(startingPod('-30000:00', { restartCount: 1, lastTerminated: ended('-30010:00', '-30001:00') }));
    const after = { ...before, ready: { status: true, since: at('12:30') } };
    const script = (now: number) => seen([observed([now < at('12:30') ? before : after]), beside]);
    const { wake } = passes(wakeOf(script(T0).workloads), script, ['10:00', '12:31']);
    expect(endOf(wake, script(at('12:31')), at('12:31'), standardFigures).recovered).toMatchObject([
      { sentence: expect.stringMatching(/, came up 2 minutes after the service stopped waiting$/) },
    ]);
  });

  it('a restart of the night before gives no grace', () => {
    const stuck = observed([
      old(startingPod('-60:00', { restartCount: 3, lastTerminated: ended('-90:00', '-61:00') })),
    ]);
    expect(passes(wakeOf([stuck]), () => seen([stuck]), ['10:00']).wake.endedBy).toBe('settled');
  });
});

describe('a crash loop that is briefly ready does not end green', () => {
  const dead = withContainers(waiting('CrashLoopBackOff', { restartCount: 3, lastTerminated: ended('1:00', '1:10') }));
  const brief = readyPod('2:30', { restartCount: 4 }, '2:20');
  const story = (lasts: string) => (now: number) =>
    seen([observed([now < at('2:30') || now >= at(lasts) ? dead : brief])]);
  const told = (lasts: string, ...clocks: string[]) => {
    const script = story(lasts);
    const { wake } = passes(wakeOf(script(T0).workloads), script, clocks);
    const last = clocks.at(-1) ?? '0:00';
    return { endedBy: wake.endedBy, title: endOf(wake, script(at(last)), at(last), standardFigures).title };
  };

  it('ready for five seconds, the wake waits; dead again, it fails at the end of its band', () => {
    expect(told('2:35', '1:30', '2:30').endedBy).toBeUndefined();
    expect(told('2:35', '1:30', '2:30', '2:35', '6:30')).toEqual({
      endedBy: 'settled',
      title: 'Wake Complete - 1 workload failed',
    });
  });

  it('ready for 45 s, it has recovered', () => {
    const script = story('60:00');
    expect(passes(wakeOf(script(T0).workloads), script, ['1:30', '2:30']).nextCheckAt).toBe(at('3:15'));
    expect(told('60:00', '1:30', '2:30', '3:14').endedBy).toBeUndefined();
    expect(told('60:00', '1:30', '2:30', '3:15')).toEqual({ endedBy: 'settled', title: 'Wake Complete' });
  });

  it('ready at the last second of its band, the settle margin shows whether it lasts', () => {
    const late = (now: number) =>
      seen([observed([now < at('6:29') ? dead : readyPod('6:29', { restartCount: 4 }, '6:20')])]);
    const wake = wakeOf(late(T0).workloads);
    expect(passes(wake, late, ['1:30', '6:29', '6:30']).wake.endedAt).toBeUndefined();
    const { wake: after } = passes(wake, late, ['1:30', '6:29', '6:30', '7:14']);
    expect(endOf(after, late(at('7:14')), at('7:14'), standardFigures)).toMatchObject({ result: 'success' });
  });

  it('one restart needs no proof', () => {
    const once = observed([readyPod('0:40', { restartCount: 1, lastTerminated: ended('0:05', '0:10') }, '0:20')]);
    expect(passes(wakeOf([once]), () => seen([once]), ['0:40']).wake.endedBy).toBe('settled');
  });
});

describe('a controller that was away past the outside figure judges by what the pods say', () => {
  const workloads = [
    observed([startingPod('1:00')]),
    named('up', [readyPod('2:00')]),
    named('pulling', [creating]),
    named('new', [young('39:50', creating)]),
  ];
  const told = (back: string) => {
    const begun = passes(wakeOf(workloads), () => seen(workloads), ['5:00']).wake;
    const { wake } = passes(resumeWake(begun, at(back)), () => seen(workloads), [back]);
    return endOf(wake, seen(workloads), at(back), standardFigures);
  };

  it.each(['31:00', '40:00', '600:00'])('back at %s', (back) => {
    expect(told(back)).toMatchObject({
      up: ['Deployment shop/up'],
      failed: [
        { workload: 'Deployment shop/cart', reason: 'default_budget' },
        { workload: 'Deployment shop/pulling', reason: 'still_pulling' },
      ],
      stillStarting: [{ workload: 'Deployment shop/new', cause: 'fail_open' }],
    });
  });
});
