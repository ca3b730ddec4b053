import type { DatabaseObservation } from '../domain/wake/observation.ts';
import { type DatabaseStates, databaseStates } from '../state/database-states.ts';
import { set } from '../state/snapshot.ts';
import { type LookAt, now, type PassContext } from './pass-context.ts';

/** The cloud tells nobody when a database has stopped or started: it has to be asked. */
const askAgainMs = 15_000;

export interface StopProgress {
  /** Names of databases that are not down yet. */
  readonly stopping: readonly string[];
  readonly lookAt: LookAt;
}

/** Stops what is available, recorded as stopped by us before the call: a crash in between starts it again, no more. */
export async function stopDatabases(context: PassContext, names: readonly string[]): Promise<StopProgress> {
  const stopping: string[] = [];
  for (const name of names) {
    if (context.signal.aborted) break;
    const reading = await context.ports.databases.read(name);
    const ours = context.session.get(databaseStates).get(name)?.stoppedByUs ?? false;
    if (reading.condition === 'available') {
      await remember(context, name, { status: 'stopping', stoppedByUs: true });
      const stopped = await context.ports.databases.stop(name);
      if (stopped.outcome === 'refused') {
        context.ports.logger.warn('A database could not be stopped', { database: name, error: stopped.message });
        await forget(context, name);
      } else stopping.push(name);
    } else if (reading.condition === 'stopping' || (ours && reading.condition === 'starting')) {
      stopping.push(name);
    } else if (reading.condition === 'stopped' && ours) {
      await remember(context, name, { status: 'stopped', stoppedByUs: true });
    }
  }
  return { stopping, lookAt: stopping.length === 0 ? undefined : now(context) + askAgainMs };
}

/** Names of the databases that we stopped, in the order of the configuration, then those it no longer names. */
export function stoppedByUs(context: PassContext): readonly string[] {
  const states = context.session.get(databaseStates);
  return [...states].filter(([, state]) => state.stoppedByUs).map(([name]) => name);
}

export interface StartProgress {
  readonly observations: readonly DatabaseObservation[];
  readonly lookAt: LookAt;
}

/** Starts what we stopped; the record goes only once the database has been seen available. */
export async function startDatabases(context: PassContext, names: readonly string[]): Promise<StartProgress> {
  const observations: DatabaseObservation[] = [];
  for (const name of names) observations.push(await startDatabase(context, name));
  const waiting = observations.some(({ status }) => status === 'starting');
  return { observations, lookAt: waiting ? now(context) + askAgainMs : undefined };
}

async function startDatabase(context: PassContext, name: string): Promise<DatabaseObservation> {
  const { databases, logger } = context.ports;
  const ours = context.session.get(databaseStates).get(name)?.stoppedByUs ?? false;
  if (!ours) return { name, status: 'available' };
  const reading = await databases.read(name);
  const since = reading.since === undefined ? {} : { since: reading.since };
  if (reading.condition === 'available') {
    await forget(context, name);
    return { name, status: 'available', ...since };
  }
  if (reading.condition === 'failed') {
    logger.warn('A database cannot be started', { database: name, error: reading.message });
    return { name, status: 'failed', ...since };
  }
  if (reading.condition === 'stopped') {
    const started = await databases.start(name);
    if (started.outcome === 'refused') {
      logger.warn('A database could not be started', { database: name, error: started.message });
      return { name, status: 'failed' };
    }
  }
  return { name, status: 'starting' };
}

async function remember(
  context: PassContext,
  name: string,
  state: { readonly status: string; readonly stoppedByUs: boolean },
): Promise<void> {
  const states = new Map(context.session.get(databaseStates));
  const known = states.get(name);
  if (known?.status === state.status && known.stoppedByUs === state.stoppedByUs) return;
  states.set(name, { ...state, at: now(context) });
  await context.session.write(set(databaseStates, states));
}

async function forget(context: PassContext, name: string): Promise<void> {
  const states: DatabaseStates = new Map([...context.session.get(databaseStates)].filter(([key]) => key !== name));
  await context.session.write(set(databaseStates, states));
}
