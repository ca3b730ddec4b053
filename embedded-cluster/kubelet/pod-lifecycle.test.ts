import type { Container, PodSpec, PodStatus } from 'kubernetes-types/core/v1.js';
import { describe, expect, it } from 'vitest';
import { monday } from '../cluster-fixture.ts';
import { timestamp } from '../controllers/machinery/timestamps.ts';
import { parseBehaviour } from './behaviour.ts';
import { podStatusAt } from './pod-lifecycle.ts';
import type { PodView } from './pod-view.ts';

const placement = { hostIP: '10.0.0.1', podIP: '10.244.1.1' };

interface Case {
  readonly behaviour?: Record<string, string>;
  readonly container?: Partial<Container>;
  readonly spec?: Partial<PodSpec>;
  /** Seconds after the pod got its node → what the pod says then. */
  readonly at: Record<number, string>;
  /** When it changes by itself, in seconds. */
  readonly changes: readonly number[];
}

function podOf({ container, spec }: Case): PodView {
  return {
    metadata: { name: 'web-0', namespace: 'shop', uid: 'uid-1', creationTimestamp: timestamp(monday) },
    spec: { nodeName: 'node-1', containers: [{ name: 'app', image: 'web:1', ...container }], ...spec },
  };
}

function behaviourOf({ behaviour = {} }: Case) {
  const annotations = Object.fromEntries(
    Object.entries(behaviour).map(([name, value]) => [`sim.svc.io/${name}`, value]),
  );
  const parsed = parseBehaviour(annotations, 0);
  expect(parsed.problems).toEqual([]);
  return parsed.behaviour;
}

/** Phase, then the init container if one is not done, then the app container: state, restarts, started and ready. */
function told(status: PodStatus): string {
  const app = status.containerStatuses?.[0];
  const state = (one: typeof app) => {
    if (one?.state?.running !== undefined) return 'running';
    return one?.state?.terminated !== undefined ? `exit ${one.state.terminated.exitCode}` : one?.state?.waiting?.reason;
  };
  const init = status.initContainerStatuses?.find((one) => one.state?.terminated?.exitCode !== 0);
  const flags = [app?.started ? 'started' : '', app?.ready ? 'ready' : ''].filter((flag) => flag !== '').join(' ');
  const restarts = app !== undefined && app.restartCount > 0 ? ` x${app.restartCount}` : '';
  const before =
    init === undefined ? '' : `init ${state(init)}${init.restartCount > 0 ? ` x${init.restartCount}` : ''}, `;
  return `${status.phase}: ${before}${state(app)}${restarts}${flags === '' ? '' : ` ${flags}`}`;
}

const probe = { failureThreshold: 6, periodSeconds: 10, initialDelaySeconds: 5 };

