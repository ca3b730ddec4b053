import { auditEntry } from '../audit/entry.ts';
import { formatDuration } from '../duration.ts';
import type { WakeChange } from '../wake/change.ts';
import type { WakeEnding } from '../wake/ending.ts';
import { wakeEventMessage } from '../wake/ending-words.ts';
import { tierLines } from '../wake/tier-text.ts';
import type { EpochMs } from '../workload.ts';
import { type Announcement, ofEntry } from './announcement.ts';
import type { ToldTransition } from './hibernation.ts';

interface Named {
  /** What the wake is about, when another cluster or a person named it; the whole cluster while absent. */
  readonly resources?: readonly string[];
}

interface Resumed {
  /** CronJobs that it was about: they are resumed, and nobody waits for them. */
  readonly cronJobs?: number;
}

function resourcesFact({ resources }: Named) {
  return resources === undefined ? [] : [{ name: 'Resources', value: resources.join(', ') }];
}

/** The card that opens a wake. */
export function wakeStarted(wake: Pick<ToldTransition, 'id' | 'startedAt' | 'trigger'> & Named): Announcement {
  const id = `${wake.id}-started`;
  const at = wake.startedAt;
  const facts = [{ name: 'Initiated by', value: wake.trigger.actor }, ...resourcesFact(wake)];
  return { id, at, notice: { id, key: 'wakeStarted', at, title: 'Waking Up Resources', color: 'blue', facts } };
}

/** A wake of what another cluster named ends here: the whole cluster is wanted, and its own wake has the verdicts. */
export function wakeWidened(
  { id, startedAt, trigger }: Pick<ToldTransition, 'id' | 'startedAt' | 'trigger'>,
  at: EpochMs,
): Announcement {
  return ofEntry(
    auditEntry({
      id: `${id}-ended`,
      at,
      kind: 'wake',
      title: 'Wake Goes On for the Whole Cluster',
      actor: trigger.actor,
      trigger: trigger.cause,
      result: 'incomplete',
      completeness: 'incomplete',
      durationMs: at - startedAt,
    }),
  );
}

/** A wake that waited for hosting clusters is no longer wanted; it had touched nothing. */
export function wakeWithdrawn(
  { id, startedAt, trigger }: Pick<ToldTransition, 'id' | 'startedAt' | 'trigger'>,
  at: EpochMs,
): Announcement {
  return ofEntry(
    auditEntry({
      id: `${id}-ended`,
      at,
      kind: 'wake',
      title: 'Wake Withdrawn Before It Began',
      actor: trigger.actor,
      trigger: trigger.cause,
      result: 'incomplete',
      completeness: 'incomplete',
      durationMs: at - startedAt,
    }),
  );
}

/** A tier was released without waiting for its group; the wake goes on. */
export function barrierTimedOut(
  { id: wake }: Pick<ToldTransition, 'id'>,
  change: Extract<WakeChange, { kind: 'barrier_timeout' }>,
  at: EpochMs,
): Announcement {
  const left = [...change.leftBehind, ...change.databasesLeftBehind.map((name) => `database ${name}`)];
  const text = `Tier ${change.name} was released after ${formatDuration(change.barrierMs)} without waiting for ${left.join(', ')}`;
  return barrier(`${wake}-barrier-${change.tier}`, text, at, {
    level: 'warn',
    message: 'Wake barrier timeout',
    fields: { tier: change.name, leftBehind: left },
  });
}

/** The wake begins although hosting clusters that it needs are not up. `since`: when they were first asked. */
export function hostsTimedOut(
  clusters: readonly string[],
  barrierMs: number,
  since: EpochMs,
  at: EpochMs,
): Announcement {
  const text = `The wake begins after ${formatDuration(barrierMs)} without waiting for hosting cluster ${clusters.join(', ')}`;
  return barrier(`wake-hosts-barrier-${since}`, text, at, {
    level: 'warn',
    message: 'The wake begins without its hosting clusters',
    fields: { clusters },
  });
}

