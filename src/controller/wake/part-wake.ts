import { targetText, type WakeTarget } from '../../domain/externalwake/session.ts';
import { actsNamed } from '../../domain/wake/renewal.ts';
import { workloadKey } from '../../domain/workload.ts';
import { phase } from '../../state/phase.ts';
import { resourceStates } from '../../state/resource-states.ts';
import { set } from '../../state/snapshot.ts';
import { restoreAll, restoresOf, servedRecords } from '../act/restore.ts';
import type { Applied } from '../act/scaling.ts';
import { stoppedByUs } from '../beside/database-steps.ts';
import { databasesKeptUp, keptUp } from '../pass/kept-up.ts';
import type { PassContext } from '../pass/pass-context.ts';
import type { Wake } from '../transition.ts';
import { startWakeTransition } from './wake.ts';
import { namedSessions } from './woken-for.ts';

// While the cluster sleeps, other clusters may need some of it: what they name is woken as a whole cluster is, in order
// and with verdicts, and the rest sleeps on.

/** Begins the wake that sessions ask for which have had none yet; undefined when nothing they name is down. */
export async function startPartWake(context: PassContext): Promise<Wake | undefined> {
  const woken = new Set(context.session.getOrEmpty(phase)?.wokenFor ?? []);
  const asking = namedSessions(context).filter(({ id }) => !woken.has(id));
  if (asking.length === 0) return undefined;
  const restores = [...(await restoresOf(context, keptRecords(context))).values()];
  const kept = databasesKeptUp(context);
  const acts = {
    workloadsToRaise: restores.filter(({ act }) => act === 'raise' || act === 'look').length,
    cronJobsToResume: restores.filter(({ act }) => act === 'resume').length,
    databasesToStart: stoppedByUs(context).filter((name) => kept.has(name)).length,
  };
  const because = actsNamed(acts);
  if (because.length === 0) return undefined;
  const clusters = [...new Set(asking.map(({ cluster }) => cluster))].toSorted().join(', ');
  const trigger = { actor: clusters, cause: 'external_wake' } as const;
  return startWakeTransition({ ...context, trigger }, because, { part: uniqueTargets(asking) });
}

/** What their wake left down is tried again, without a wake of its own. */
export async function repairKeptUp(context: PassContext): Promise<Applied['retryAt']> {
  const records = keptRecords(context);
  if (records.length === 0) return undefined;
  const applied = await restoreAll(context, records);
  const served = new Set(servedRecords(records, await restoresOf(context, records)).map(workloadKey));
  if (served.size > 0) {
    const left = context.session.get(resourceStates).filter((record) => !served.has(workloadKey(record)));
    await context.session.write(set(resourceStates, left));
  }
  return applied.retryAt;
}

function keptRecords(context: PassContext) {
  const keys = new Set(keptUp(context).map(workloadKey));
  return context.session.get(resourceStates).filter((record) => keys.has(workloadKey(record)));
}

function uniqueTargets(sessions: readonly { readonly resources: readonly WakeTarget[] }[]): readonly WakeTarget[] {
  return [...new Map(sessions.flatMap(({ resources }) => resources).map((one) => [targetText(one), one])).values()];
}
