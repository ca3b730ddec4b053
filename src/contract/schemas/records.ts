import * as Type from 'typebox';
import { closed, count, instant, nullable, open, optional, text, words } from './basics.ts';
import { licenseSummary } from './status.ts';

export const auditQuery = closed({
  from: optional(instant),
  to: optional(instant),
  kind: optional(text(512, 'One, or several with commas: `wake,wake-failed`.')),
  result: optional(words('failed', 'incomplete', 'success')),
  actor: optional(text(320)),
  q: optional(text(200)),
  after: optional(text(512, '`next` of the page before.')),
  limit: optional(Type.Integer({ minimum: 1, maximum: 1000, description: '100 when left out.' })),
  format: optional(words('json', 'csv')),
});

export const auditEntry = open({
  id: Type.String(),
  at: instant,
  kind: Type.String(),
  title: Type.String(),
  actor: Type.String(),
  trigger: optional(Type.String()),
  reason: optional(Type.String()),
  result: optional(words('failed', 'incomplete', 'success')),
  completeness: optional(words('complete', 'incomplete')),
  workloads_failed_detail: optional(Type.Array(Type.String())),
  workloads_recovered: optional(Type.Integer()),
  workloads_recovered_detail: optional(Type.Array(Type.String())),
  durationMs: optional(Type.Number()),
  details: optional(Type.Record(Type.String(), Type.Unknown())),
});
export const auditPage = open({
  entries: Type.Array(auditEntry),
  /** How many fit, on all pages. */
  total: count,
  next: optional(Type.String()),
  /** Lines of the log that are no entry. */
  unreadable: count,
});

export const settings = open({
  settings: Type.Array(
    open({
      path: Type.String(),
      value: Type.Unknown(),
      source: words('default', 'configured'),
      description: Type.String(),
      /** What it would be if nobody had set it; only where it was set. */
      standard: optional(Type.Unknown()),
      applies: words('at once', 'with a restart'),
    }),
  ),
  /** Why the newest configuration was refused; the one before is in force. */
  refused: nullable(Type.String()),
  /** Why the brand is ignored, and the product's own is shown. */
  brandRefused: nullable(Type.String()),
  /** What the configuration in force says to no effect, such as a holiday region that does not exist. */
  warnings: Type.Array(Type.String()),
});

export const license = open({
  ...licenseSummary.properties,
  reason: Type.String(),
  licensee: optional(Type.String()),
  id: optional(Type.String()),
  issuedAt: optional(instant),
  expiresAt: optional(instant),
  lastLicensedAt: optional(instant),
  stopAt: optional(instant),
});

/** `available: false` says why there are no figures; `report` is the feature's own. */
const report = open({
  enabled: Type.Boolean(),
  available: Type.Boolean(),
  message: optional(Type.String()),
  report: nullable(Type.Record(Type.String(), Type.Unknown())),
});
export const insights = report;

const shares = {
  workloads: count,
  /** Goes down with the cluster, or is down with it now. `workloads` is the sum of these six. */
  sleeps: count,
  /** Left alone by namespace, annotation or because it is on its way out. */
  excluded: count,
  /** Kept by `config.resourceRules.neverScale`, or because scaling it down would delete its volumes. */
  neverScaled: count,
  /** Scaled by an operator, KEDA or an autoscaler that would not bring it back. */
  ownedByOthers: count,
  /** Its owner raised it while the cluster sleeps. */
  raisedByOwners: count,
  /** At zero or suspended by its owner. */
  downByOwners: count,
};
export const fleet = open({
  total: open(shares),
  /** The largest first. */
  namespaces: Type.Array(open({ namespace: Type.String(), ...shares })),
  /** The report of the coming seven days by the schedule, `planned` alone filled; null while `config.insights.enabled` is false. */
  projection: nullable(Type.Record(Type.String(), Type.Unknown())),
});

export const costs = report;

export const deliveries = open({
  enabled: Type.Boolean(),
  items: Type.Array(
    open({
      id: Type.String(),
      at: instant,
      channel: Type.String(),
      destination: Type.String(),
      title: Type.String(),
      outcome: words('delivered', 'failed', 'suppressed', 'waiting'),
      attempts: count,
      error: optional(Type.String()),
    }),
  ),
});
export const notificationTestBody = closed({ channel: words('email', 'teams') });
export const notificationTest = open({ sent: Type.Boolean(), message: Type.String() });

export const urlReadinessQuery = closed({ url: text(2048, 'http or https.') });
export const urlReadiness = open({
  ready: Type.Boolean(),
  /** Successes in a row so far, of `needed`. */
  successes: count,
  needed: count,
  retryAfterSeconds: count,
});

export const branding = open({
  name: nullable(Type.String()),
  logo: nullable(open({ light: Type.String(), dark: Type.String() })),
  accentColor: Type.String(),
  /** Whether a passkey signs anybody in: the page asks this before there is a sign-in. */
  passkeys: Type.Boolean(),
});
