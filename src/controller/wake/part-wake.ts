import { wakeWidened } from '../../domain/announcement/wake.ts';
import { targetText, type WakeTarget } from '../../domain/externalwake/session.ts';
import { actsNamed } from '../../domain/wake/renewal.ts';
import { workloadKey } from '../../domain/workload.ts';
import { phase } from '../../state/phase.ts';
import { resourceStates } from '../../state/resource-states.ts';
import { set } from '../../state/snapshot.ts';
import { withoutRecords } from '../act/records.ts';
import { actsOf, restoresOf, servedRecords } from '../act/restore.ts';
import { type Applied, apply } from '../act/scaling.ts';
import { announce } from '../announcements/announce.ts';
import { stoppedByUs } from '../beside/database-steps.ts';
import { now } from '../loop/requeue.ts';
import { databasesKeptUp, keptUp } from '../snapshot/kept-up.ts';
import { isWake, transition, type Wake } from '../transition/transition.ts';
import { isAwake } from './course/awake-phase.ts';
import { replanPartWake, startWakeTransition } from './course/start-wake.ts';
import { isOwners } from './course/wake-members.ts';
import { namedSessions } from './course/woken-for.ts';
import type { WakeStep } from './wake-step.ts';

// While the cluster sleeps, other clusters may need some of it: what they name is woken as a whole cluster is, in order
// and with verdicts, and the rest sleeps on.

/** Begins a wake for the sessions that have had none yet; undefined when nothing that they name is down. */
export async function startPartWake(context: WakeStep): Promise<Wake | undefined> {
  const woken = new Set(context.session.getOrEmpty(phase)?.wokenFor ?? []);
  const asking = namedSessions(context).filter(({ id }) => !woken.has(id));
  if (asking.length === 0) return undefined;
  const restores = [...(await restoresOf(context, keptRecords(context))).values()];
  const kept = databasesKeptUp(context);
  const acts = {
    workloadsToRaise: restores.filter(({ act }) => act === 'raise' || act === 'read-first').length,
    toResume: restores.flatMap((restore) => (restore.act === 'resume' ? [restore.workload.kind] : [])),
    databasesToStart: stoppedByUs(context).filter((name) => kept.has(name)).length,
  };
  const because = actsNamed(acts);
  if (because.length === 0) return undefined;
  const clusters = [...new Set(asking.map(({ cluster }) => cluster))].toSorted().join(', ');
  const trigger = { actor: clusters, cause: 'external_wake' } as const;
  return startWakeTransition({ ...context, trigger }, because, { part: uniqueTargets(asking) });
}

/** A session that comes while such a wake runs does not wait for verdicts about what others named: the wake takes it in. */
export async function joinPartWake(context: WakeStep, running: Wake): Promise<Wake> {
  const known = new Set((running.payload.part ?? []).map(targetText));
  const woken = new Set(context.session.getOrEmpty(phase)?.wokenFor ?? []);
  const asking = namedSessions(context).filter(({ id }) => !woken.has(id));
  const fresh = uniqueTargets(asking).filter((target) => !known.has(targetText(target)));
  if (fresh.length === 0) return running;
  const clusters = [...new Set([...running.trigger.actor.split(', '), ...asking.map(({ cluster }) => cluster)])];
  const trigger = { ...running.trigger, actor: clusters.toSorted().join(', ') };
  return replanPartWake(context, { ...running, trigger }, [...(running.payload.part ?? []), ...fresh]);
}

/** Raises again what a wake for other clusters left down, without beginning another wake. */
export async function repairKeptUp(context: WakeStep): Promise<Applied['retryAt']> {
  const records = keptRecords(context);
  if (records.length === 0) return undefined;
  const restores = await restoresOf(context, records);
  const applied = await apply(context, actsOf(restores.values()));
  const served = new Set(
    servedRecords(records, restores)
      .filter((record) => !isOwners(record))
      .map(workloadKey),
  );
  if (served.size > 0) {
    const { session } = context;
    await session.write(set(resourceStates, withoutRecords(session.get(resourceStates), served)));
  }
  return applied.retryAt;
}

function keptRecords(context: WakeStep) {
  const keys = new Set(keptUp(context).map(workloadKey));
  return context.session.get(resourceStates).filter((record) => keys.has(workloadKey(record)));
}

function uniqueTargets(sessions: readonly { readonly resources: readonly WakeTarget[] }[]): readonly WakeTarget[] {
  return [...new Map(sessions.flatMap(({ resources }) => resources).map((one) => [targetText(one), one])).values()];
}

/** A wake of what another cluster named is overtaken by the one of everything: that one has the verdicts on all of it. */
export async function widenPartWake(context: WakeStep): Promise<void> {
  const { session, logger } = context;
  const running = session.get(transition);
  if (!isWake(running) || running.payload.part === undefined) return;
  // What is tried again stands beside a cluster that is awake already.
  if (running.payload.retry === true && isAwake(context)) return;
  await announce(context, [wakeWidened(running, now(context))], [set(transition, null)]);
  logger.info('The wake of what other clusters need goes on as one of the whole cluster', { id: running.id });
}
