import type { Config } from '../../config/config.ts';
import { assignTiers } from '../../domain/ordering/ordering.ts';
import { serviceKey } from '../../domain/redirect/service.ts';
import { workloadKey } from '../../domain/workload.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Frame } from '../../ports/records.ts';
import { resourceStates } from '../../state/resource-states.ts';
import type { StateSession } from '../../state/session/state-session.ts';
import { stoppedByUs } from '../beside/database-steps.ts';
import { databasesKeptUp, type KeptUp } from './kept-up.ts';
import { toSleep } from './snapshot.ts';

export interface PlanStep extends KeptUp {
  readonly logger: Logger;
  readonly session: StateSession;
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

function redirectedIn({ serviceRedirection: { enabled, services } }: Config): readonly string[] {
  return enabled ? services.map(serviceKey) : [];
}

/** What a dry run would do: every decision, in order, and nothing done. */
export function planFrame(context: PlanStep): Frame {
  const { desired, compiled, session, snapshot, logger } = context;
  const { hibernateOrdering } = compiled.config;
  const sleep = desired.wanted === 'hibernated' ? assignTiers(hibernateOrdering, toSleep(snapshot), 'hibernate') : [];
  const wake = session.get(resourceStates).filter((record) => snapshot.want(record) === 'up');
  const plan = {
    wanted: desired.wanted,
    reason: desired.reason.text,
    hibernate: sleep.map((tier) => ({ tier: tier.name, workloads: tier.members.map(workloadKey) })),
    wake: wake.map(workloadKey),
    databases: databasesIn(context),
    redirect: desired.wanted === 'hibernated' ? redirectedIn(compiled.config) : [],
    askHosts: desired.wanted === 'awake' ? compiled.config.externalDependencies.map(({ cluster }) => cluster) : [],
    skipped: snapshot.workloads.flatMap(({ workload, skipped }) =>
      skipped === undefined ? [] : [{ workload: workloadKey(workload), reason: skipped.text }],
    ),
  };
  logger.info('Dry run: nothing is changed', plan);
  return { kind: 'plan', payload: plan };
}
