import * as Type from 'typebox';
import { count, open, optional, words } from './basics.ts';

// What the controller tells of a running transition. Times are in milliseconds since 1970, as they come from its clock.

const time = Type.Integer({ description: 'Milliseconds since 1970, UTC.' });
const span = Type.Integer({ minimum: 0, description: 'Milliseconds.' });
const trigger = open({ actor: Type.String(), cause: Type.String() }, 'Who or what began it.');
const tierState = words('waiting', 'running', 'released');

const phases = ['waiting', 'cluster', 'starting', 'up', 'failed', 'recovered', 'still_starting', 'left'] as const;

const workloadProgress = open({
  workload: Type.String(),
  phase: words(...phases),
  sentence: Type.String({ description: 'Composed once by the controller; it reads the same everywhere.' }),
  until: optional(time),
  cause: optional(words('fail_open', 'walked_past', 'superseded', 'not_observed')),
});

const wakeTier = open({
  name: Type.String(),
  state: tierState,
  walkedPast: Type.Boolean(),
  startedAt: optional(time),
  barrierAt: optional(time),
  releasedAt: optional(time),
  workloads: Type.Array(workloadProgress, { description: 'Every casualty, and the first of the others.' }),
  untold: optional(
    open(
      Object.fromEntries(phases.map((phase) => [phase, optional(count)])),
      'How many more there are in each phase; absent when all of them are told.',
    ),
  ),
  databases: Type.Array(open({ name: Type.String(), status: Type.String() })),
});

const pathStep = open({
  tier: Type.String(),
  ms: span,
  heldBy: optional(open({ kind: words('workload', 'database'), name: Type.String(), ms: span })),
});

const wakeFrame = open(
  {
    kind: words('wake'),
    trigger,
    progress: open({
      id: Type.String(),
      startedAt: time,
      failOpenAt: time,
      endedAt: optional(time),
      endedBy: optional(words('settled', 'fail_open', 'superseded', 'not_observed')),
      /** Of `total`; each count is that of the audit entry at the end. */
      up: count,
      /** Workloads that the wake waits for: those with replicas. CronJobs are resumed, and nobody waits for them. */
      total: count,
      tiers: Type.Array(wakeTier),
      hosts: optional(
        Type.Array(open({ cluster: Type.String(), until: time, why: optional(Type.String()) }), {
          description: 'Hosting clusters that the wake waits for before it begins.',
        }),
      ),
    }),
    /** How many CronJobs it resumes besides. */
    cronJobs: optional(count),
    /** In the last frame alone. */
    outcome: optional(
      open({
        title: Type.String(),
        result: words('failed', 'incomplete', 'success'),
        completeness: words('complete', 'incomplete'),
        criticalPath: open({
          totalMs: span,
          steps: Type.Array(pathStep),
          longest: optional(pathStep),
          settlingMs: span,
        }),
      }),
    ),
  },
  'A wake, tier by tier.',
);

const hibernationFrame = open(
  {
    kind: words('hibernation'),
    trigger,
    progress: open({
      id: Type.String(),
      startedAt: time,
      endedAt: optional(time),
      endedBy: optional(words('complete', 'stopped')),
      down: count,
      total: count,
      tiers: Type.Array(
        open({
          name: Type.String(),
          state: tierState,
          timedOut: Type.Boolean(),
          startedAt: optional(time),
          deadlineAt: optional(time),
          workloads: count,
          down: count,
          databases: Type.Array(Type.String()),
        }),
      ),
      toLower: count,
      draining: Type.Array(Type.String()),
      failed: Type.Record(Type.String(), Type.String()),
      respected: Type.Array(Type.String()),
    }),
  },
  'A hibernation, tier by tier.',
);

export const transitionFrame = Type.Union([wakeFrame, hibernationFrame]);
