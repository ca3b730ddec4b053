import type { Announcement } from '../../domain/announcement/announcement.ts';
import { databaseWillNotFollow } from '../../domain/announcement/conditions.ts';
import {
  databaseRespected,
  databaseStarted,
  databaseStopped,
  databaseStoppedAgain,
  stoppedDatabaseGone,
} from '../../domain/announcement/database.ts';
import type { Trigger } from '../../domain/announcement/hibernation.ts';
import { type DatabaseAddress, isSameDatabase, recordedAddress } from '../../domain/database/address.ts';
import {
  busyStatus,
  decideStop,
  isLongBusy,
  isWaitOver,
  onItsWayStatus,
  ownersStatus,
  refusedStatus,
  stopPauseMs,
  unreadableStatus,
  wayPauseMs,
} from '../../domain/database/decide-stop.ts';
import type { Notice } from '../../domain/notification/notice.ts';
import type { DatabaseObservation } from '../../domain/wake/verdict/observation.ts';
import type { EpochMs } from '../../domain/workload.ts';
import type { Clock } from '../../ports/clock.ts';
import type { DatabaseReading, Databases } from '../../ports/databases.ts';
import type { CompiledConfig } from '../../service/compiled-config.ts';
import { type DatabaseState, type DatabaseStates, databaseStates } from '../../state/database-states.ts';
import type { Room } from '../../state/session/plan-write.ts';
import { type StateEdit, set } from '../../state/snapshot.ts';
import type { ActBackoff } from '../act/act-backoff.ts';
import type { Fence } from '../act/fence.ts';
import { type Announcing, announce } from '../announcements/announce.ts';
import { earliest, now, type RequeueAt, soonMs } from '../loop/requeue.ts';
import type { PassConditions } from '../notifications/pass-conditions.ts';
import { isHibernation, transition } from '../transition/transition.ts';

/** The cloud tells nobody when a database has stopped or started: it has to be asked. */
const askAgainMs = 15_000;
/** What cannot be read or started now is tried again this late: hammering a cloud that says no helps nobody. */
const troubledMs = 60_000;
/** So long a database that was told to stop may be shown as it was: a call is given up after half of that. */
const stopShowsMs = 90_000;

/** What looking after databases needs of a pass. */
export interface DatabaseStep extends Announcing {
  readonly clock: Clock;
  readonly databases: Databases;
  readonly compiled: CompiledConfig;
  readonly trigger: Trigger;
  readonly signal: AbortSignal;
  readonly fence: Fence;
  readonly backoff: ActBackoff;
  readonly conditions: PassConditions;
  /** When each was last told to stop by this process. */
  readonly stopsSent: Map<string, EpochMs>;
}

export interface StopProgress {
  /** Names of databases that are not down yet. */
  readonly stopping: readonly string[];
  readonly requeueAt: RequeueAt;
}

/** Stops what is available, recorded as stopped by us before the call: a crash in between starts it again, no more. */
export async function stopDatabases(context: DatabaseStep, names: readonly string[]): Promise<StopProgress> {
  // Which of them we stopped cannot be read, and what is stopped now could not be recorded.
  if (!context.session.read(databaseStates).ok) return { stopping: [], requeueAt: undefined };
  const stopping: string[] = [];
  const requeueTimes: RequeueAt[] = [await handBackRemoved(context)];
  for (const name of names) {
    if (context.signal.aborted) break;
    // Its record is another database's until that one is back.
    if (leftUs(context, name)) continue;
    const wait = context.backoff.waitMs(stopOf(name));
    const state = wait > 0 ? leaveAlone(context, name) : await stopDatabase(context, name);
    if (state === 'stopping') stopping.push(name);
    if (state !== 'settled') requeueTimes.push(now(context) + context.backoff.waitMs(stopOf(name)));
  }
  return { stopping, requeueAt: earliest(...requeueTimes) };
}

