import type { Status } from '../data/queries.ts';
import { downByOwners } from '../overview/counts.ts';
import { counted } from '../parts/time-text.ts';

export type ActName = 'wake' | 'keep-awake' | 'hibernate' | 'resume' | 'stand-down' | 'end-stand-down';

/** Whether an act can be done now, and why not. */
export type Availability = { readonly enabled: true } | { readonly enabled: false; readonly why: string };

const can: Availability = { enabled: true };
const cannot = (why: string): Availability => ({ enabled: false, why });

interface Situation {
  /** Undefined while the status cannot be read. */
  readonly status: Status | undefined;
  readonly admin: boolean;
}

export function availability(act: ActName, { status, admin }: Situation): Availability {
  if (status === undefined) return cannot('The status cannot be read, so nothing can be decided from here.');
  if (!admin) return cannot('Only an admin may do this.');
  if (act === 'stand-down') return standDownAvailability(status);
  if (act === 'end-stand-down') return can;
  const { standDown, causes, license } = status;
  if (standDown !== null) return cannot(`The service is stood down by ${standDown.actor} and scales nothing.`);
  if (causes.includes('license')) return cannot(`${license.chip?.text ?? 'Not scaling - unlicensed'}.`);
  if (act === 'hibernate') return hibernateAvailability(status);
  if (act === 'resume' && status.wakeOverride === null && status.manualHibernation === null) {
    return cannot('The schedule decides already.');
  }
  return can;
}

function standDownAvailability({ standDown }: Status): Availability {
  if (standDown?.source === 'admin') return cannot(`${standDown.actor} stood the service down already.`);
  return can;
}

function hibernateAvailability({ state }: Status): Availability {
  if (state === 'hibernated') return cannot('The cluster is hibernated already.');
  if (state === 'hibernating') return cannot('The cluster is going to sleep already.');
  return can;
}

/** The cluster runs and nothing moves: a wake only moves the time until which it stays awake. */
export function onlyRenews({ state, workloads }: Pick<Status, 'state' | 'workloads'>): boolean {
  return state === 'awake' && workloads.hibernated === 0;
}

/** What will change, before anybody confirms it. */
export function consequences(act: ActName, status: Status): readonly string[] {
  const lines = linesOf(act, status);
  const dryRun = 'Dry run is on: no workload is changed. What you ask for is kept, and counts once the dry run ends.';
  return status.dryRun && act !== 'stand-down' && act !== 'end-stand-down' ? [...lines, dryRun] : lines;
}

// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: a table of the acts and their sentences.
function linesOf(act: ActName, status: Status): readonly string[] {
  const { workloads, manualHibernation, wakeOverride } = status;
  const down = counted(workloads.hibernated, 'workload');
  switch (act) {
    case 'wake':
    case 'keep-awake':
      return onlyRenews(status)
        ? ['The cluster already runs: no workload changes, only the time until which it stays awake moves.']
        : [
            `${down} will be brought back to the recorded count, in wake order, and the cluster stays awake until the time below.`,
            ...(manualHibernation === null ? [] : [`The manual hibernation by ${manualHibernation.by} ends.`]),
          ];
    case 'hibernate': {
      return [
        `${counted(workloads.wouldSleep, 'workload')} will be scaled to zero or suspended, in hibernate order; each count is recorded first.`,
        ...downByOwners(workloads.down),
        `${counted(workloads.excluded, 'workload')} will be left alone.`,
        ...(wakeOverride === null ? [] : [`The wake by ${wakeOverride.by} ends.`]),
      ];
    }
    case 'resume':
      return [
        ...(wakeOverride === null ? [] : [`The wake by ${wakeOverride.by} ends.`]),
        ...(manualHibernation === null ? [] : [`The manual hibernation by ${manualHibernation.by} ends.`]),
        ...unactedLines(status),
      ];
    case 'stand-down':
      return [
        `Everything that was scaled down is handed back: ${down}, and the CronJobs, databases, satellites and node-autoscaler protection that belong to it.`,
        'After that the service scales nothing in the whole cluster until the stand-down ends.',
        ...(manualHibernation === null ? [] : [`The manual hibernation by ${manualHibernation.by} is cleared.`]),
      ];
    case 'end-stand-down':
      return status.standDown?.configuration === true
        ? ["The admin's stand-down ends. The configuration still holds one, so nothing is scaled."]
        : status.causes.includes('license')
          ? ['The stand-down ends. The license still keeps the service from scaling, so nothing changes.']
          : ['The service scales again at once.', ...unactedLines(status)];
  }
}

/** What follows when nothing but the schedule and other clusters decide: the case, and how many it is about. */
function unactedLines({ unacted, workloads, state }: Status): readonly string[] {
  const { wouldSleep, hibernated } = workloads;
  if (!unacted.awake) {
    return wouldSleep === 0
      ? [`The schedule then says: ${unacted.text}. Nothing is up that would go to sleep.`]
      : [`The schedule then says: ${unacted.text}.`, `So ${counted(wouldSleep, 'workload')} will go to sleep at once.`];
  }
  const back = state === 'awake' ? 0 : hibernated;
  return [
    `The schedule then says: ${unacted.text}.`,
    back === 0
      ? 'So everything stays as it is now.'
      : `So ${counted(back, 'workload')} will be brought back to the recorded count at once.`,
  ];
}
