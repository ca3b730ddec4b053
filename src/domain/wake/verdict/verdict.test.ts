// Every failure reason on both sides of its limit, through whole passes of a wake.

import { describe, expect, it } from 'vitest';
import {
  at,
  declaring,
  ended,
  named,
  observed,
  passes,
  pod,
  probeOf,
  readyPod,
  running,
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
import { minute, standardFigures } from './figures.ts';
import type { WorkloadObservation } from './observation.ts';
import type { PodView } from './pod.ts';

/** The casualty sentences after one pass at the instant. */
function casualties(workload: WorkloadObservation, clock: string, figures = standardFigures): string[] {
  const wake = wakeOf([workload, slow], undefined, figures);
  const { changes } = passes(wake, () => seen([workload, slow]), [clock], figures);
  return changes.flatMap((change) => (change.kind === 'written_off' ? change.sentence : []));
}

/** A second workload that never settles and has the longest budget, so that the fail-open lies behind every limit tested. */
const slow: WorkloadObservation = {
  ...specced({ name: 'slow', containers: declaring(probeOf(1800)) }, [readyPod('0:10')]),
  ref: { kind: 'Deployment', namespace: 'shop', name: 'slow' },
};

describe('phase 1 names nothing at 14:59 and the reason at 15:00', () => {
  it.each<[string, PodView[], string]>([
    ['Unschedulable', [unplaced('Unschedulable')], ' was still Unschedulable after 15 minutes'],
    ['no node', [unplaced()], ' was still Pending with no node after 15 minutes'],
    ['gated', [unplaced('SchedulingGated')], ' was still Pending with no node after 15 minutes'],
    ['init running', [withInit(running('0:05'))], ': its init containers had not finished after 15 minutes'],
    ['init failing', [withInit(terminated('0:05', '0:06'))], ': its init containers had not finished after 15 minutes'],
    ['creating', [withContainers(waiting('ContainerCreating'))], ' was still pulling its image after 15 minutes'],
    ['no pod at all', [], ' had not started every replica after 15 minutes'],
    ['only a pod that leaves', [pod({ deleting: true })], ' had not started every replica after 15 minutes'],
    ['pull fails', [withContainers(waiting('ImagePullBackOff'))], ' could not pull its image in 15 minutes'],
    [
      'secret missing',
      [withContainers(waiting('CreateContainerConfigError'))],
      ' could not create its container (CreateContainerConfigError)',
    ],
    ['bad reference', [withContainers(waiting('InvalidImageName'))], ': its image reference is not a valid reference'],
    [
      'never pulled',
      [withContainers(waiting('ErrImageNeverPull'))],
      ': its image is not on the node and its pull policy forbids fetching it',
    ],
  ])('%s', (_name, pods, words) => {
    expect(casualties(observed(pods), '14:59')).toEqual([]);
    expect(casualties(observed(pods), '15:00')).toEqual([`Deployment shop/cart${words}`]);
  });

  it('is over once every replica has a started container, at 14:59 too', () => {
    expect(casualties(observed([startingPod('14:59')]), '15:00')).toEqual([]);
  });

  it('needs every replica: two of three started are not enough', () => {
    const pods = [startingPod('0:05'), startingPod('0:05')];
    expect(casualties(specced({ replicas: 3 }, pods), '15:00')).toEqual([
      'Deployment shop/cart had not started every replica after 15 minutes',
    ]);
  });

  it('does not wait for the surplus pod of a roll-out', () => {
    const pods = [readyPod('1:00'), readyPod('1:00'), unplaced('Unschedulable')];
    expect(casualties(specced({ replicas: 2 }, pods), '15:00')).toEqual([]);
  });

  it('is judged once: a replica lost later has not been missing for 15 minutes', () => {
    const wake = wakeOf([observed([])]);
    const lost = unplaced(undefined, { createdAt: at('15:59') });
    const script = (now: number) => seen([observed(now < at('16:00') ? [startingPod('14:00')] : [lost])]);
    expect(passes(wake, script, ['15:00', '16:00', '20:00']).wake.writeOffs).toEqual({});
  });
});

describe('when the pods of a workload differ at 15:00', () => {
  const refused = withContainers(waiting('CreateContainerError'));
  const failingPull = withContainers(waiting('ErrImagePull'));
  const pulling = withContainers(waiting('ContainerCreating'));
  const init = withInit(running('0:05'));
  it.each<[string, PodView[], string]>([
    [
      'Unschedulable before Pending',
      [unplaced(), unplaced('Unschedulable')],
      'was still Unschedulable after 15 minutes',
    ],
    ['Pending before init', [init, unplaced()], 'was still Pending with no node after 15 minutes'],
    ['Unschedulable before pulling', [pulling, unplaced('Unschedulable')], 'was still Unschedulable after 15 minutes'],
    [
      'a failing pull before Unschedulable',
      [unplaced('Unschedulable'), failingPull],
      'could not pull its image in 15 minutes',
    ],
    [
      'a refusal before Unschedulable',
      [unplaced('Unschedulable'), refused],
      'could not create its container (CreateContainerError)',
    ],
    [
      'a refusal before a failing pull',
      [failingPull, refused],
      'could not create its container (CreateContainerError)',
    ],
    ['a started pod is not named', [startingPod('0:05'), pulling], 'was still pulling its image after 15 minutes'],
  ])('%s', (_name, pods, words) => {
    const replicas = pods.length;
    expect(casualties(specced({ replicas }, pods), '15:00')).toEqual([`Deployment shop/cart ${words}`]);
    expect(casualties(specced({ replicas }, [...pods].reverse()), '15:00')).toEqual([`Deployment shop/cart ${words}`]);
  });

  it('names init containers before a pull', () => {
    expect(casualties(specced({ replicas: 2 }, [pulling, init]), '15:00')).toEqual([
      'Deployment shop/cart: its init containers had not finished after 15 minutes',
    ]);
  });
});

describe('phase 2 runs from the start of the last container', () => {
  const declared = (seconds: number, pods: PodView[]) => specced({ containers: declaring(probeOf(seconds)) }, pods);
  it.each<[string, WorkloadObservation, before: string, limit: string, words: string]>([
    [
      'a declared budget',
      declared(1200, [startingPod('1:00')]),
      '20:59',
      '21:00',
      'did not finish starting within its declared 20 minutes',
    ],
    [
      'a short declared budget',
      declared(90, [startingPod('1:00')]),
      '2:29',
      '2:30',
      'did not finish starting within its declared 90 seconds',
    ],
    [
      'the default',
      observed([startingPod('1:00')]),
      '10:59',
      '11:00',
      'did not finish starting within the default 10 minutes',
    ],
    [
      'the cap',
      declared(2400, [startingPod('1:00')]),
      '30:59',
      '31:00',
      'did not finish starting within the 30-minute cap',
    ],
    [
      'the last of two containers',
      observed([withContainers(running('1:00'), running('4:00'))]),
      '13:59',
      '14:00',
      'did not finish starting within the default 10 minutes',
    ],
    [
      'the last of two replicas',
      specced({ replicas: 2 }, [startingPod('1:00'), startingPod('3:00')]),
      '12:59',
      '13:00',
      'did not finish starting within the default 10 minutes',
    ],
    [
      'a restart does not give the budget again',
      observed([startingPod('8:00', { restartCount: 1, lastTerminated: ended('1:00', '7:50') })]),
      '10:59',
      '11:00',
      'did not finish starting within the default 10 minutes',
    ],
    [
      'a container that ran before the wake is counted from the wake',
      observed([startingPod('-20:00')]),
      '9:59',
      '10:00',
      'did not finish starting within the default 10 minutes',
    ],
  ])('%s', (_name, workload, before, limit, words) => {
    expect(casualties(workload, before)).toEqual([]);
    expect(casualties(workload, limit)).toEqual([`Deployment shop/cart ${words}`]);
  });

  it('follows the setting where nothing is declared', () => {
    const figures = { ...standardFigures, settleTimeoutMs: 3 * minute };
    expect(casualties(observed([startingPod('1:00')]), '3:59', figures)).toEqual([]);
    expect(casualties(observed([startingPod('1:00')]), '4:00', figures)).toEqual([
      'Deployment shop/cart did not finish starting within the default 3 minutes',
    ]);
  });

  it('ends when every replica is ready', () => {
    expect(casualties(observed([readyPod('9:59')]), '11:00')).toEqual([]);
  });
});

describe('restarts before it was ready', () => {
  const restarted = (restartCount: number, part = {}) =>
    startingPod('2:00', { restartCount, lastTerminated: ended('1:00', '1:50'), ...part });
  it.each<[string, WorkloadObservation, string[]]>([
    ['one is none of our business', observed([restarted(1)]), []],
    [
      'the second writes it off',
      observed([restarted(2)]),
      ['Deployment shop/cart restarted twice before it was ready'],
    ],
    ['more are no other case', observed([restarted(7)]), ['Deployment shop/cart restarted twice before it was ready']],
    [
      'backing off counts alike',
      observed([
        withContainers(waiting('CrashLoopBackOff', { restartCount: 2, lastTerminated: ended('1:00', '1:50') })),
      ]),
      ['Deployment shop/cart restarted twice before it was ready'],
    ],
    ['one restart each of two replicas is not two', specced({ replicas: 2 }, [restarted(1), restarted(1)]), []],
    ['a ready pod may have restarted', observed([readyPod('2:10', { restartCount: 5 })]), []],
    [
      'a start that the runtime refused is not a restart',
      observed([
        withContainers(
          waiting('CrashLoopBackOff', {
            restartCount: 4,
            lastTerminated: { kind: 'terminated', exitCode: 128, reason: 'StartError' },
          }),
        ),
      ]),
      [],
    ],
    [
      'a failing init container is not one either',
      observed([withInit(waiting('CrashLoopBackOff', { restartCount: 4, lastTerminated: ended('1:00', '1:01') }))]),
      [],
    ],
  ])('%s', (_name, workload, sentences) => {
    expect(casualties(workload, '2:05')).toEqual(sentences);
  });
});

describe('a workload that cannot be read', () => {
  const unreadable = (pods: PodView[]) => observed(pods, { reading: { kind: 'unreadable' } });
  it.each<[string, PodView[], before: string, limit: string]>([
    ['no started container: at the limit of phase 1', [], '14:59', '15:00'],
    ['started: after the default budget', [startingPod('1:00')], '10:59', '11:00'],
  ])('%s', (_name, pods, before, limit) => {
    expect(casualties(unreadable(pods), before)).toEqual([]);
    expect(casualties(unreadable(pods), limit)).toEqual(['Deployment shop/cart could not be read']);
  });

  it('is up when as many pods are ready as were recorded', () => {
    expect(casualties(unreadable([readyPod('1:00')]), '20:00')).toEqual([]);
  });

  it('gets the default budget, whatever it declared while it could be read', () => {
    const declared = specced({ containers: declaring(probeOf(1200)) }, [startingPod('1:00')]);
    const lost = { ...declared, reading: { kind: 'unreadable' } as const };
    const script = (now: number) => seen([now < at('5:00') ? declared : lost, slow]);
    const { wake } = passes(wakeOf([declared, slow]), script, ['1:00', '5:00', '10:59']);
    expect(wake.writeOffs).toEqual({});
    const { changes } = passes(wake, script, ['11:00']);
    expect(changes).toContainEqual(expect.objectContaining({ sentence: 'Deployment shop/cart could not be read' }));
  });

  it.each<[reportedReady: number, up: boolean]>([
    [1, false],
    [2, true],
  ])('whose pods alone are hidden: %d of 2 replicas ready by its own status is up: %s', (reportedReady, up) => {
    const hidden = { ...observed([]), replicas: 2, reading: { kind: 'unreadable', reportedReady } as const };
    expect(casualties(hidden, '15:00')).toEqual(up ? [] : ['Deployment shop/cart could not be read']);
  });

  it('is not judged on pods that are hidden after phase 1: it started, and only the fail-open ends the wait', () => {
    const declared = specced({ containers: declaring(probeOf(1800)) }, [startingPod('14:00')]);
    const hidden = { ...declared, pods: [], reading: { kind: 'unreadable' } as const };
    const script = (now: number) => seen([now < at('16:00') ? declared : hidden, slow]);
    const { wake } = passes(wakeOf([declared, slow]), script, ['15:00', '16:00', '46:59']);
    expect(wake).toMatchObject({ writeOffs: {} });
    expect(passes(wake, script, ['47:00']).wake.endedBy).toBe('fail_open');
  });
});

describe('a refused scale-up', () => {
  it('is an answer at once, with the message of the cluster', () => {
    const refused = observed([], { refused: 'admission webhook "guard" denied the request: frozen' });
    expect(casualties(refused, '0:01')).toEqual([
      'Deployment shop/cart: svc could not scale it up: admission webhook "guard" denied the request: frozen',
    ]);
  });
});

describe('what counts as up', () => {
  const settled = (workload: WorkloadObservation) =>
    passes(wakeOf([workload]), () => seen([workload]), ['0:30']).wake.endedBy === 'settled';
  it.each<[string, WorkloadObservation, boolean]>([
    ['every replica ready', specced({ replicas: 2 }, [readyPod('0:20'), readyPod('0:25')]), true],
    ['one replica short', specced({ replicas: 2 }, [readyPod('0:20')]), false],
    ['a ready pod that leaves does not count', observed([{ ...readyPod('0:20'), deleting: true }]), false],
    ['our own zero, not raised yet, means the recorded count', { ...specced({ replicas: 0 }, []), replicas: 2 }, false],
    [
      'the owner scaled it lower during the wake',
      { ...specced({ replicas: 1 }, [readyPod('0:20')]), replicas: 3 },
      true,
    ],
    ['recorded at 0 stays at 0', specced({ replicas: 0 }, []), true],
    ['deleted during the wake', observed([], { reading: { kind: 'left' } }), true],
  ])('%s: %s', (_name, workload, up) => {
    expect(settled(workload)).toBe(up);
  });
});

it('files no verdict twice', () => {
  const two = [observed([unplaced('Unschedulable')]), named('other', [readyPod('0:20')])];
  const wake = wakeOf([...two, slow], [{ name: 'all', databases: ['db'] }]);
  const script = () => seen([...two, slow], [{ name: 'db', status: 'starting' }]);
  expect(passes(wake, script, ['15:00', '15:01']).changes).toEqual([]);
});
