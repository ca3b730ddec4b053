import { describe, expect, it } from 'vitest';
import {
  at,
  declaring,
  ended,
  named,
  observed,
  passes,
  probeOf,
  readyPod,
  running,
  type Script,
  seen,
  span,
  specced,
  startingPod,
  unplaced,
  waiting,
  wakeOf,
  withContainers,
  withInit,
} from '../../../test/support/wake/scenario.ts';
import { endOf } from './ending.ts';
import { progressOf } from './progress.ts';
import { standardFigures } from './verdict/figures.ts';
import type { PodView } from './verdict/pod.ts';

describe('the reason so far', () => {
  it.each<[string, PodView[], phase: string, sentence: string, until: string]>([
    ['nothing yet', [], 'cluster', ' has not started every replica', '15:00'],
    ['no place', [unplaced('Unschedulable')], 'cluster', ' is Unschedulable', '15:00'],
    ['no node', [unplaced()], 'cluster', ' is Pending with no node', '15:00'],
    ['init', [withInit(running('0:05'))], 'cluster', ': its init containers have not finished', '15:00'],
    ['creating', [withContainers(waiting('ContainerCreating'))], 'cluster', ' is pulling its image', '15:00'],
    ['pull fails', [withContainers(waiting('ErrImagePull'))], 'cluster', ' cannot pull its image', '15:00'],
    [
      'refused',
      [withContainers(waiting('CreateContainerError'))],
      'cluster',
      ' cannot create its container (CreateContainerError)',
      '15:00',
    ],
    [
      'bad reference',
      [withContainers(waiting('InvalidImageName'))],
      'cluster',
      ': its image reference is not a valid reference',
      '15:00',
    ],
    [
      'never pulled',
      [withContainers(waiting('ErrImageNeverPull'))],
      'cluster',
      ': its image is not on the node and its pull policy forbids fetching it',
      '15:00',
    ],
    ['started', [startingPod('0:30')], 'starting', ' is starting within the default 10 minutes', '10:30'],
    [
      'restarted',
      [startingPod('0:50', { restartCount: 1, lastTerminated: ended('0:30', '0:45') })],
      'starting',
      ' is starting within the default 10 minutes, restarted once',
      '10:30',
    ],
  ])('%s', (_name, pods, phase, sentence, until) => {
    const workload = observed(pods);
    const progress = progressOf(wakeOf([workload]), seen([workload]), at('1:00'), standardFigures);
    expect(progress.tiers[0]?.workloads).toEqual([
      { workload: 'Deployment shop/cart', phase, sentence: `Deployment shop/cart${sentence}`, until: at(until) },
    ]);
  });

  it('cannot be read', () => {
    const workload = { ...observed([]), reading: { kind: 'unreadable' } as const };
    const progress = progressOf(wakeOf([workload]), seen([workload]), at('1:00'), standardFigures);
    expect(progress.tiers[0]?.workloads[0]?.sentence).toBe('Deployment shop/cart cannot be read');
  });

  it.each<[number, string]>([
    [1200, 'is starting within its declared 20 minutes'],
    [3600, 'is starting within the 30-minute cap'],
  ])('names the budget of %d declared seconds', (seconds, words) => {
    const workload = specced({ containers: declaring(probeOf(seconds)) }, [startingPod('0:30')]);
    const progress = progressOf(wakeOf([workload]), seen([workload]), at('1:00'), standardFigures);
    expect(progress.tiers[0]?.workloads[0]?.sentence).toBe(`Deployment shop/cart ${words}`);
  });
});

/** Tier `data` has a database and a workload that is left behind at 5:00; `apps` then runs; `rest` waits. */
const tiers = [
  { name: 'data', barrier: '5:00', databases: ['orders'] },
  { name: 'apps', barrier: '20:00' },
  { name: 'rest' },
];
const script: Script = (now) =>
  seen(
    [
      named('slow', [startingPod('0:30')]),
      named('refused', now < at('6:00') ? [] : [readyPod('6:00')], {
        tier: 1,
        ...(now < at('6:00') && { refused: 'denied' }),
      }),
      named('denied', [], { tier: 1, refused: 'frozen' }),
      named('web', [startingPod('5:10')], { tier: 1 }),
      named('gone', [], { tier: 1, reading: { kind: 'left' } }),
      named('later', now < at('20:00') ? [] : [readyPod('19:00')], { tier: 2 }),
    ],
    [{ name: 'orders', status: 'available', since: at('3:00') }],
  );

