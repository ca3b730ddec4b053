import type { WorkloadRecord } from '../../domain/record/record.ts';
import { resourceStates } from '../../state/resource-states.ts';
import { set } from '../../state/snapshot.ts';
import { recordsByKey, withRecords } from '../act/records.ts';
import type { HibernationStep } from './hibernation-step.ts';

/** One write for all of them, before anything of it is touched. */
export async function writeRecords(context: HibernationStep, records: readonly WorkloadRecord[]): Promise<void> {
  const edit = set(resourceStates, withRecords(recordsByKey(context.session), records));
  await context.session.writeOutsideReserve(edit, ...context.life.count(context.session));
}
