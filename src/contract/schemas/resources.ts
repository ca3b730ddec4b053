import * as Type from 'typebox';
import { closed, count, instant, nullable, open, optional, text, words, workloadKind } from './basics.ts';
import { reason } from './status.ts';

export const listQuery = closed({
  namespace: optional(text(253)),
  kind: optional(workloadKind),
  state: optional(words('up', 'starting', 'down', 'hibernated')),
  q: optional(text(253, 'Part of a namespace or name.')),
  sort: optional(words('namespace', 'name', 'kind', 'state', 'replicas')),
  order: optional(words('asc', 'desc')),
  limit: optional(Type.Integer({ minimum: 1, maximum: 1000, description: '100 when left out.' })),
  offset: optional(Type.Integer({ minimum: 0, maximum: 1_000_000 })),
});
const { namespace: _namespace, ...withoutNamespace } = listQuery.properties;
export const namespaceListQuery = closed(withoutNamespace);
export const namespaceParams = closed({ namespace: text(253) });

const resource = open({
  kind: workloadKind,
  namespace: Type.String(),
  name: Type.String(),
  /** `hibernated`: taken down by the service. `down`: at zero or suspended by its owner. */
  state: words('up', 'starting', 'down', 'hibernated'),
  replicas: optional(count),
  readyReplicas: optional(count),
  suspended: optional(Type.Boolean()),
  /** Since when it is not up, where its record or the cluster tells. */
  since: optional(instant),
  /** What it returns to. */
  recorded: nullable(open({ replicas: optional(count), suspended: optional(Type.Boolean()), at: instant })),
  owner: optional(Type.String({ description: 'Who else drives it: an operator, Argo CD, Flux.' })),
});
export const resourcePage = open({ items: Type.Array(resource), total: count, next: optional(count) });

const ignoredResource = open({
  kind: workloadKind,
  namespace: Type.String(),
  name: Type.String(),
  reason: Type.String(),
});
export const ignoredPage = open({ items: Type.Array(ignoredResource), total: count, next: optional(count) });

const tally = open({ managed: count, up: count, starting: count, down: count, hibernated: count });
export const resourceStats = open({
  total: tally,
  excluded: nullable(count),
  byKind: Type.Record(Type.String(), tally),
  byNamespace: Type.Record(Type.String(), tally),
});

export const workloadParams = closed({ namespace: text(253), kind: text(32), name: text(253) });
export const why = open({
  kind: workloadKind,
  namespace: Type.String(),
  name: Type.String(),
  targeted: Type.Boolean(),
  /** Why the service leaves it alone; absent for what it scales. */
  skipped: optional(open({ code: Type.String(), text: Type.String() })),
  wanted: words('up', 'down', 'leave'),
  reason,
  recorded: resource.properties.recorded,
  /** The whole answer, line by line. */
  sentences: Type.Array(Type.String()),
});

const container = open({
  name: Type.String(),
  init: Type.Boolean(),
  ready: Type.Boolean(),
  restarts: count,
  state: words('waiting', 'running', 'terminated'),
  at: optional(instant),
  reason: optional(Type.String()),
  message: optional(Type.String()),
  exitCode: optional(Type.Integer()),
  last: optional(open({ exitCode: Type.Integer(), reason: optional(Type.String()), at: optional(instant) })),
});
const pod = open({
  name: Type.String(),
  createdAt: instant,
  phase: Type.String(),
  ready: Type.Boolean(),
  deleting: Type.Boolean(),
  node: optional(Type.String()),
  /** What keeps it from being ready, in one sentence; absent when nothing does. */
  trouble: optional(Type.String()),
  containers: Type.Array(container),
  /** Those that are not as they should be. */
  conditions: Type.Array(
    open({
      type: Type.String(),
      reason: optional(Type.String()),
      message: optional(Type.String()),
      since: optional(instant),
    }),
  ),
});
const eventOfCluster = open({
  about: Type.String({ description: '`Pod cart-7f8c-x2x`.' }),
  type: Type.String(),
  reason: Type.String(),
  message: Type.String(),
  count,
  at: instant,
});
/** One end of a wake or a hibernation, and what it said of the workload. */
const pastTransition = open({
  id: Type.String({ description: 'Of the audit entry.' }),
  at: instant,
  kind: words('wake', 'hibernation'),
  title: Type.String(),
  actor: Type.String(),
  durationMs: optional(Type.Number()),
  verdict: words('failed', 'recovered', 'still_starting', 'not_named'),
  sentence: optional(Type.String()),
});
/** `problem`: why this part could not be read; the others stand. `more`: there are more than are shown. */
const live = <T extends Type.TSchema>(item: T) =>
  open({ items: Type.Array(item), more: Type.Boolean(), problem: optional(Type.String()) });

export const workload = open({
  ...why.properties,
  resource: nullable(resource),
  /** Where it stands in the order; `everything else` when no tier names it. Absent for what is left alone. */
  tiers: optional(open({ wake: Type.String(), hibernate: Type.String() })),
  pods: live(pod),
  events: live(eventOfCluster),
  /** The last transitions, newest first. */
  past: live(pastTransition),
  retry: open({
    possible: Type.Boolean(),
    /** Why not, or what it would do. */
    text: Type.String(),
  }),
});
export const retried = open({ message: Type.String() });

export const preview = open({
  /** What the next hibernation would take down, by tier, in order. */
  tiers: Type.Array(open({ name: Type.String(), workloads: Type.Array(Type.String()) })),
  /** What the wake after it would bring up, by tier, in order. */
  wakeTiers: Type.Array(open({ name: Type.String(), workloads: Type.Array(Type.String()) })),
  at: optional(instant),
  touched: count,
  /** Databases that it would stop, by their names in `config.databases`. */
  databases: Type.Array(Type.String()),
  /** Services that the configuration names: those that would get a satellite, and why the others would not. */
  redirects: Type.Array(open({ service: Type.String(), reason: optional(Type.String()) })),
  /** Hosting clusters that are told they may sleep, and that the next wake asks. */
  hosts: Type.Array(Type.String()),
  skipped: Type.Array(open({ workload: Type.String(), code: Type.String(), reason: Type.String() })),
  warnings: Type.Array(open({ code: Type.String(), text: Type.String(), workload: Type.String() })),
  /** What each kind that `config.targeting.kinds` does not name would add, as far as the workloads that are read tell it. */
  wouldAdd: Type.Array(open({ kind: Type.String(), workloads: count, text: Type.String() })),
  /** True when the answer was cut to `limit`. */
  cut: Type.Boolean(),
});
export const previewQuery = closed({ limit: optional(Type.Integer({ minimum: 1, maximum: 10_000 })) });

export const stateReport = open({
  bytes: count,
  level: words('normal', 'warning', 'critical', 'full'),
  undecodable: Type.Array(Type.String()),
  differences: Type.Array(open({ kind: Type.String(), workload: Type.String(), message: Type.String() })),
});
