import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../object-store.ts';
import { humanDuration } from './duration-text.ts';
import { podReady, podRestarts, podStatus } from './pod-summary.ts';

const NOW = Date.UTC(2026, 0, 5, 7);

function pod(status: object, metadata: object = {}, spec: object = { containers: [{}] }): KubeObject {
  const identity = { name: 'p', uid: 'u', resourceVersion: '1', creationTimestamp: '' };
  return { apiVersion: 'v1', kind: 'Pod', metadata: { ...identity, ...metadata }, spec, status };
}

const running = { ready: true, restartCount: 0, state: { running: {} } };
const waiting = (reason: string) => ({ ready: false, restartCount: 0, state: { waiting: { reason } } });

describe('podStatus', () => {
  const rows: Record<string, [pod: KubeObject, word: string]> = {
    'a pod without a node': [pod({ phase: 'Pending' }), 'Pending'],
    'a running pod': [pod({ phase: 'Running', containerStatuses: [running] }), 'Running'],
    'a pod whose image cannot be pulled': [
      pod({ phase: 'Pending', containerStatuses: [waiting('ImagePullBackOff')] }),
      'ImagePullBackOff',
    ],
    'a crash loop': [pod({ phase: 'Running', containerStatuses: [waiting('CrashLoopBackOff')] }), 'CrashLoopBackOff'],
    'a pod that is going away': [pod({ phase: 'Running' }, { deletionTimestamp: 'x' }), 'Terminating'],
    'a finished pod': [
      pod({ phase: 'Succeeded', containerStatuses: [{ state: { terminated: { exitCode: 0, reason: 'Completed' } } }] }),
      'Completed',
    ],
    'a pod in its second init container': [
      pod(
        {
          phase: 'Pending',
          initContainerStatuses: [{ state: { terminated: { exitCode: 0 } } }, { state: { running: {} } }],
        },
        {},
        { initContainers: [{}, {}], containers: [{}] },
      ),
      'Init:1/2',
    ],
    'an init container that failed': [
      pod({ phase: 'Pending', initContainerStatuses: [{ state: { terminated: { exitCode: 1, reason: 'Error' } } }] }),
      'Init:Error',
    ],
  };
  it.each(Object.entries(rows))('is right for %s', (_, [given, word]) => {
    expect(podStatus(given)).toBe(word);
  });

  it('counts ready containers and restarts', () => {
    const restarted = {
      ...running,
      restartCount: 3,
      lastState: { terminated: { finishedAt: '2026-01-05T06:58:00Z' } },
    };
    const given = pod({ containerStatuses: [restarted, waiting('x')] }, {}, { containers: [{}, {}] });
    expect([podReady(given), podRestarts(given, NOW)]).toEqual(['1/2', '3 (2m ago)']);
  });
});

describe('humanDuration', () => {
  it.each([
    [0, '0s'],
    [119, '119s'],
    [120, '2m'],
    [150, '2m30s'],
    [600, '10m'],
    [3 * 3600, '3h'],
    [3 * 3600 + 60, '3h1m'],
    [8 * 3600, '8h'],
    [2 * 86_400, '2d'],
    [2 * 86_400 + 3600, '2d1h'],
    [8 * 86_400, '8d'],
    [731 * 86_400, '2y1d'],
  ])('writes %i seconds as %s', (seconds, expected) => {
    expect(humanDuration(seconds * 1000)).toBe(expected);
  });
});