type Stopping = 'stopping' | 'busy' | 'settled';

function stopOf(name: string): string {
  return `stop database ${name}`;
}

/** It was not down a moment ago; what was said of it holds. */
function leaveAlone(context: DatabaseStep, name: string): Stopping {
  context.conditions.holdsOn(trouble(context, name, 'is busy'));
  const status = context.session.get(databaseStates).get(name)?.status;
  return status === 'stopping' || status === onItsWayStatus ? 'stopping' : 'busy';
}

/** Put off, and not failed for long: a backup is no trouble that the log repeats every minute. */
function putOff({ backoff }: DatabaseStep, name: string, message: string, retryAfterMs: number): void {
  backoff.ended(stopOf(name));
  backoff.failed(stopOf(name), { kind: 'failed', message, retryAfterMs });
}

/** Written down when it begins, so that a restart does not begin to count anew. True when it begins. */
async function noteWait(context: DatabaseStep, name: string, status: string, since: EpochMs): Promise<boolean> {
  const known = context.session.get(databaseStates).get(name);
  if (known?.stoppedByUs === true || (known?.status === status && known.at === since)) return false;
  await context.session.writeIn('reserve', [stateOf(context, name, { status, stoppedByUs: false, at: since })]);
  return known?.status !== status;
}

/** On its way, down or up. */
async function waitOnItsWay(context: DatabaseStep, name: string, since: EpochMs, condition: string): Promise<Stopping> {
  const at = now(context);
  await noteWait(context, name, onItsWayStatus, since);
  if (isLongBusy(since, at)) context.conditions.holds(trouble(context, name, `has not stopped: it is ${condition}`));
  putOff(context, name, `it is ${condition}`, wayPauseMs(since, at));
  return 'stopping';
}

/** Said in the log when it begins, and as an alert when it takes long; one that we know is down is missed in the morning. */
async function waitForReading(
  context: DatabaseStep,
  name: string,
  since: EpochMs | undefined,
  why: string,
): Promise<Stopping> {
  const at = now(context);
  const known = context.session.get(databaseStates).get(name);
  const begins = since !== undefined && (await noteWait(context, name, unreadableStatus, since));
  const fields = { database: name, error: why };
  if (begins) context.logger.warn('A database cannot be read and is asked for again', fields);
  else context.logger.debug('A database cannot be read and is asked for again', fields);
  if (since !== undefined && isLongBusy(since, at))
    context.conditions.holds(trouble(context, name, `cannot be read, so it is not known to be down: ${why}`));
  putOff(context, name, why, since === undefined ? troubledMs : stopPauseMs(since, at));
  return known?.status === 'stopping' ? 'stopping' : 'busy';
}

/** Asked again at a pace that grows to minutes; said in the log when it begins, and as an alert when it takes long. */
async function waitForBusy(context: DatabaseStep, name: string, since: EpochMs, why: string): Promise<Stopping> {
  const at = now(context);
  const known = context.session.get(databaseStates).get(name);
  if (known?.status !== busyStatus || known.at !== since) {
    const state = { status: busyStatus, stoppedByUs: false, at: since };
    await context.session.writeIn('reserve', [stateOf(context, name, state)]);
    context.logger.info('A database cannot be stopped before the cloud is done with it', { database: name, why });
  }
  if (isLongBusy(since, at)) context.conditions.holds(trouble(context, name, `cannot be stopped yet: ${why}`));
  putOff(context, name, why, stopPauseMs(since, at));
  return 'busy';
}