describe('a frame of a running wake', () => {
  const { wake } = passes(wakeOf(script(at('0:00')).workloads, tiers), script, ['5:00', '5:01', '6:30']);
  const frame = progressOf(wake, script(at('6:30')), at('6:30'), standardFigures);

  it('shows tiers as steps with their barrier', () => {
    expect(frame).toMatchObject({ id: 'w1', startedAt: at('0:00'), failOpenAt: at('27:00'), up: 1, total: 5 });
    expect(frame.tiers.map(({ workloads, ...tier }) => ({ ...tier, count: workloads.length }))).toEqual([
      {
        name: 'data',
        state: 'released',
        walkedPast: true,
        startedAt: at('0:00'),
        barrierAt: at('5:00'),
        releasedAt: at('5:00'),
        databases: [{ name: 'orders', status: 'available' }],
        count: 1,
      },
      {
        name: 'apps',
        state: 'running',
        walkedPast: false,
        startedAt: at('5:00'),
        barrierAt: at('25:00'),
        databases: [],
        count: 4,
      },
      { name: 'rest', state: 'waiting', walkedPast: false, databases: [], count: 1 },
    ]);
  });

  it('shows each workload with its sentence', () => {
    expect(frame.tiers.slice(1).flatMap((tier) => tier.workloads.map((one) => [one.phase, one.sentence]))).toEqual([
      [
        'recovered',
        'Deployment shop/refused: svc could not scale it up: denied, came up 1 minute after the service stopped waiting',
      ],
      ['failed', 'Deployment shop/denied: svc could not scale it up: frozen'],
      ['starting', 'Deployment shop/web is starting within the default 10 minutes'],
      ['left', 'Deployment shop/gone is no longer part of the wake'],
      ['waiting', 'Deployment shop/later waits for its tier'],
    ]);
  });

  it('of a large tier tells every casualty and the first of the others, and counts the rest', () => {
    const many = () =>
      seen([
        ...Array.from({ length: 1_000 }, (_, i) => named(`up-${i}`, [readyPod('0:30')])),
        ...Array.from({ length: 150 }, (_, i) => named(`slow-${i}`, [startingPod('0:30')])),
        ...Array.from({ length: 300 }, (_, i) => named(`denied-${i}`, [], { refused: 'frozen' })),
      ]);
    const large = passes(wakeOf(many().workloads), many, ['1:00', '6:00']).wake;
    const tier = progressOf(large, many(), at('6:00'), standardFigures).tiers[0];
    const told = Map.groupBy(tier?.workloads ?? [], ({ phase }) => phase);
    expect([...told].map(([phase, list]) => [phase, list.length])).toEqual([['failed', 300]]);
    expect(tier?.untold).toEqual({ starting: 150, up: 1_000 });
  });

  it('names the cause of what is still starting once the wake has ended', () => {
    const ending = passes(
      wake,
      (now) => ({
        ...script(now),
        workloads: script(now)
          .workloads.filter((one) => one.ref.name !== 'slow')
          .concat(named('slow', [startingPod('26:00')])),
      }),
      ['27:00'],
    ).wake;
    const last = progressOf(ending, seen([named('slow', [startingPod('26:00')])]), at('27:00'), standardFigures);
    expect(last.endedAt).toBe(at('27:00'));
    expect(last.tiers[0]?.workloads).toEqual([
      {
        workload: 'Deployment shop/slow',
        phase: 'still_starting',
        cause: 'walked_past',
        sentence: 'Deployment shop/slow was still starting when its tier was released without waiting for it',
      },
    ]);
  });
});

describe('the critical path', () => {
  it('names for each tier what held it longest, and the longest tier', () => {
    const story: Script = (now) =>
      seen(
        [
          named('a', [readyPod('0:40')]),
          named('b', now < at('4:00') ? [] : [readyPod('4:00')], { tier: 1 }),
          named('c', now < at('4:00') ? [] : [readyPod('3:10')], { tier: 1 }),
        ],
        [{ name: 'orders', status: now < at('3:00') ? 'starting' : 'available', since: at('3:00') }],
      );
    const two = [{ name: 'data', databases: ['orders'] }, { name: 'apps' }];
    const { wake } = passes(wakeOf(story(at('0:00')).workloads, two), story, ['1:00', '3:00', '4:00']);
    const { criticalPath } = endOf(wake, story(at('4:00')), at('4:00'), standardFigures);
    const data = { tier: 'data', ms: span('3:00'), heldBy: { kind: 'database', name: 'orders', ms: span('3:00') } };
    const apps = {
      tier: 'apps',
      ms: span('1:00'),
      heldBy: { kind: 'workload', name: 'Deployment shop/b', ms: span('1:00') },
    };
    expect(criticalPath).toEqual({ totalMs: span('4:00'), steps: [data, apps], longest: data, settlingMs: 0 });
  });

  it('names whom the barrier left behind, and the time a band held the end', () => {
    const looping = waiting('CrashLoopBackOff', { restartCount: 2, lastTerminated: ended('5:10', '5:20') });
    const crashing = { ...withContainers(looping), createdAt: at('5:00') };
    const story: Script = () => seen([named('a', [unplaced()]), named('b', [crashing], { tier: 1 })]);
    const two = [{ name: 'first', barrier: '5:00' }, { name: 'second' }];
    const { wake } = passes(wakeOf(story(at('0:00')).workloads, two), story, ['5:00', '5:20', '10:00']);
    const { criticalPath } = endOf(wake, story(at('10:00')), at('10:00'), standardFigures);
    expect(criticalPath).toMatchObject({
      totalMs: span('10:00'),
      longest: { tier: 'first', ms: span('5:00'), heldBy: { name: 'Deployment shop/a' } },
      settlingMs: span('5:00'),
    });
  });

  it('is empty for a wake without tiers', () => {
    const { wake } = passes(wakeOf([], []), () => seen([]), ['0:01']);
    expect(endOf(wake, seen([]), at('0:01'), standardFigures).criticalPath).toEqual({
      totalMs: 1000,
      steps: [],
      settlingMs: 0,
    });
  });
});
