import { assignTiers, type LabelledRef, type Tier } from '../../domain/ordering/ordering.ts';
import type { WorkloadRecord } from '../../domain/record/record.ts';
import type { WakeState } from '../../domain/wake/wake-state.ts';
import { workloadKey } from '../../domain/workload.ts';
import { resourceStates } from '../../state/resource-states.ts';
import { stoppedByUs } from '../beside/database-steps.ts';
import { lookAround, type PassContext } from '../pass/pass-context.ts';
import type { Wake } from '../transition.ts';

/** A record that this wake is about: its workload and where it stands in the wake order. */
export interface Member extends LabelledRef {
  readonly record: WorkloadRecord;
}

/** Everything recorded that is wanted up; records of workloads that are gone are there too, to be dropped at the end. */
export function members(context: PassContext): readonly Member[] {
  const { want } = lookAround(context);
  return asMembers(
    context,
    context.session.get(resourceStates).filter((record) => want(record) === 'up'),
  );
}

export function asMembers({ ports }: PassContext, records: readonly WorkloadRecord[]): readonly Member[] {
  return records.map((record) => {
    const { kind, namespace, name } = record;
    return { kind, namespace, name, labels: ports.view.workload(record)?.labels ?? {}, record };
  });
}

export function wakeTiers(context: PassContext, all: readonly Member[]): readonly Tier<Member>[] {
  return assignTiers(context.compiled.config.wakeOrdering, all, 'wake', stoppedByUs(context));
}

/** The tier of each member, as the wake began with: one that the configuration has moved since goes to the last. */
export function tierIndexes(
  context: PassContext,
  wake: WakeState,
  all: readonly Member[],
): ReadonlyMap<string, number> {
  const indexes = new Map<string, number>();
  for (const tier of wakeTiers(context, all)) {
    const index = wake.tiers.findIndex(({ name }) => name === tier.name);
    for (const member of tier.members) indexes.set(workloadKey(member), index < 0 ? wake.tiers.length - 1 : index);
  }
  return indexes;
}

export function startedMembers(context: PassContext, current: Wake, all: readonly Member[]): readonly Member[] {
  const { wake } = current.payload;
  const indexes = tierIndexes(context, wake, all);
  return all.filter((member) => wake.tiers[indexes.get(workloadKey(member)) ?? 0]?.startedAt !== undefined);
}
