// Arbitrary wakes: any pods, in any order, changing in any way between passes.

import fc from 'fast-check';
import { advanceWake } from '../../../src/domain/wake/advance.ts';
import { resumeWake } from '../../../src/domain/wake/start.ts';
import { standardFigures } from '../../../src/domain/wake/verdict/figures.ts';
import type {
  WakeObservations,
  WorkloadObservation,
  WorkloadReading,
} from '../../../src/domain/wake/verdict/observation.ts';
import type { ContainerView, PodView } from '../../../src/domain/wake/verdict/pod.ts';
import type { WakeState } from '../../../src/domain/wake/verdict/wake-state.ts';
import type { EpochMs } from '../../../src/domain/workload.ts';
import { declaring, named, pod, probeOf, seen, T0, type TierOfTest, wakeOf, workload } from './scenario.ts';

const instant = fc.integer({ min: -60, max: 3_000 }).map((seconds) => T0 + seconds * 1_000);

const waitingReason = fc.constantFrom(
  '',
  'ContainerCreating',
  'PodInitializing',
  'CrashLoopBackOff',
  'ImagePullBackOff',
  'CreateContainerConfigError',
  'CreateContainerError',
  'InvalidImageName',
  'ErrImageNeverPull',
);

const attempt = fc.record({
  kind: fc.constant('terminated' as const),
  exitCode: fc.constantFrom(0, 1, 137),
  reason: fc.constantFrom('Completed', 'Error', 'OOMKilled', 'StartError'),
  startedAt: instant,
  finishedAt: instant,
});

const container: fc.Arbitrary<ContainerView> = fc
  .record({
    state: fc.oneof(
      { weight: 2, arbitrary: waitingReason.map((reason) => ({ kind: 'waiting' as const, reason, message: '' })) },
      { weight: 4, arbitrary: instant.map((startedAt) => ({ kind: 'running' as const, startedAt })) },
      { weight: 1, arbitrary: attempt },
    ),
    last: fc.option(attempt, { nil: undefined }),
    ready: fc.boolean(),
    started: fc.boolean(),
    sidecar: fc.boolean(),
    restartCount: fc.constantFrom(0, 0, 0, 0, 0, 1, 2, 4),
  })
  .map(({ last, ...rest }) => ({ name: 'c', ...rest, ...(last && { lastTerminated: last }) }));

export const anyPod: fc.Arbitrary<PodView> = fc
  .record({
    containers: fc.array(container, { maxLength: 2 }),
    initContainers: fc.array(container, { maxLength: 1 }),
    ready: fc.record({ status: fc.constantFrom(true, false, false), since: instant }),
    placed: fc.constantFrom(true, true, true, false),
    unschedulable: fc.boolean(),
    deleting: fc.integer({ min: 0, max: 19 }).map((one) => one === 0),
    phase: fc.constantFrom('Pending' as const, 'Running' as const, 'Running' as const),
    createdAt: instant,
  })
  .map(({ placed, unschedulable, ...rest }) => {
    const { nodeName, ...view } = pod(rest);
    const reason = unschedulable ? 'Unschedulable' : 'SchedulerError';
    if (!placed) return { ...view, scheduled: { status: 'False' as const, reason, message: '', at: T0 } };
    return { ...view, nodeName: nodeName ?? 'node-a' };
  });

export interface Chaos {
  readonly tiers: readonly TierOfTest[];
  /** What the cluster shows in the first pass, the second, and so on; the last one stays. */
  readonly frames: readonly WakeObservations[];
  /** Seconds between passes that come for other reasons than a deadline. */
  readonly steps: readonly number[];
}

const member = (index: number, tiers: number): fc.Arbitrary<WorkloadObservation> =>
  fc
    .record({
      pods: fc.array(anyPod, { maxLength: 3 }),
      replicas: fc.integer({ min: 1, max: 3 }),
      budget: fc.constantFrom(undefined, 60, 1200, 3600),
      refused: fc.integer({ min: 0, max: 29 }).map((one) => one === 0),
      reading: fc.constantFrom('read', 'read', 'read', 'read', 'unreadable', 'hidden', 'left'),
      reportedReady: fc.integer({ min: 0, max: 3 }),
    })
    .map(({ pods, replicas, budget, refused, reading, reportedReady }) => {
      const containers = declaring(budget === undefined ? undefined : probeOf(budget));
      const spec = workload({ name: `w${index}`, replicas, containers });
      const readings: Readonly<Record<string, WorkloadReading>> = {
        read: { kind: 'read', workload: spec },
        unreadable: { kind: 'unreadable' },
        hidden: { kind: 'unreadable', reportedReady },
        left: { kind: 'left' },
      };
      return named(`w${index}`, reading === 'hidden' ? [] : pods, {
        tier: index % tiers,
        replicas,
        reading: readings[reading]!,
        ...(refused && { refused: 'denied' }),
      });
    });

const frame = (workloads: number, tiers: number): fc.Arbitrary<WakeObservations> =>
  fc
    .tuple(
      fc.tuple(...Array.from({ length: workloads }, (_, index) => member(index, tiers))),
      fc.constantFrom('available' as const, 'starting' as const, 'failed' as const),
    )
    .map(([members, status]) => seen(members, [{ name: 'db', status }]));

export const chaos: fc.Arbitrary<Chaos> = fc
  .tuple(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 3 }), fc.constantFrom('1:00', '5:00', '20:00'))
  .chain(([workloads, tiers, barrier]) =>
    fc.record({
      tiers: fc.constant(
        Array.from({ length: tiers }, (_, index) => ({
          name: `t${index}`,
          barrier,
          databases: index === 0 ? ['db'] : [],
        })),
      ),
      frames: fc.array(frame(workloads, tiers), { minLength: 1, maxLength: 8 }),
      steps: fc.array(fc.integer({ min: 1, max: 600 }), { maxLength: 10 }),
    }),
  );

export interface Played {
  readonly wake: WakeState;
  readonly last: WakeObservations;
  readonly now: EpochMs;
  readonly instants: readonly EpochMs[];
  readonly changes: number;
}

/** Plays the wake to its end; `restartAt` is the pass before which the controller restarts. */
export function play(one: Chaos, restartAt?: number): Played {
  let wake = wakeOf(one.frames[0]?.workloads ?? [], one.tiers);
  let now = T0;
  let changes = 0;
  const instants: EpochMs[] = [];
  for (let pass = 0; ; pass++) {
    if (pass > 500) throw new Error('the wake does not end');
    if (pass === restartAt) wake = resumeWake(JSON.parse(JSON.stringify(wake)) as WakeState, now);
    const last = frameAt(one, pass);
    const advanced = advanceWake(wake, last, now, standardFigures);
    wake = advanced.wake;
    changes += advanced.changes.length;
    instants.push(now);
    if (advanced.nextCheckAt === undefined) return { wake, last, now, instants, changes };
    const step = one.steps[pass];
    now = step === undefined ? advanced.nextCheckAt : Math.min(now + step * 1_000, advanced.nextCheckAt);
  }
}

export function frameAt(one: Chaos, pass: number): WakeObservations {
  return one.frames[Math.min(pass, one.frames.length - 1)] ?? seen([]);
}
