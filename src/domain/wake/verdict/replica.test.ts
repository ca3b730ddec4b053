import { describe, expect, it } from 'vitest';
import {
  at,
  ended,
  pod,
  running,
  startingPod,
  terminated,
  unplaced,
  waiting,
  withContainers,
  withInit,
} from '../../../../test/support/wake/scenario.ts';
import type { FailureReason } from './failure-sentence.ts';
import { furthest } from './furthest-pod.ts';
import { livePods, type PodView } from './pod.ts';
import { holdUp, startedAt } from './replica.ts';

const neverRan = { kind: 'terminated' as const, exitCode: 128, reason: 'StartError', startedAt: 0 };

describe('what holds a pod up', () => {
  it.each<[string, PodView, FailureReason]>([
    ['the scheduler can place it nowhere', unplaced('Unschedulable'), { code: 'unschedulable' }],
    ['no condition at all: the scheduler is down or unknown', unplaced(), { code: 'pending_no_node' }],
    ['a scheduling gate', unplaced('SchedulingGated'), { code: 'pending_no_node' }],
    ['a scheduler error', unplaced('SchedulerError'), { code: 'pending_no_node' }],
    ['an empty node name is no node', pod({ nodeName: '' }), { code: 'pending_no_node' }],
    ['an init container runs', withInit(running('0:05')), { code: 'init_not_finished' }],
    ['an init container failed', withInit(terminated('0:05', '0:06')), { code: 'init_not_finished' }],
    ['an init container backs off', withInit(waiting('CrashLoopBackOff')), { code: 'init_not_finished' }],
    [
      'an init container between two attempts',
      withInit(waiting('PodInitializing', { lastTerminated: ended('0:05', '0:06') })),
      { code: 'init_not_finished' },
    ],
    [
      'the second init container runs',
      withInit(terminated('0:05', '0:06', {}, 0), running('0:07')),
      { code: 'init_not_finished' },
    ],
    ['a sidecar that has not started', withInit(running('0:05', { sidecar: true })), { code: 'init_not_finished' }],
    [
      'a started sidecar holds nobody up',
      withInit(running('0:05', { sidecar: true, started: true })),
      { code: 'still_pulling' },
    ],
    ['a sidecar that ended', withInit(terminated('0:05', '0:06', { sidecar: true }, 0)), { code: 'init_not_finished' }],
    [
      'init containers are done, the image is coming',
      withInit(terminated('0:05', '0:06', {}, 0)),
      { code: 'still_pulling' },
    ],
    ['an init container that is itself being pulled', withInit(waiting('PodInitializing')), { code: 'still_pulling' }],
    ['the container is being created', withContainers(waiting('ContainerCreating')), { code: 'still_pulling' }],
    ['a node and no container status yet', pod(), { code: 'still_pulling' }],
    ['a waiting container without a reason', withContainers(waiting('')), { code: 'still_pulling' }],
    ['ErrImagePull', withContainers(waiting('ErrImagePull')), { code: 'pull_failed' }],
    ['ImagePullBackOff', withContainers(waiting('ImagePullBackOff')), { code: 'pull_failed' }],
    ['RegistryUnavailable', withContainers(waiting('RegistryUnavailable')), { code: 'pull_failed' }],
    ['the pull of an init container fails', withInit(waiting('ImagePullBackOff')), { code: 'pull_failed' }],
    [
      'one of two containers cannot be pulled',
      withContainers(running('0:05'), waiting('ImagePullBackOff')),
      { code: 'pull_failed' },
    ],
    ['InvalidImageName', withContainers(waiting('InvalidImageName')), { code: 'invalid_image_reference' }],
    ['ErrImageNeverPull', withContainers(waiting('ErrImageNeverPull')), { code: 'image_never_pull' }],
    [
      'CreateContainerConfigError',
      withContainers(waiting('CreateContainerConfigError')),
      { code: 'container_refused', detail: 'CreateContainerConfigError' },
    ],
    [
      'CreateContainerError',
      withContainers(waiting('CreateContainerError')),
      { code: 'container_refused', detail: 'CreateContainerError' },
    ],
    [
      'RunContainerError',
      withContainers(waiting('RunContainerError')),
      { code: 'container_refused', detail: 'RunContainerError' },
    ],
    [
      'a start that the runtime refused, now backing off',
      withContainers(waiting('CrashLoopBackOff', { lastTerminated: neverRan, restartCount: 3 })),
      { code: 'container_refused', detail: 'StartError' },
    ],
    [
      'a refused container beside a failing pull',
      withContainers(waiting('ImagePullBackOff'), waiting('CreateContainerError')),
      { code: 'container_refused', detail: 'CreateContainerError' },
    ],
    [
      'a refused init container beside a running one',
      withInit(running('0:05'), waiting('CreateContainerConfigError')),
      { code: 'container_refused', detail: 'CreateContainerConfigError' },
    ],
  ])('%s', (_name, view, reason) => {
    expect(holdUp(view)).toEqual(reason);
  });

  it.each<[string, PodView, string]>([
    ['a running container', startingPod('0:05'), '0:05'],
    ['the last of two containers', withContainers(running('0:05'), running('3:00')), '3:00'],
    ['the last of two, whatever their order', withContainers(running('3:00'), running('0:05')), '3:00'],
    ['a container that ended', withContainers(terminated('0:05', '0:09')), '0:05'],
    [
      'the first attempt, not the second',
      startingPod('4:00', { restartCount: 1, lastTerminated: ended('0:05', '3:50') }),
      '0:05',
    ],
    [
      'a container that backs off has started before',
      withContainers(waiting('CrashLoopBackOff', { restartCount: 1, lastTerminated: ended('0:05', '0:09') })),
      '0:05',
    ],
  ])('nothing once every container has started: %s', (_name, view, clock) => {
    expect(holdUp(view)).toBeUndefined();
    expect(startedAt(view)).toBe(at(clock));
  });
});

describe('the reason that is named when pods differ', () => {
  const order: FailureReason[] = [
    { code: 'container_refused', detail: 'CreateContainerConfigError' },
    { code: 'container_refused', detail: 'CreateContainerError' },
    { code: 'invalid_image_reference' },
    { code: 'image_never_pull' },
    { code: 'pull_failed' },
    { code: 'unschedulable' },
    { code: 'pending_no_node' },
    { code: 'init_not_finished' },
    { code: 'still_pulling' },
    { code: 'replicas_not_started' },
  ];
  const pairs = order.slice(1).map((lower, index) => [order[index]!, lower] as const);

  it.each(pairs)('%j outranks %j', (higher, lower) => {
    expect(furthest([higher, lower])).toEqual(higher);
    expect(furthest([lower, higher])).toEqual(higher);
  });
});

it('counts neither pods that leave nor finished or evicted ones', () => {
  const pods = [pod({ deleting: true }), pod({ phase: 'Failed' }), pod({ phase: 'Succeeded' }), pod({ name: 'kept' })];
  expect(livePods(pods).map((one) => one.name)).toEqual(['kept']);
});
