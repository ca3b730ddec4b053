import { assignTiers } from '../../domain/ordering/ordering.ts';
import { workloadKey } from '../../domain/workload.ts';
import type { Frame } from '../../ports/records.ts';
import { resourceStates } from '../../state/resource-states.ts';
import { lookAround, type PassContext } from './pass-context.ts';
import { toSleep } from './snapshot.ts';

/** What a dry run would do: every decision, in order, and nothing done. */
export function planFrame(context: PassContext): Frame {
  const { desired, compiled, session, ports } = context;
  const situation = lookAround(context);
  const { hibernateOrdering } = compiled.config;
  const sleep = desired.wanted === 'hibernated' ? assignTiers(hibernateOrdering, toSleep(situation), 'hibernate') : [];
  const wake = session.get(resourceStates).filter((record) => situation.want(record) === 'up');
  const plan = {
    wanted: desired.wanted,
    reason: desired.reason.text,
    hibernate: sleep.map((tier) => ({ tier: tier.name, workloads: tier.members.map(workloadKey) })),
    wake: wake.map(workloadKey),
    skipped: situation.workloads.flatMap(({ workload, skipped }) =>
      skipped === undefined ? [] : [{ workload: workloadKey(workload), reason: skipped.text }],
    ),
  };
  ports.logger.info('Dry run: nothing is changed', plan);
  return { kind: 'plan', payload: plan };
}
