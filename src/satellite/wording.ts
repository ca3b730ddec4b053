import type { ClusterStatus } from './cluster-status.ts';

/** The service that this satellite stands in for. */
export interface StandIn {
  readonly clusterName: string;
  readonly namespace: string;
  readonly service: string;
  readonly externalUrl: string;
}

export interface Wording {
  readonly title: string;
  /** One sentence of what is the matter, and why. */
  readonly message: string;
  /** When it is expected back; absent when nobody knows. */
  readonly until?: string;
  readonly retryAfterSeconds: number;
}

const shortest = 5;
const longest = 3600;
const unknownWait = 60;

export function wordingOf({ clusterName, namespace, service }: StandIn, status: ClusterStatus, now: number): Wording {
  const what = `${namespace}/${service}`;
  const where = clusterName === '' ? 'Its cluster' : `The cluster ${clusterName}`;
  switch (status.state) {
    case 'waking':
      return {
        title: `${service} is waking up`,
        message: `${where} is waking up, and ${what} with it.${progressText(status)}`,
        retryAfterSeconds: shortest,
      };
    case 'awake':
      return {
        title: `${service} is almost back`,
        message: `${where} is awake; ${what} is being reconnected.`,
        retryAfterSeconds: shortest,
      };
    case 'hibernating':
    case 'hibernated':
      return {
        title: `${service} is asleep`,
        message: `${where} hibernates${status.nextChangeAt === undefined ? '' : ' outside its working hours'}, and ${what} with it.`,
        ...untilOf(status, now),
        retryAfterSeconds: waitFor(status, now),
      };
    case 'unknown':
      return {
        title: `${service} is asleep`,
        message: `${where} hibernates, and ${what} with it. When it wakes is not known at the moment.`,
        retryAfterSeconds: unknownWait,
      };
  }
}

function progressText({ progress }: ClusterStatus): string {
  return progress === undefined ? '' : ` ${progress.up} of ${progress.total} workloads are up.`;
}

function waitFor({ nextChangeAt }: ClusterStatus, now: number): number {
  if (nextChangeAt === undefined) return unknownWait;
  return Math.min(longest, Math.max(shortest, Math.ceil((nextChangeAt - now) / 1000)));
}

function untilOf({ nextChangeAt, timezone }: ClusterStatus, now: number): { readonly until?: string } {
  if (nextChangeAt === undefined || nextChangeAt <= now) return {};
  // Not by `Intl`, whose tables would cost every satellite eight megabytes.
  const at = Temporal.Instant.fromEpochMilliseconds(nextChangeAt).toZonedDateTimeISO(timezone);
  const day = `${weekdays[at.dayOfWeek - 1]} ${at.day} ${months[at.month - 1]}`;
  return { until: `${day} at ${twoDigits(at.hour)}:${twoDigits(at.minute)} (${timezone})` };
}

const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const;
const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const;

function twoDigits(number: number): string {
  return String(number).padStart(2, '0');
}