function barrier(id: string, text: string, at: EpochMs, log: NonNullable<Announcement['log']>): Announcement {
  return {
    id,
    at,
    event: { where: 'default', type: 'Warning', reason: 'WakeBarrierTimeout', message: text },
    notice: { id, key: 'wakeBarrierTimeout', at, title: 'Wake Barrier Timeout', color: 'amber', text },
    log,
  };
}

export function wakeEnded(current: ToldTransition & Named & Resumed, ending: WakeEnding): Announcement {
  const { trigger } = current;
  const failed = ending.result === 'failed';
  const casualties = ending.failed.map(({ sentence }) => sentence);
  const recoveries = ending.recovered.map(({ sentence }) => sentence);
  const { longest } = ending.criticalPath;
  const id = `${current.id}-ended`;
  const audit = auditEntry({
    id,
    at: ending.endedAt,
    kind: failed ? 'wake-failed' : 'wake',
    title: ending.title,
    actor: trigger.actor,
    trigger: trigger.cause,
    result: ending.result,
    completeness: ending.completeness,
    workloads_failed_detail: casualties,
    workloads_recovered: recoveries.length,
    workloads_recovered_detail: recoveries,
    durationMs: ending.endedAt - ending.startedAt,
    details: {
      up: ending.up.length + ending.recovered.length,
      waited_for: ending.up.length + ending.recovered.length + ending.failed.length + ending.stillStarting.length,
      ...(current.cronJobs === undefined ? {} : { cron_jobs: current.cronJobs }),
      ...(current.resources === undefined ? {} : { resources: current.resources }),
      still_starting: ending.stillStarting.map((one) => `${one.workload}: ${one.cause}`),
      ...(ending.redirected.length === 0 ? {} : { still_redirected: ending.redirected }),
      ...(ending.criticalPath.steps.length === 0 ? {} : { tiers: tierLines(ending.criticalPath) }),
      ...(longest === undefined ? {} : { critical_tier: longest.tier }),
      ...(longest?.heldBy === undefined ? {} : { critical_path: longest.heldBy.name }),
    },
  });
  return ofEntry(audit, {
    event: {
      where: 'default',
      type: failed ? 'Warning' : 'Normal',
      reason: failed ? 'WakeFailed' : 'WakeComplete',
      message: wakeEventMessage(ending),
    },
    notice: {
      id,
      key: failed ? 'wakeFailed' : 'wakeComplete',
      at: ending.endedAt,
      title: ending.title,
      color: ending.color,
      facts: [
        { name: 'Initiated by', value: trigger.actor },
        { name: 'Duration', value: formatDuration(ending.endedAt - ending.startedAt) },
        ...resourcesFact(current),
        ...(ending.redirected.length === 0
          ? []
          : [{ name: 'Services still on a satellite', value: ending.redirected.join(', ') }]),
      ],
      casualties,
      recoveries,
      alsoHigh: ending.escalated,
    },
    log: {
      level: 'info',
      message: 'Wake finished',
      fields: {
        result: ending.result,
        seconds: Math.round((ending.endedAt - ending.startedAt) / 1000),
        failed: casualties,
        recovered: recoveries,
        stillStarting: ending.stillStarting.map(({ workload, cause }) => `${workload}: ${cause}`),
        stillRedirected: ending.redirected,
      },
    },
  });
}

/** A wake that was asked for while the cluster runs: its end moves, and nothing else happens. */
export function wakeRenewed(asked: {
  readonly at: EpochMs;
  readonly by: string;
  readonly until: EpochMs;
}): Announcement {
  return ofEntry(
    auditEntry({
      id: `wake-renewed-${asked.at}`,
      // The time of the request, so that announcing it again after a lost state yields the same entry.
      at: asked.at,
      kind: 'wake-no-changes',
      actor: asked.by,
      details: { until: new Date(asked.until).toISOString() },
    }),
  );
}
