import { phase } from '../state/phase.ts';
import { stopDatabases } from './database-steps.ts';
import { handleDrift } from './drift.ts';
import { advanceHibernation, startHibernation } from './hibernate.ts';
import { earliest, type LookAt, now, type PassContext, soonMs } from './pass-context.ts';
import { isHibernation, isWake, transition } from './transition.ts';
import { abandon } from './wake.ts';

/** Takes the cluster down, or looks after it while it sleeps. */
export async function driveDown(context: PassContext, driven: Set<string>): Promise<LookAt> {
  const { session, ports } = context;
  const running = session.get(transition);
  if (isHibernation(running)) {
    driven.add(running.id);
    return advanceHibernation(context, running);
  }
  if (isWake(running)) await abandon(context, running, driven.has(running.id) ? 'superseded' : 'not_observed');
  await ports.view.watchPods(false);
  if (!isWake(running) && session.get(phase)?.phase === 'hibernated') return lookAfter(context, driven);
  const started = await startHibernation(context);
  driven.add(started.id);
  return advanceHibernation(context, started);
}

async function lookAfter(context: PassContext, driven: Set<string>): Promise<LookAt> {
  const { added, again } = await handleDrift(context);
  for (const companion of context.ports.companions) await companion.sleep(context);
  // The cloud restarts a stopped database by itself after seven days.
  const databases = await stopDatabases(context, Object.keys(context.compiled.config.databases));
  const lookAt = earliest(databases.lookAt, again ? now(context) + soonMs : undefined);
  if (added.length === 0) return lookAt;
  const started = await startHibernation({ ...context, trigger: { actor: 'controller', cause: 'drift' } }, added);
  driven.add(started.id);
  return earliest(lookAt, await advanceHibernation(context, started));
}
