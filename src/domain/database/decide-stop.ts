import type { EpochMs } from '../workload.ts';
import type { DatabaseCondition } from './status.ts';

/** What the service last wrote down about a database. */
interface KnownDatabase {
  readonly status: string;
  readonly stoppedByUs: boolean;
  readonly at: EpochMs;
}

/** Our own words in `status`, beside the cloud's. */
export const refusedStatus = 'refused';
export const ownersStatus = 'started by its owner';
export const busyStatus = 'busy';
export const unreadableStatus = 'cannot be read';
export const onItsWayStatus = 'on its way';

const waits: readonly string[] = [busyStatus, unreadableStatus, onItsWayStatus];

/** Of a night that is over: nobody waits for it to be stopped any more. */
export function isWaitOver({ status, stoppedByUs }: Pick<KnownDatabase, 'status' | 'stoppedByUs'>): boolean {
  return !stoppedByUs && waits.includes(status);
}

/** The cloud starts a stopped database after this long, to patch it. */
export const automaticRestartMs = 7 * 24 * 3_600_000;
/** A start this much earlier still counts as the cloud's: it counts from its own moment of stopping. */
const restartLeewayMs = 3_600_000;
/** What the cloud refused is asked again this late: a permission may have been granted. */
const refusalPauseMs = 3_600_000;

export interface StopQuestion {
  readonly condition: DatabaseCondition;
  /** Up, and the cloud works on it. */
  readonly busy?: boolean;
  readonly known?: KnownDatabase;
  readonly now: EpochMs;
  /** When the hibernation of the whole cluster began that runs now; absent while it sleeps already. */
  readonly hibernationStartedAt?: EpochMs;
}

export type StopDecision =
  | { readonly act: 'stop'; readonly reason: 'up' | 'restarted by the cloud' }
  /** On its way to where it can be stopped, or down. `since`: when it was told to stop, or first found so. */
  | { readonly act: 'wait'; readonly since: EpochMs }
  /** The cloud works on it and would refuse; it is asked again at its own pace. `since`: when it was first found so. */
  | { readonly act: 'wait-busy'; readonly since: EpochMs }
  /** Down by our doing: note it. */
  | { readonly act: 'note-stopped' }
  /** Somebody started it in the night: theirs until the next hibernation. */
  | { readonly act: 'respect' }
  /** Its status is unknown: read it again later. Only for one that was told to stop does a tier wait, as long as for any. `since`: absent for one that we know is down. */
  | { readonly act: 'ask-again'; readonly since?: EpochMs }
  | { readonly act: 'leave'; readonly reason: 'refused' | 'owner' | 'failed' };

const shortestPauseMs = 15_000;
const longPauseMs = 5 * 60_000;
const longestPauseMs = 15 * 60_000;
/** What is on its way down is looked at often for so long: the hibernation waits for it. */
const usualStopMs = 15 * 60_000;
/** A backup is over before that; whatever takes longer is worth a word. */
const worthTellingMs = 30 * 60_000;

/** How long to leave a database alone that could not be stopped: the longer it has been so, up to minutes. */
export function stopPauseMs(since: EpochMs, now: EpochMs): number {
  if (isLongBusy(since, now)) return longestPauseMs;
  return Math.min(longPauseMs, Math.max(shortestPauseMs, (now - since) / 2));
}

/** How long to leave a database alone that is on its way. */
export function wayPauseMs(since: EpochMs, now: EpochMs): number {
  return now - since < usualStopMs ? shortestPauseMs : stopPauseMs(since, now);
}

export function isLongBusy(since: EpochMs, now: EpochMs): boolean {
  return now - since >= worthTellingMs;
}

export function decideStop(question: StopQuestion): StopDecision {
  const { condition, known } = question;
  switch (condition) {
    case 'available':
    case 'starting':
      return decideUp(question);
    case 'stopping':
      return { act: 'wait', since: waitsSince(question) };
    case 'stopped':
      return known?.stoppedByUs === true ? { act: 'note-stopped' } : { act: 'leave', reason: 'owner' };
    case 'failed':
      return { act: 'leave', reason: 'failed' };
    case 'unknown':
      return known?.stoppedByUs === true && known.status === 'stopped'
        ? { act: 'ask-again' }
        : { act: 'ask-again', since: waitsSince(question) };
  }
}

/** Since when it has been wanted down and was not, whatever kept it up. */
function waitsSince({ known, now, hibernationStartedAt }: StopQuestion): EpochMs {
  if (known === undefined || (hibernationStartedAt !== undefined && known.at < hibernationStartedAt)) return now;
  return known.status === 'stopping' || waits.includes(known.status) ? known.at : now;
}

function decideUp(question: StopQuestion): StopDecision {
  const { condition, busy, known, now, hibernationStartedAt } = question;
  const newNight = known !== undefined && hibernationStartedAt !== undefined && known.at < hibernationStartedAt;
  if (known?.status === ownersStatus && !newNight) return { act: 'leave', reason: 'owner' };
  if (known?.status === refusedStatus && !newNight && now - known.at < refusalPauseMs) {
    return { act: 'leave', reason: 'refused' };
  }
  const wasDown = known?.stoppedByUs === true && known.status === 'stopped' && !newNight;
  const automatic = wasDown && now - known.at >= automaticRestartMs - restartLeewayMs;
  if (wasDown && !automatic) return { act: 'respect' };
  if (condition === 'starting') return { act: 'wait', since: waitsSince(question) };
  if (busy) return { act: 'wait-busy', since: waitsSince(question) };
  return { act: 'stop', reason: automatic ? 'restarted by the cloud' : 'up' };
}
