import { auditEntry } from '../audit/entry.ts';
import { formatDuration } from '../duration.ts';
import type { EpochMs } from '../workload.ts';
import { type Announcement, type LogLine, ofEntry } from './announcement.ts';

const mostListed = 20;

/** Who asked for a transition, as everybody is told. */
export interface Trigger {
  readonly actor: string;
  readonly cause: string;
}

/** The cause of a hibernation of what other clusters had up in the night, once they no longer need it. */
export const externalWakeOver = 'external_wake_over';

export interface ToldTransition {
  readonly id: string;
  readonly kind: 'hibernation' | 'wake';
  readonly startedAt: EpochMs;
  readonly trigger: Trigger;
}

export interface ToldHibernation extends ToldTransition {
  readonly payload: {
    /** By workload: what the cluster said when it refused. */
    readonly failed: Readonly<Record<string, string>>;
    /** Keys of the workloads that somebody raised while it ran, and that it left up. */
    readonly respected: readonly string[];
    readonly tiersTimedOut: readonly string[];
    /** Keys of the workloads it is about, when they are not all. */
    readonly only?: readonly string[];
  };
}

/** The end of a hibernation: of the whole cluster, of what came while it slept, or of what others no longer need. */
export function hibernationEnded(current: ToldHibernation, at: EpochMs): Announcement {
  const casualties = Object.entries(current.payload.failed).map(
    ([workload, message]) => `${workload}: svc could not scale it down: ${message}`,
  );
  const { only } = current.payload;
  const again = only !== undefined && current.trigger.cause === externalWakeOver;
  const told = again ? asleepAgain(current, only, casualties, at) : fellAsleep(current, casualties, at);
  return { ...told, log: finished(current, casualties, at) };
}

function finished({ payload, startedAt }: ToldHibernation, failed: readonly string[], at: EpochMs): LogLine {
  const { respected, tiersTimedOut } = payload;
  const seconds = Math.round((at - startedAt) / 1000);
  const fields = { result: hibernationResult(payload), seconds, failed, respected, tiersTimedOut };
  return { level: 'info', message: 'Hibernation finished', fields };
}

function fellAsleep(current: ToldHibernation, casualties: readonly string[], at: EpochMs): Announcement {
  const { payload, trigger, startedAt } = current;
  const failed = casualties.length > 0;
  const result = hibernationResult(payload);
  const title = failed ? `Hibernation Complete - ${counted(casualties.length)} failed` : 'Hibernation Complete';
  const added = payload.only !== undefined;
  const id = `${current.id}-ended`;
  const audit = auditEntry({
    id,
    at,
    kind: added ? 'workload-added' : failed ? 'hibernation-failed' : 'hibernation',
    ...(added ? {} : { title }),
    actor: trigger.actor,
    trigger: trigger.cause,
    result,
    workloads_failed_detail: casualties,
    durationMs: at - startedAt,
    ...detailsOf(payload),
  });
  return ofEntry(audit, {
    event: {
      where: 'default',
      type: failed ? 'Warning' : 'Normal',
      reason: failed ? 'HibernationFailed' : 'HibernationComplete',
      message: `${title}, ${trigger.actor}, ${formatDuration(at - startedAt)}`,
    },
    notice: {
      id,
      key: added ? 'resourceAdded' : failed ? 'hibernationFailed' : 'hibernationComplete',
      at,
      title: added ? 'Resource Added' : title,
      color: failed ? 'red' : result === 'success' ? 'green' : 'amber',
      ...textOf(payload),
      facts: [{ name: 'Initiated by', value: trigger.actor }],
      casualties,
    },
  });
}

/** That the session ended has been announced already; this one names only what could not be taken down. */
function asleepAgain(
  current: ToldHibernation,
  workloads: readonly string[],
  casualties: readonly string[],
  at: EpochMs,
): Announcement {
  const { trigger, startedAt } = current;
  const failed = casualties.length > 0;
  const id = `${current.id}-ended`;
  const title = failed
    ? `Asleep Again After External Wake - ${counted(casualties.length)} failed`
    : 'Asleep Again After External Wake';
  const audit = auditEntry({
    id,
    at,
    kind: failed ? 'hibernation-failed' : 'hibernation',
    title,
    actor: trigger.actor,
    trigger: trigger.cause,
    result: failed ? 'failed' : 'success',
    workloads_failed_detail: casualties,
    durationMs: at - startedAt,
    details: { workloads },
  });
  const facts = [{ name: 'Initiated by', value: trigger.actor }];
  const notice = { id, key: 'hibernationFailed', at, title, color: 'red', facts, casualties } as const;
  return ofEntry(audit, failed ? { notice } : {});
}

/** It was no longer wanted and stops where it is; `by` is who wants the cluster up. */
export function hibernationStopped({ id }: Pick<ToldTransition, 'id'>, by: Trigger, at: EpochMs): Announcement {
  return ofEntry(
    auditEntry({
      id: `${id}-stopped`,
      at,
      kind: 'hibernation',
      title: 'Hibernation Stopped',
      actor: by.actor,
      trigger: by.cause,
      result: 'incomplete',
    }),
  );
}

/** The controller was down over an edge of the schedule: what it starts now makes up for that, and says so. */
export function caughtUp({ id: transition, startedAt: at, kind }: ToldTransition): Announcement {
  const id = `${transition}-catch-up`;
  const text = `The controller was not running when the schedule asked for a ${kind}; it is made up for now.`;
  const audit = auditEntry({ id, at, kind: 'catch-up', actor: 'controller', details: { transition: kind } });
  return ofEntry(audit, {
    event: { where: 'default', type: 'Normal', reason: 'CaughtUp', message: text },
    notice: { id, key: 'catchUp', at, title: 'Catch-up', color: 'blue', text },
  });
}

function counted(workloads: number): string {
  return `${workloads} workload${workloads === 1 ? '' : 's'}`;
}

type Payload = ToldHibernation['payload'];

/** One that had to leave something up, by its owner's doing, has not failed; nor is all of it asleep. */
export function hibernationResult({ failed, respected }: Payload): 'failed' | 'incomplete' | 'success' {
  if (Object.keys(failed).length > 0) return 'failed';
  return respected.length > 0 ? 'incomplete' : 'success';
}

function detailsOf({ only, respected }: Payload): { readonly details?: Readonly<Record<string, readonly string[]>> } {
  if (only === undefined && respected.length === 0) return {};
  return {
    details: {
      ...(only === undefined ? {} : { workloads: only }),
      ...(respected.length === 0 ? {} : { left_up: respected }),
    },
  };
}

/** Only what went down is told as taken down; the others are casualties, or were raised and left up. */
function textOf({ only = [], failed, respected }: Payload): { readonly text?: string } {
  const down = only.filter((workload) => failed[workload] === undefined && !respected.includes(workload));
  const sentences = [
    ...(down.length === 0 ? [] : [`Taken down with the sleeping cluster: ${down.join(', ')}`]),
    ...(respected.length === 0
      ? []
      : [`Left up, for somebody raised it or what applies it meanwhile: ${listed(respected)}`]),
  ];
  return sentences.length === 0 ? {} : { text: sentences.join('. ') };
}

/** A card is no list of hundreds. */
function listed(workloads: readonly string[]): string {
  const more = workloads.length - mostListed;
  return more > 0 ? `${workloads.slice(0, mostListed).join(', ')} and ${more} more` : workloads.join(', ');
}
