import type { Announcement } from '../../domain/announcement/announcement.ts';
import { auditEntry } from '../../domain/audit/entry.ts';
import { formatDuration } from '../../domain/duration.ts';
import type { WakeEnding } from '../../domain/wake/ending.ts';
import { wakeEventMessage } from '../../domain/wake/record.ts';
import type { EpochMs } from '../../domain/workload.ts';
import type { Hibernation, Wake } from '../transition.ts';

// What the world is told at the end of a transition. Composed once, so that audit, event and card say the same.

export function hibernationAnnouncement(current: Hibernation, at: EpochMs): Announcement {
  const { payload, trigger, startedAt } = current;
  const casualties = Object.entries(payload.failed).map(
    ([workload, message]) => `${workload}: svc could not scale it down: ${message}`,
  );
  const failed = casualties.length > 0;
  const title = failed ? `Hibernation Complete - ${counted(casualties.length)} failed` : 'Hibernation Complete';
  const added = payload.only !== undefined;
  const id = `${current.id}-ended`;
  return {
    audit: auditEntry({
      id,
      at,
      kind: added ? 'workload-added' : failed ? 'hibernation-failed' : 'hibernation',
      ...(added ? {} : { title }),
      actor: trigger.actor,
      trigger: trigger.cause,
      result: failed ? 'failed' : 'success',
      workloads_failed_detail: casualties,
      durationMs: at - startedAt,
      ...(payload.only === undefined ? {} : { details: { workloads: payload.only } }),
    }),
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
      colour: failed ? 'red' : 'green',
      ...(added ? addedText(payload.only, payload.failed) : {}),
      facts: [{ name: 'Initiated by', value: trigger.actor }],
      casualties,
    },
  };
}

/** Only what went down is told as taken down; the others are casualties. */
function addedText(only: readonly string[], failed: Readonly<Record<string, string>>): { readonly text?: string } {
  const down = only.filter((workload) => failed[workload] === undefined);
  return down.length === 0 ? {} : { text: `Taken down with the sleeping cluster: ${down.join(', ')}` };
}

/** The controller was down over an edge of the schedule: what it starts now makes up for that, and says so. */
export function catchUpAnnouncement(started: Hibernation | Wake): Announcement {
  const { id, startedAt: at, kind } = started;
  const text = `The controller was not running when the schedule asked for a ${kind}; it is made up for now.`;
  return {
    audit: auditEntry({
      id: `${id}-catch-up`,
      at,
      kind: 'catch-up',
      actor: 'controller',
      details: { transition: kind },
    }),
    event: { where: 'default', type: 'Normal', reason: 'CaughtUp', message: text },
    notice: { id: `${id}-catch-up`, key: 'catchUp', at, title: 'Catch-up', colour: 'blue', text },
  };
}

export function wakeAnnouncement(current: Wake, ending: WakeEnding): Announcement {
  const { trigger } = current;
  const failed = ending.result === 'failed';
  const casualties = ending.failed.map(({ sentence }) => sentence);
  const recoveries = ending.recovered.map(({ sentence }) => sentence);
  const { longest } = ending.criticalPath;
  const id = `${current.id}-ended`;
  return {
    audit: auditEntry({
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
        up: ending.up.length,
        still_starting: ending.stillStarting.map((one) => `${one.workload}: ${one.cause}`),
        ...(longest === undefined ? {} : { critical_tier: longest.tier }),
        ...(longest?.heldBy === undefined ? {} : { critical_path: longest.heldBy.name }),
      },
    }),
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
      colour: ending.colour,
      facts: [
        { name: 'Initiated by', value: trigger.actor },
        { name: 'Duration', value: formatDuration(ending.endedAt - ending.startedAt) },
      ],
      casualties,
      recoveries,
      alsoHigh: ending.escalated,
    },
  };
}

function counted(workloads: number): string {
  return `${workloads} workload${workloads === 1 ? '' : 's'}`;
}