const cases: Record<string, Case> = {
  'a pod that declares nothing pulls for a second and is ready': {
    at: {
      0: 'Pending: ContainerCreating',
      1: 'Running: running started ready',
      9999: 'Running: running started ready',
    },
    changes: [1],
  },
  'a slow starter runs before it is ready': {
    behaviour: { 'start-seconds': '40', 'pull-seconds': '10' },
    at: {
      9: 'Pending: ContainerCreating',
      10: 'Running: running started',
      49: 'Running: running started',
      50: 'Running: running started ready',
    },
    changes: [10, 50],
  },
  'a start-up probe holds started back': {
    behaviour: { 'startup-probe-seconds': '30', 'start-seconds': '35', 'pull-seconds': '0' },
    container: { startupProbe: probe },
    at: {
      0: 'Running: running',
      29: 'Running: running',
      30: 'Running: running started',
      35: 'Running: running started ready',
    },
    changes: [30, 35],
  },
  'a container that outlasts its start-up budget is killed and started again': {
    behaviour: { 'startup-probe-seconds': '200,20', 'terminate-seconds': '4', 'pull-seconds': '0' },
    container: { startupProbe: probe },
    at: {
      64: 'Running: running',
      68: 'Running: running',
      69: 'Running: running x1',
      89: 'Running: running x1 started ready',
    },
    changes: [69, 89],
  },
  'a pull that never works alternates between error and back-off': {
    behaviour: { pull: 'fail' },
    at: {
      0: 'Pending: ContainerCreating',
      1: 'Pending: ErrImagePull',
      6: 'Pending: ImagePullBackOff',
      11: 'Pending: ImagePullBackOff',
      12: 'Pending: ErrImagePull',
      17: 'Pending: ImagePullBackOff',
      33: 'Pending: ErrImagePull',
    },
    changes: [1, 6, 12, 17, 33, 38],
  },
  'a registry that comes back lets the next pull succeed': {
    behaviour: { pull: 'fail', 'pull-recovers-after': '12' },
    at: {
      11: 'Pending: ImagePullBackOff',
      12: 'Pending: ErrImagePull',
      32: 'Pending: ImagePullBackOff',
      33: 'Running: running started ready',
    },
    changes: [1, 6, 12, 17, 33],
  },
  'an invalid image reference stays': {
    behaviour: { image: 'invalid' },
    at: { 0: 'Pending: InvalidImageName', 5000: 'Pending: InvalidImageName' },
    changes: [],
  },
  'an image that may not be pulled stays': {
    behaviour: { image: 'never' },
    at: { 0: 'Pending: ErrImageNeverPull', 5000: 'Pending: ErrImageNeverPull' },
    changes: [],
  },
  'a refused container is created once the cause is gone': {
    behaviour: { create: 'CreateContainerConfigError', 'create-recovers-after': '60' },
    at: {
      1: 'Pending: CreateContainerConfigError',
      60: 'Pending: CreateContainerConfigError',
      61: 'Running: running started ready',
    },
    changes: [1, 61],
  },
  'a refusal without an end stays': {
    behaviour: { create: 'RunContainerError' },
    at: { 1: 'Pending: RunContainerError', 9000: 'Pending: RunContainerError' },
    changes: [1],
  },
  'two crashes, and then it comes up': {
    behaviour: { 'crash-after-seconds': '5', 'crash-times': '2', 'pull-seconds': '0', 'start-seconds': '20' },
    at: {
      4: 'Running: running started',
      5: 'Running: running x1 started',
      10: 'Running: CrashLoopBackOff x1',
      20: 'Running: running x2 started',
      40: 'Running: running x2 started ready',
    },
    changes: [5, 10, 20, 40],
  },
  'a crash after it was ready': {
    behaviour: { 'crash-after-seconds': '30', 'crash-times': '1', 'pull-seconds': '0', 'start-seconds': '10' },
    at: {
      10: 'Running: running started ready',
      30: 'Running: running x1 started',
      40: 'Running: running x1 started ready',
    },
    changes: [10, 30, 40],
  },
  'an init container holds the pod back': {
    behaviour: { 'init-seconds': '20' },
    spec: { initContainers: [{ name: 'migrate', image: 'web:1' }] },
    at: {
      0: 'Pending: init running, PodInitializing',
      20: 'Pending: ContainerCreating',
      21: 'Running: running started ready',
    },
    changes: [20, 21],
  },
  'an init container that fails backs off until it recovers': {
    behaviour: { init: 'fail', 'init-seconds': '5', 'init-recovers-after': '15' },
    spec: { initContainers: [{ name: 'migrate', image: 'web:1' }] },
    at: {
      5: 'Pending: init running x1, PodInitializing',
      10: 'Pending: init CrashLoopBackOff x1, PodInitializing',
      20: 'Pending: init running x2, PodInitializing',
      25: 'Pending: ContainerCreating',
      26: 'Running: running started ready',
    },
    changes: [5, 10, 20, 25, 26],
  },
  'volumes that take long leave the container creating': {
    behaviour: { 'volume-seconds': '1000' },
    at: { 0: 'Pending: ContainerCreating', 1000: 'Pending: ContainerCreating', 1001: 'Running: running started ready' },
    changes: [1000, 1001],
  },
  'a readiness probe that never succeeds': {
    behaviour: { 'never-ready': 'true' },
    at: { 1: 'Running: running started', 86400: 'Running: running started' },
    changes: [1],
  },
  'ready, not ready for a while, and not ready for good': {
    behaviour: { 'unready-at': '60-90,200', 'pull-seconds': '0' },
    at: {
      0: 'Running: running started ready',
      60: 'Running: running started',
      90: 'Running: running started ready',
      200: 'Running: running started',
    },
    changes: [60, 90, 200],
  },
  'the pod of a Job runs and completes': {
    behaviour: { 'run-seconds': '7' },
    spec: { restartPolicy: 'Never' },
    at: { 1: 'Running: running started ready', 8: 'Succeeded: exit 0' },
    changes: [1, 8],
  },
  'the pod of a Job that crashes fails': {
    behaviour: { 'crash-after-seconds': '3', 'exit-code': '42' },
    spec: { restartPolicy: 'Never' },
    at: { 1: 'Running: running started', 4: 'Failed: exit 42' },
    changes: [1, 4],
  },
  'with OnFailure it is restarted in place until it succeeds': {
    behaviour: { 'crash-after-seconds': '3', 'crash-times': '1', 'run-seconds': '5' },
    spec: { restartPolicy: 'OnFailure' },
    at: { 4: 'Running: running x1 started ready', 9: 'Succeeded: exit 0 x1' },
    changes: [1, 4, 9],
  },
};

/** Follows the pod as a kubelet shell does: writes each status and looks again when told to. */
function followed(one: Case, limit = 40) {
  let pod = podOf(one);
  const behaviour = behaviourOf(one);
  const changes: number[] = [];
  let now = monday;
  for (let steps = 0; steps < limit; steps++) {
    const { status, nextChangeAt } = podStatusAt(pod, behaviour, { now, placement });
    pod = { ...pod, status };
    if (nextChangeAt === undefined || changes.length > 5) break;
    changes.push((nextChangeAt - monday) / 1000);
    now = nextChangeAt;
  }
  return { changes, pod };
}