async function stopDatabase(context: DatabaseStep, name: string): Promise<Stopping> {
  const reading = await context.databases.read(name, undefined);
  const known = context.session.get(databaseStates).get(name);
  const running = context.session.get(transition);
  const whole = isHibernation(running) && running.payload.only === undefined;
  const decision = decideStop({
    condition: reading.condition,
    busy: reading.busy === true,
    now: now(context),
    ...(known === undefined ? {} : { known }),
    ...(whole ? { hibernationStartedAt: running.startedAt } : {}),
  });
  switch (decision.act) {
    case 'stop':
      return requestStop(context, name, decision.reason === 'up' ? [] : [databaseStoppedAgain(lineOf(context, name))]);
    case 'wait':
      return waitOnItsWay(context, name, decision.since, reading.condition);
    case 'wait-busy':
      return waitForBusy(context, name, decision.since, reading.message ?? 'the cloud works on it');
    case 'note-stopped':
      await announceStopped(context, name);
      return 'settled';
    case 'respect':
      await remember(context, name, {
        state: { status: ownersStatus, stoppedByUs: false },
        told: [databaseRespected(lineOf(context, name))],
      });
      return 'settled';
    case 'ask-again':
      return waitForReading(context, name, decision.since, reading.message ?? 'the cloud does not say why');
    case 'leave':
      if (decision.reason === 'refused') context.conditions.holdsOn(trouble(context, name, 'could not be stopped'));
      return 'settled';
  }
}

async function requestStop(context: DatabaseStep, name: string, told: readonly Announcement[]): Promise<Stopping> {
  const before = context.session.get(databaseStates).get(name);
  const state = { status: 'stopping', stoppedByUs: true, ...addressOf(context, name) };
  await remember(context, name, { state, told, room: 'ordinary' });
  // The cloud refuses nothing that comes late, and a process that was paused may hear only now that its record was written.
  context.fence.begin();
  await context.fence.expectHolding(`stop database ${name}`);
  const toldBefore = before !== undefined && mayStillStop(context, name, before);
  context.stopsSent.set(name, now(context));
  const stopped = await context.databases.stop(name);
  // It may well be on its way, and be refused for that.
  if (stopped.outcome === 'refused' && toldBefore) {
    putOff(context, name, stopped.message, stopPauseMs(before.at, now(context)));
    return 'stopping';
  }
  if (stopped.outcome === 'refused') {
    context.logger.warn('A database could not be stopped', { database: name, error: stopped.message });
    await remember(context, name, { state: { status: refusedStatus, stoppedByUs: false } });
    context.conditions.holds(trouble(context, name, `could not be stopped: ${stopped.message}`));
    return 'settled';
  }
  if (stopped.outcome === 'gone') {
    await forget(context, name);
    context.logger.warn('A database no longer exists', { database: name });
    return 'settled';
  }
  const at = now(context);
  const since = before?.status === busyStatus ? before.at : at;
  // It said that it has not begun to stop: nothing was stopped by us.
  if (stopped.outcome === 'conflict') return waitForBusy(context, name, since, 'the cloud is not ready to stop it');
  // The cloud shows it a little later, and may never: it is not told again with every look.
  const toldSince = before?.status === 'stopping' ? before.at : at;
  if (isLongBusy(toldSince, at)) context.conditions.holds(trouble(context, name, 'was told to stop and is still up'));
  putOff(context, name, 'it was told to stop', stopPauseMs(toldSince, at));
  return 'stopping';
}

/** The cluster is awake: what was waited for in the night is as its owner has it. */
export async function forgetWaits(context: Pick<DatabaseStep, 'session' | 'backoff'>): Promise<void> {
  const { session, backoff } = context;
  if (!session.read(databaseStates).ok) return;
  const states = [...session.get(databaseStates)];
  const kept = states.filter(([, state]) => !isWaitOver(state));
  if (kept.length === states.length) return;
  for (const [name] of states) backoff.ended(stopOf(name));
  await session.write(set<DatabaseStates>(databaseStates, new Map(kept)));
}

/** Names of the databases that we stopped, in the order of the state: by name. */
export function stoppedByUs({ session }: Pick<DatabaseStep, 'session'>): readonly string[] {
  const states = session.getOrEmpty(databaseStates);
  return [...states].filter(([, state]) => state.stoppedByUs).map(([name]) => name);
}

