import { ownerChangeOf, replicasChanged } from '../../domain/announcement/workloads.ts';
import { isCreatedAgain, recordOfOwners } from '../../domain/drift/decide-drift.ts';
import { recordInWords } from '../../domain/record/in-words.ts';
import { isDownByUs, markOf } from '../../domain/record/mark.ts';
import { canBeGivenBack, recordOf, standsAs, type WorkloadRecord } from '../../domain/record/record.ts';
import { isDown, type Workload, workloadKey } from '../../domain/workload.ts';
import { resourceStates } from '../../state/resource-states.ts';
import { set } from '../../state/snapshot.ts';
import { recordsByKey, withRecords } from '../act/records.ts';
import { type Act, apply, loweringOf } from '../act/scaling.ts';
import { announce } from '../announcements/announce.ts';
import { now, type RequeueAt, soonMs } from '../loop/requeue.ts';
import { type Hibernation, transition } from '../transition/transition.ts';
import type { HibernationStep } from './hibernation-step.ts';
import { whoRaised } from './raised-in-passing.ts';
import { writeRecords } from './write-records.ts';

/** The hibernation as it goes on, when to look again, or what is lowered again. */
export type Raised =
  | { readonly next: Hibernation }
  | { readonly requeueAt: RequeueAt }
  | { readonly again: readonly Act[] };

/** What is up after we had lowered it: its owner's, or raised in passing by what was being quieted, which is lowered again. */
export async function raisedMeanwhile(
  context: HibernationStep,
  current: Hibernation,
  raised: readonly Workload[],
): Promise<Raised> {
  if (raised.length === 0) return { again: [] };
  const { inPassing, byUs, byOthers } = await whoRaised(context, raised);
  // Who raised the rest was not asked any more.
  if (context.signal.aborted) return { requeueAt: now(context) };
  const asBefore = byUs.filter((workload) => context.lowerings.byAnother(workload));
  if (asBefore.length > 0) return { next: current };
  const known = recordsByKey(context.session);
  const up = inPassing.filter((workload) => !isDown(workload));
  // What was under way comes once: whoever raises it after that, under whatever name, is not fought.
  const isSecond = (workload: Workload) =>
    wasLoweredAgain(known.get(workloadKey(workload)), workload) ||
    context.lowerings.times(workload) > 1 ||
    isCreatedAgain(workload, context.lowerings);
  const staysUp = (workload: Workload) => isSecond(workload) || !canBeGivenBack(workload);
  const byOwner = [...byOthers, ...byUs, ...up.filter(staysUp)];
  if (byOwner.length > 0) return { next: await respect(context, current, byOwner) };
  // With the count that was brought, recorded before the act like every other.
  const changed = up.filter((workload) => !isUnderWay(known.get(workloadKey(workload)), workload));
  const records = changed.map((workload): WorkloadRecord => {
    return { ...recordOf(workload, now(context)), provisional: true, tonight: 'lowered again' };
  });
  if (records.length > 0) await writeRecords(context, records);
  // Where this pass's snapshot does not show yet that all of them are down.
  const isUnseen = up.length === 0 && inPassing.length > 0;
  return isUnseen ? { requeueAt: now(context) + soonMs } : { again: up.map(loweringOf) };
}

/** By its record: it was raised in passing before, and was down again since. */
function wasLoweredAgain(record: WorkloadRecord | undefined, { uid }: Workload): boolean {
  return record?.uid === uid && record.tonight === 'lowered again' && record.provisional !== true;
}

function isUnderWay(record: WorkloadRecord | undefined, workload: Workload): boolean {
  return record?.uid === workload.uid && record.tonight === 'lowered again' && standsAs(record, workload);
}

/** Their owner raised them after we had lowered them: the record takes their count and our mark goes; nobody fights. */
async function respect(
  context: HibernationStep,
  current: Hibernation,
  workloads: readonly Workload[],
): Promise<Hibernation> {
  const at = now(context);
  const known = recordsByKey(context.session);
  const records = workloads.map((workload) => recordOfOwners(workload, at));
  const respected = [...current.payload.respected, ...workloads.map(workloadKey)];
  const next: Hibernation = { ...current, payload: { ...current.payload, respected } };
  const edits = [set(resourceStates, withRecords(known, records)), set(transition, next)];
  const sentences = new Map(
    workloads.map((workload) => {
      const record = known.get(workloadKey(workload));
      return ownerChangeOf(workload, record?.uid === workload.uid ? recordInWords(record) : 'asleep');
    }),
  );
  const occasion = context.session.snapshot.resourceVersion ?? '0';
  await announce(context, [replicasChanged([...sentences.values()], { at, occasion })], edits, 'ordinary');
  context.replicaChanges.found(sentences);
  const marked = workloads.filter((workload) => markOf(workload) !== undefined);
  await apply(
    context,
    marked.map((workload) => ({ act: 'disown', workload })),
  );
  for (const workload of workloads) {
    context.logger.warn('A workload was raised by its owner during the hibernation and is left alone', {
      workload: workloadKey(workload),
    });
  }
  return next;
}

/** What was raised in passing and is down again has settled: what raises it from now on is somebody's doing. */
export async function settleLoweredAgain(context: HibernationStep): Promise<void> {
  const settled = context.session.get(resourceStates).flatMap((stored) => {
    if (stored.provisional !== true || stored.tonight !== 'lowered again') return [];
    const { provisional: _, ...settled } = stored;
    const workload = context.snapshot.workload(stored);
    return workload !== undefined && isDownByUs(workload) ? [settled] : [];
  });
  if (settled.length > 0) await writeRecords(context, settled);
}