describe('podStatusAt', () => {
  it.each(Object.entries(cases))('%s', (_sentence, one) => {
    const pod = podOf(one);
    const seen = Object.keys(one.at).map((second) => {
      const { status } = podStatusAt(pod, behaviourOf(one), { now: monday + Number(second) * 1000, placement });
      return [second, told(status)];
    });
    expect(Object.fromEntries(seen)).toEqual(one.at);
    expect(followed(one).changes.slice(0, one.changes.length + 1)).toEqual(one.changes);
  });

  it('writes the whole status of a crash loop as the kubelet does', () => {
    const one: Case = { behaviour: { 'crash-after-seconds': '5', 'pull-seconds': '0' }, at: {}, changes: [] };
    const { status } = podStatusAt(podOf(one), behaviourOf(one), { now: monday + 12_000, placement });
    expect(status).toEqual({
      phase: 'Running',
      hostIP: '10.0.0.1',
      hostIPs: [{ ip: '10.0.0.1' }],
      podIP: '10.244.1.1',
      podIPs: [{ ip: '10.244.1.1' }],
      startTime: '2026-01-05T08:00:00Z',
      qosClass: 'BestEffort',
      conditions: [
        { type: 'PodReadyToStartContainers', status: 'True', lastTransitionTime: '2026-01-05T08:00:12Z' },
        { type: 'Initialized', status: 'True', lastTransitionTime: '2026-01-05T08:00:12Z' },
        ...['Ready', 'ContainersReady'].map((type) => ({
          type,
          status: 'False',
          lastTransitionTime: '2026-01-05T08:00:12Z',
          reason: 'ContainersNotReady',
          message: 'containers with unready status: [app]',
        })),
        { type: 'PodScheduled', status: 'True', lastTransitionTime: '2026-01-05T08:00:00Z' },
      ],
      containerStatuses: [
        {
          name: 'app',
          image: 'web:1',
          imageID: expect.stringMatching(/^web:1@sha256:[0-9a-f]{64}$/),
          containerID: expect.stringMatching(/^containerd:\/\//),
          started: false,
          ready: false,
          restartCount: 1,
          state: {
            waiting: {
              reason: 'CrashLoopBackOff',
              message: 'back-off 10s restarting failed container=app pod=web-0_shop(uid-1)',
            },
          },
          lastState: {
            terminated: {
              containerID: expect.stringMatching(/^containerd:\/\//),
              exitCode: 1,
              reason: 'Error',
              startedAt: '2026-01-05T08:00:05Z',
              finishedAt: '2026-01-05T08:00:10Z',
            },
          },
        },
      ],
    });
  });

  it('keeps the transition time of a condition that keeps its status', () => {
    const { pod } = followed({ behaviour: { 'unready-at': '60-90', 'pull-seconds': '0' }, at: {}, changes: [] });
    const ready = pod.status?.conditions?.find((one) => one.type === 'Ready');
    const initialized = pod.status?.conditions?.find((one) => one.type === 'Initialized');
    expect(ready?.lastTransitionTime).toBe('2026-01-05T08:01:30Z');
    expect(initialized?.lastTransitionTime).toBe('2026-01-05T08:00:00Z');
  });

  const deletions: Record<
    string,
    [behaviour: Record<string, string>, grace: number, deletedAt: number, goneAt: number]
  > = {
    'a running pod stops within a second': [{}, 30, 100, 101],
    'a slow one takes its time': [{ 'terminate-seconds': '12' }, 30, 100, 112],
    'nobody outlives the grace period': [{ 'terminate-seconds': '90' }, 30, 100, 130],
    'a pod without a running container goes at once': [{ pull: 'fail' }, 30, 100, 100],
  };
  it.each(Object.entries(deletions))('deletion: %s', (_sentence, [behaviour, grace, deletedAt, goneAt]) => {
    const one: Case = { behaviour, at: {}, changes: [] };
    const pod = podOf(one);
    const endsAt = timestamp(monday + (deletedAt + grace) * 1000);
    const metadata = { ...pod.metadata, deletionTimestamp: endsAt, deletionGracePeriodSeconds: grace };
    const deleted = { ...pod, metadata };
    const at = (second: number) => podStatusAt(deleted, behaviourOf(one), { now: monday + second * 1000, placement });
    expect(at(goneAt).gone).toBe(true);
    if (goneAt > deletedAt) expect(at(goneAt - 1)).toMatchObject({ gone: false, nextChangeAt: monday + goneAt * 1000 });
  });

  it('reports each event once when told what was heard before', () => {
    const one: Case = {
      behaviour: { 'crash-after-seconds': '5', 'crash-times': '2', 'pull-seconds': '0' },
      at: {},
      changes: [],
    };
    const reasons: string[] = [];
    let since = monday - 1;
    for (const second of [0, 5, 10, 20]) {
      const now = monday + second * 1000;
      const { events } = podStatusAt(podOf(one), behaviourOf(one), { now, placement, since });
      reasons.push(...events.map((event) => `${second} ${event.reason}`));
      since = now;
    }
    expect(reasons).toEqual([
      '0 Pulled',
      '0 Created',
      '0 Started',
      '5 Created',
      '5 Started',
      '10 BackOff',
      '20 Created',
      '20 Started',
    ]);
  });
});
