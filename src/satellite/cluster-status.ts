/** What the page says of the cluster, as the API's public status has it. */
export interface ClusterStatus {
  readonly state: 'awake' | 'hibernated' | 'waking' | 'hibernating' | 'unknown';
  readonly timezone: string;
  /** Epoch milliseconds: when the cluster is expected to wake. */
  readonly nextChangeAt?: number;
  readonly progress?: { readonly up: number; readonly total: number };
}

export const unknownStatus: ClusterStatus = { state: 'unknown', timezone: 'UTC' };

const states = new Set(['awake', 'hibernated', 'waking', 'hibernating']);

/** Reads an answer of `GET /api/v1/public/hibernation-status`; whatever is not as expected is left out. */
export function readStatus(json: unknown): ClusterStatus {
  if (typeof json !== 'object' || json === null) return unknownStatus;
  const { state, timezone, nextChangeAt, progress } = json as Record<string, unknown>;
  const at = typeof nextChangeAt === 'string' ? Date.parse(nextChangeAt) : Number.NaN;
  const counts = readProgress(progress);
  return {
    state: typeof state === 'string' && states.has(state) ? (state as ClusterStatus['state']) : 'unknown',
    timezone: isTimezone(timezone) ? timezone : 'UTC',
    ...(Number.isNaN(at) ? {} : { nextChangeAt: at }),
    ...(counts === undefined ? {} : { progress: counts }),
  };
}

function readProgress(value: unknown): ClusterStatus['progress'] {
  if (typeof value !== 'object' || value === null) return undefined;
  const { up, total } = value as Record<string, unknown>;
  return isCount(up) && isCount(total) && up <= total ? { up, total } : undefined;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function isTimezone(value: unknown): value is string {
  if (typeof value !== 'string' || value.length > 64) return false;
  try {
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(value);
    return true;
  } catch {
    return false;
  }
}