export interface StartProgress {
  readonly observations: readonly DatabaseObservation[];
  readonly requeueAt: RequeueAt;
}

/** Starts what we stopped; the record goes only once the database has been seen available. */
export async function startDatabases(context: DatabaseStep, names: readonly string[]): Promise<StartProgress> {
  if (!context.session.read(databaseStates).ok) {
    // The key cannot be decoded, so nobody knows whether we stopped them: `failed` keeps the wake from waiting for them.
    return { observations: names.map((name) => ({ name, status: 'failed' })), requeueAt: undefined };
  }
  const observations: DatabaseObservation[] = [];
  for (const name of names) observations.push(await startDatabase(context, name));
  const starting = observations.some(({ status }) => status === 'starting');
  const failed = observations.some(({ status }) => status === 'failed');
  const wait = starting ? askAgainMs : failed ? troubledMs : undefined;
  return { observations, requeueAt: wait === undefined ? undefined : now(context) + wait };
}

async function startDatabase(context: DatabaseStep, name: string): Promise<DatabaseObservation> {
  const known = context.session.get(databaseStates).get(name);
  if (known?.stoppedByUs !== true) return { name, status: 'available' };
  // The next night begins anew.
  context.backoff.ended(stopOf(name));
  const reading = await context.databases.read(name, known.address);
  const since = reading.since === undefined ? {} : { since: reading.since };
  switch (reading.condition) {
    case 'available':
      if (mayStillStop(context, name, known)) return { name, status: 'starting' };
      // Told to stop and never seen down: it has been up all the time, and nobody started it.
      if (known.status === 'stopping') await forget(context, name);
      else await announceStarted(context, name);
      return { name, status: 'available', ...since };
    case 'failed':
      return { name, status: await handleFailed(context, name, reading), ...since };
    case 'stopped':
      return { name, status: await requestStart(context, name, known.address) };
    case 'unknown':
      context.conditions.holdsOn(trouble(context, name, 'cannot be read'));
      context.logger.warn('A database cannot be read and is asked for again', {
        database: name,
        error: reading.message,
      });
      return { name, status: 'starting' };
    default:
      return { name, status: 'starting' };
  }
}

/** Told a moment ago: the cloud shows it a little later, and carries out late what it has not answered. Without its record nobody would start it. */
function mayStillStop({ clock, stopsSent }: DatabaseStep, name: string, { status, at }: DatabaseState): boolean {
  return status === 'stopping' && clock.now() - Math.max(at, stopsSent.get(name) ?? at) < stopShowsMs;
}

async function requestStart(
  context: DatabaseStep,
  name: string,
  address: DatabaseAddress | undefined,
): Promise<DatabaseObservation['status']> {
  // Noted first: a hibernation that comes in between must not take our own start for its owner's.
  await remember(context, name, { state: { status: 'starting', stoppedByUs: true, ...(address && { address }) } });
  context.fence.begin();
  await context.fence.expectHolding(`start database ${name}`);
  const started = await context.databases.start(name, address);
  if (started.outcome === 'refused') {
    context.logger.warn('A database could not be started', { database: name, error: started.message });
    context.conditions.holds(trouble(context, name, `could not be started: ${started.message}`));
    return 'failed';
  }
  if (started.outcome === 'gone') return handleFailed(context, name, { condition: 'failed', gone: true });
  return 'starting';
}

/** One that was deleted while it was stopped is nobody's to wait for; any other is tried again. */
async function handleFailed(
  context: DatabaseStep,
  name: string,
  reading: DatabaseReading,
): Promise<DatabaseObservation['status']> {
  if (reading.gone === true) {
    await forget(context, name, [stoppedDatabaseGone(lineOf(context, name))]);
    return 'available';
  }
  context.logger.warn('A database cannot be started', { database: name, error: reading.message });
  const why = reading.message ?? 'the cloud does not say why';
  context.conditions.holds(trouble(context, name, `cannot be started: ${why}`));
  return 'failed';
}

