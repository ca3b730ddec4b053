import * as Type from 'typebox';
import { count, instant, nullable, open, optional, words } from './basics.ts';
import { transitionFrame } from './transition.ts';

const standDownSummary = open(
  {
    source: words('admin', 'configuration'),
    actor: Type.String(),
    at: instant,
    reason: optional(Type.String()),
    configuration: Type.Boolean(),
    handbackDone: Type.Boolean(),
  },
  'Who stood the service down, when and why.',
);

export const standDownAnswer = open({ standDown: nullable(standDownSummary) });
export const standDownBody = Type.Object(
  { reason: optional(Type.String({ maxLength: 10_000, description: 'At most 50 characters, no URL.' })) },
  { additionalProperties: false },
);

export const reason = open({ code: Type.String(), text: Type.String(), actor: optional(Type.String()) });

export const licenseSummary = open({
  verdict: words('licensed', 'unverified', 'check_failed', 'unlicensed'),
  acts: Type.Boolean(),
  chip: nullable(open({ color: words('red', 'amber'), text: Type.String(), detail: Type.String() })),
});

const transitionSummary = open({
  kind: words('hibernation', 'wake'),
  id: Type.String(),
  startedAt: instant,
  actor: Type.String(),
  cause: Type.String(),
  /** Hosting clusters that a wake waits for before it begins, and how long at most. */
  hosts: optional(Type.Array(open({ cluster: Type.String(), until: instant, why: optional(Type.String()) }))),
});

const wakeOverride = open({ until: instant, by: Type.String(), at: instant });
const manualHibernation = open({ by: Type.String(), at: instant, until: optional(instant) });

const clusterState = words('awake', 'hibernated', 'waking', 'hibernating');

const workloadCounts = open({
  /** Workloads that the service scales. */
  managed: count,
  up: count,
  /** Asked for, and not all of it ready. */
  starting: count,
  /** At zero or suspended by its owner. */
  down: count,
  /** Taken down by the service. `managed` is the sum of these four. */
  hibernated: count,
  /** What a hibernation would take down now. */
  wouldSleep: count,
  excluded: count,
});

/**
 * The server's time when it answered: a countdown need not trust the clock of whoever shows it. Stream events leave it
 * out, because they are shown again to whoever comes later.
 */
const now = optional(instant);

export const hibernationStatus = open({
  now,
  clusterName: Type.String(),
  /** True while the cluster is down. */
  active: Type.Boolean(),
  state: clusterState,
  since: optional(instant),
  /** One sentence for people: `Awake until 20:00 (Europe/Berlin), 142 of 142 up`. */
  sentence: Type.String(),
  wanted: words('awake', 'hibernated', 'handback', 'nothing'),
  reason,
  nextChangeAt: optional(instant),
  timezone: Type.String(),
  dryRun: Type.Boolean(),
  standDown: nullable(standDownSummary),
  causes: Type.Array(words('stand_down', 'license')),
  license: licenseSummary,
  wakeOverride: nullable(wakeOverride),
  manualHibernation: nullable(manualHibernation),
  /** What would be wanted now without any act of a person and without a stop: what resuming the schedule leads to. */
  unacted: open({ awake: Type.Boolean(), text: Type.String(), until: optional(instant) }),
  transition: nullable(transitionSummary),
  workloads: workloadCounts,
  /** While the cluster sleeps: the clusters whose sessions name a part of it, and how much of it they keep up until when. */
  keptUp: optional(Type.Array(open({ cluster: Type.String(), until: instant, workloads: count }))),
});

export const publicHibernationStatus = open({
  now,
  clusterName: Type.String(),
  active: Type.Boolean(),
  state: clusterState,
  timezone: Type.String(),
  /** When the cluster is expected to wake or sleep next. */
  nextChangeAt: optional(instant),
  progress: optional(open({ up: count, total: count })),
});

export const dashboardStatus = open({
  clusterName: Type.String(),
  active: Type.Boolean(),
  state: clusterState,
  timezone: Type.String(),
  nextChangeAt: optional(instant),
  resources: open({ managed: count, up: count, hibernated: count, excluded: count }),
  externalWake: open({ enabled: Type.Boolean(), activeSessions: count }),
  databases: open({ configured: count, statuses: Type.Record(Type.String(), Type.String()) }),
});

export const wakeStatus = open({
  waking: Type.Boolean(),
  transition: nullable(transitionSummary),
  wakeOverride: nullable(wakeOverride),
  /** The newest progress of the running transition, as the stream event `transition` carries it. */
  progress: nullable(transitionFrame),
});

export const wakeUpBody = Type.Object(
  {
    until: optional(instant),
    duration: optional(Type.String({ maxLength: 32, description: 'For example `4h`; the default.' })),
  },
  { additionalProperties: false },
);
export const wakeUpAnswer = open({
  wakeOverride,
  /** When the cluster next goes to sleep if nobody does anything: the end of the wake, or later by the schedule. */
  awakeUntil: optional(instant),
  /** True when an earlier wake lasts longer than this one asked for, so that its end stayed. */
  keptEnd: Type.Boolean(),
  /** True when the cluster already runs: only the expiry moved. */
  renewal: Type.Boolean(),
  message: Type.String(),
});

export const triggerBody = Type.Object({ until: optional(instant) }, { additionalProperties: false });
export const triggerAnswer = open({ manualHibernation, message: Type.String() });
