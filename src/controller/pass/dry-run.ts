import { goingDownInTheNight } from '../../domain/drift/decide-drift.ts';
import { sleepOrder } from '../../domain/ordering/order.ts';
import { nobodyQuiet, raisedAgain } from '../../domain/targeting/appliers.ts';
import { isDown, type Workload, workloadKey } from '../../domain/workload.ts';
import type { Frame } from '../../ports/sinks.ts';
import { isAsleep, phase } from '../../state/phase.ts';
import { resourceStates } from '../../state/resource-states.ts';
import { recordsByKey } from '../act/records.ts';
import type { Companion, CompanionStep } from '../beside/companion.ts';
import { stoppedByUs } from '../beside/database-steps.ts';
import { databasesKeptUp } from '../snapshot/kept-up.ts';
import { toSleep } from '../snapshot/snapshot.ts';
import { transition } from '../transition/transition.ts';

export interface PlanStep extends CompanionStep {
  readonly companions: readonly Companion[];
}

/** Those that would be stopped, but for what is refused in the cloud, or started again. */
function databasesIn(context: PlanStep): { readonly stop: readonly string[]; readonly start: readonly string[] } {
  const { desired, compiled } = context;
  const kept = databasesKeptUp(context);
  const stopped = stoppedByUs(context);
  if (desired.wanted !== 'hibernated') return { stop: [], start: stopped };
  const stop = Object.keys(compiled.config.databases).filter((name) => !kept.has(name) && !stopped.includes(name));
  return { stop, start: stopped.filter((name) => kept.has(name)) };
}

/** What its owner has at zero already stays as it is, and so does what its owner raised while the cluster sleeps. */
function lowered({ session, snapshot }: PlanStep): readonly Workload[] {
  const up = toSleep(snapshot).filter((workload) => !isDown(workload));
  if (session.getOrEmpty(transition) !== null || !isAsleep(session.getOrEmpty(phase))) return up;
  const records = recordsByKey(session);
  return goingDownInTheNight({ workloads: up, records, raisedAgain: raisedAgain(up, records, nobodyQuiet) });
}

/** What a dry run would do: every decision, in order, and nothing done. */
export async function planFrame(context: PlanStep): Promise<Frame> {
  const { desired, compiled, session, snapshot, logger, companions } = context;
  const { hibernateOrdering } = compiled.config;
  const sleep = sleepOrder(hibernateOrdering, desired.wanted === 'hibernated' ? lowered(context) : []);
  const wake = session.get(resourceStates).filter((record) => snapshot.want(record) === 'up');
  const beside = await Promise.all(companions.map((companion) => companion.plan(context)));
  const plan = {
    wanted: desired.wanted,
    reason: desired.reason.text,
    hibernate: sleep.map((tier) => ({ tier: tier.name, workloads: tier.members.map(workloadKey) })),
    wake: wake.map(workloadKey),
    databases: databasesIn(context),
    askHosts: desired.wanted === 'awake' ? compiled.config.externalDependencies.map(({ cluster }) => cluster) : [],
    ...Object.assign({}, ...beside),
    skipped: snapshot.workloads.flatMap(({ workload, skipped }) =>
      skipped === undefined ? [] : [{ workload: workloadKey(workload), reason: skipped.text }],
    ),
  };
  logger.info('Dry run: nothing is changed', plan);
  return { kind: 'plan', payload: plan };
}