/** What left the configuration while we had it stopped goes back to its owner, as a workload does that leaves the scope. */
async function handBackRemoved(context: DatabaseStep): Promise<RequeueAt> {
  const removed = stoppedByUs(context).filter((name) => leftUs(context, name));
  if (removed.length === 0) return undefined;
  const { requeueAt } = await startDatabases(context, removed);
  // Back in the next moment: a name that stands for another database now has that one stopped.
  return requeueAt ?? now(context) + soonMs;
}

/** We stopped it, and its name is gone from the configuration or stands for another database now. */
function leftUs(context: DatabaseStep, name: string): boolean {
  const { databases } = context.compiled.config;
  const known = context.session.get(databaseStates).get(name);
  if (known?.stoppedByUs !== true) return false;
  const entry = Object.hasOwn(databases, name) ? databases[name] : undefined;
  return entry === undefined || (known.address !== undefined && !isSameDatabase(entry, known.address));
}

async function announceStopped(context: DatabaseStep, name: string): Promise<void> {
  const known = context.session.get(databaseStates).get(name);
  if (known?.status === 'stopped') return storeAddress(context, name, known);
  const at = now(context);
  const { actor } = context.trigger;
  const stopped = databaseStopped({ name, actor, at, toldAt: known?.at ?? at });
  await announce(context, [stopped], [stateOf(context, name, { ...known, status: 'stopped', stoppedByUs: true, at })]);
}

/** A version that wrote no address down may have stopped it. */
async function storeAddress(context: DatabaseStep, name: string, known: DatabaseState): Promise<void> {
  if (known.address !== undefined) return;
  await context.session.write(stateOf(context, name, { ...known, ...addressOf(context, name) }));
}

function addressOf(context: DatabaseStep, name: string): { readonly address?: DatabaseAddress } {
  const entry = context.compiled.config.databases[name];
  return entry === undefined ? {} : { address: recordedAddress(entry) };
}

async function announceStarted(context: DatabaseStep, name: string): Promise<void> {
  const at = now(context);
  const { actor } = context.trigger;
  const toldAt = context.session.get(databaseStates).get(name)?.at ?? at;
  await announce(context, [databaseStarted({ name, actor, at, toldAt })], [stateOf(context, name, undefined)]);
}

/** A condition that holds until the database does what it is told, or nothing is wanted of it any more. */
function trouble(context: DatabaseStep, name: string, problem: string): Notice {
  return databaseWillNotFollow(name, problem, now(context));
}

interface Remembered {
  readonly state: Omit<DatabaseState, 'at'>;
  /** What is told of it, once it is written. */
  readonly told?: readonly Announcement[];
  readonly room?: Room;
}

async function remember(
  context: DatabaseStep,
  name: string,
  { state, told = [], room = 'reserve' }: Remembered,
): Promise<void> {
  const known = context.session.get(databaseStates).get(name);
  if (known?.status === state.status && known.stoppedByUs === state.stoppedByUs) return;
  await announce(context, told, [stateOf(context, name, { ...state, at: now(context) })], room);
}

async function forget(context: DatabaseStep, name: string, told: readonly Announcement[] = []): Promise<void> {
  await announce(context, told, [stateOf(context, name, undefined)]);
}

/** For a line of the log: by when the database was last told something, the same after a crash. */
function lineOf(context: DatabaseStep, name: string) {
  const at = now(context);
  return { name, at, toldAt: context.session.get(databaseStates).get(name)?.at ?? at };
}

function stateOf(context: DatabaseStep, name: string, state: DatabaseState | undefined): StateEdit {
  const states = new Map(context.session.get(databaseStates));
  if (state === undefined) states.delete(name);
  else states.set(name, state);
  return set<DatabaseStates>(databaseStates, states);
}
