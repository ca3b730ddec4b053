import { fieldManager } from '../names.ts';
import { recordInWords } from '../record/in-words.ts';
import { nobody, ownMark, setBy } from '../record/mark.ts';
import { canBeGivenBack, recordOf, standsAs, type WorkloadRecord } from '../record/record.ts';
import { isRaisedInPassing } from '../targeting/appliers.ts';
import { type EpochMs, isDown, type Workload, type WorkloadRef, workloadKey } from '../workload.ts';

export interface DriftInput {
  /** What is ours and should be down. */
  readonly workloads: readonly Workload[];
  /** By workload key: the records of what should be down. */
  readonly records: ReadonlyMap<string, WorkloadRecord>;
  readonly now: EpochMs;
  /** By workload key: the names under which those write that apply it and that we have quieted. */
  readonly quieted: ReadonlyMap<string, readonly string[]>;
  /** By workload key: what an owner has resumed applies it, and would raise it again at once. */
  readonly raisedAgain: ReadonlySet<string>;
  /** What we have taken down in this night, as far as it is known. */
  readonly lowerings: KnownLowerings;
}

/** How often a workload was taken down: this very object, and whatever had its name. */
export interface KnownLowerings {
  times(workload: Workload): number;
  timesByName(workload: Workload): number;
  /** Whether a raise of it was sent that nobody has answered. */
  mayBeRaisedLate(workload: Workload): boolean;
}

export const noLowerings: KnownLowerings = { times: () => 0, timesByName: () => 0, mayBeRaisedLate: () => false };

/** What is created anew, or is up again under our own name, each time that it is taken down stays up from then on: somebody wants it so. */
const mostTimes = 3;

/** Whether a workload that is up without our mark is so by its owner's doing: put back whole, or created anew again and again. */
export function isLoweredEnough(workload: Workload, lowerings: KnownLowerings): boolean {
  return lowerings.times(workload) > 0 || isCreatedAgain(workload, lowerings);
}

export function isCreatedAgain(workload: Workload, lowerings: KnownLowerings): boolean {
  return lowerings.timesByName(workload) >= mostTimes;
}

/** What changed under a hibernated cluster, and what is to be done about it. */
export type Drift =
  /** Created, or come into scope, while the cluster sleeps: recorded and taken down like the rest. */
  | { readonly kind: 'added'; readonly workload: Workload; readonly record: WorkloadRecord }
  /** Its owner scaled (or resumed) it: it keeps what its owner gave it until the next wake. */
  | {
      readonly kind: 'changed-by-owner';
      readonly workload: Workload;
      readonly record: WorkloadRecord;
      readonly before: string;
    }
  /** Raised by its owner, noted and told already: only our mark is still to go. */
  | { readonly kind: 'marked'; readonly workload: Workload }
  /**
   * Recorded, and up because the cluster would not let us lower it, or because what applies it was under way when we quieted
   * it: tried again, recorded anew first if its count changed.
   */
  | { readonly kind: 'not-lowered'; readonly workload: Workload; readonly record?: WorkloadRecord }
  /** One of those, and down now: its record is as good as any. */
  | { readonly kind: 'lowered-late'; readonly workload: Workload; readonly record: WorkloadRecord }
  /** Down without our mark, and the cache cannot tell whose doing that is: a fresh read can. */
  | { readonly kind: 'read-first'; readonly workload: Workload }
  /** The object is gone, or another one has its name: the record goes too. */
  | { readonly kind: 'removed'; readonly ref: WorkloadRef };

/**
 * Compares a hibernated cluster with its records. Only called while no transition runs, so a workload that has a record and
 * is up was raised by its owner, and is not one that we have yet to scale down.
 */
export function decideDrift(input: DriftInput): readonly Drift[] {
  const { workloads, records, quieted, raisedAgain, lowerings } = input;
  const present = new Set<string>();
  const found: Drift[] = [];
  for (const workload of workloads) {
    const key = workloadKey(workload);
    present.add(key);
    if (workload.deleting) continue;
    const stored = records.get(key);
    const record = stored?.uid === workload.uid ? stored : undefined;
    const drift = driftOf(workload, record, input);
    if (drift === undefined || staysUp(drift, raisedAgain) || isBeyondRecording(drift)) continue;
    const passing =
      drift.kind === 'changed-by-owner' && !raisedAgain.has(key) && isRaisedInPassing(workload, quieted.get(key));
    const goesDown = passing && isFirstTime(workload, lowerings) && canBeGivenBack(workload);
    found.push(goesDown ? afterPassing(drift, record) : drift);
  }
  for (const [key, ref] of records) if (!present.has(key)) found.push({ kind: 'removed', ref });
  return found;
}

/** What was under way comes once. */
function isFirstTime(workload: Workload, lowerings: KnownLowerings): boolean {
  return lowerings.times(workload) < 2 && !isCreatedAgain(workload, lowerings);
}

type ChangedByOwner = Extract<Drift, { kind: 'changed-by-owner' }>;

/**
 * Lowered again once a night: what was under way comes once, and whoever raises it after that, under whatever name, is not fought.
 */
function afterPassing(drift: ChangedByOwner, stored: WorkloadRecord | undefined): Drift {
  const { workload } = drift;
  const isUnderWay = stored?.provisional === true;
  if (isUnderWay && standsAs(stored, workload)) return { kind: 'not-lowered', workload };
  if (stored?.tonight !== undefined && !isUnderWay) return drift;
  return { kind: 'not-lowered', workload, record: { ...drift.record, provisional: true, tonight: 'lowered again' } };
}

/**
 * Came in the night, or would not go down in the evening, and whoever resumed what applies it wants it up: lowered, it would be raised again
 * within minutes.
 */
function staysUp(drift: Drift, raisedAgain: ReadonlySet<string>): boolean {
  if (drift.kind !== 'added' && drift.kind !== 'not-lowered') return false;
  return !isDown(drift.workload) && raisedAgain.has(workloadKey(drift.workload));
}

/** More, or longer, than what could be given back: a hibernation leaves it too. */
function isBeyondRecording(drift: Drift): boolean {
  if (drift.kind !== 'added' && drift.kind !== 'not-lowered') return false;
  return !isDown(drift.workload) && !canBeGivenBack(drift.workload);
}

/**
 * What a cluster that sleeps takes down all the same: it came in the night, or would not go down in the evening. What its owner
 * raised stays up until the next wake, and so does what would be raised again.
 */
export function goingDownInTheNight(
  input: Pick<DriftInput, 'workloads' | 'records' | 'raisedAgain'>,
): readonly Workload[] {
  // Who wrote in passing tells only what becomes of a record.
  const drifts = decideDrift({ ...input, now: 0, quieted: new Map(), lowerings: noLowerings });
  return drifts
    .filter((drift) => drift.kind === 'added' || drift.kind === 'not-lowered')
    .map(({ workload }) => workload)
    .filter((workload) => !isDown(workload));
}

type AtNight = Pick<DriftInput, 'now' | 'lowerings'>;

function driftOf(workload: Workload, record: WorkloadRecord | undefined, night: AtNight): Drift | undefined {
  const { now } = night;
  if (record === undefined) return driftOfNew(workload, night);
  const down = isDown(workload);
  const late = record.provisional === true ? driftOfProvisional(workload, record, night) : undefined;
  if (late !== undefined) return late;
  if (ownMark(workload, true) !== undefined) {
    if (down) return undefined;
    return raisedByOwner(workload, record) ? { kind: 'marked', workload } : changedByOwner(workload, record, now);
  }
  if (standsAs(record, workload)) return down ? undefined : driftOfRestored(workload, record, night);
  if (down) return driftOfUnmarkedZero(workload, record, now);
  return changedByOwner(workload, record, now);
}

/** Up as it was before, with no mark: its owner put it back whole, or a raise of ours arrived after the wake that it was for. */
function driftOfRestored(workload: Workload, record: WorkloadRecord, night: AtNight): Drift | undefined {
  if (raisedByOwner(workload, record)) return undefined;
  const setter = setBy(workload);
  if (setter === undefined) return { kind: 'read-first', workload };
  // Where awake means that nothing stands there, nobody has set it: then it counts whether anything of ours could still arrive.
  const isOurs =
    (setter === fieldManager && night.lowerings.times(workload) < mostTimes) ||
    (setter === nobody && night.lowerings.mayBeRaisedLate(workload));
  return isOurs ? { kind: 'not-lowered', workload } : changedByOwner(workload, record, night.now);
}

function driftOfNew(workload: Workload, { now, lowerings }: AtNight): Drift {
  if (isDown(workload) || !isCreatedAgain(workload, lowerings)) {
    return { kind: 'added', workload, record: recordOf(workload, now) };
  }
  return { kind: 'changed-by-owner', workload, record: recordOfOwners(workload, now), before: 'asleep' };
}

/** Of a workload that the cluster did not let us lower: undefined where mark and level say that somebody else acted. */
function driftOfProvisional(
  workload: Workload,
  record: WorkloadRecord,
  { now, lowerings }: AtNight,
): Drift | undefined {
  const { provisional: _, ...settled } = record;
  const [down, marked] = [isDown(workload), ownMark(workload, true) !== undefined];
  if (down && marked) return { kind: 'lowered-late', workload, record: settled };
  if (down || marked) return undefined;
  // It went down after all, and somebody put it back whole: another one of us is nobody.
  if (lowerings.times(workload) > 0 && setBy(workload) !== fieldManager) return changedByOwner(workload, record, now);
  if (standsAs(record, workload)) return { kind: 'not-lowered', workload };
  const again = record.tonight === undefined ? {} : { tonight: record.tonight };
  return { kind: 'not-lowered', workload, record: { ...recordOf(workload, now), provisional: true, ...again } };
}

/** Some tools strip annotations they do not know: a zero that our field manager set is still ours, and keeps its count. */
function driftOfUnmarkedZero(workload: Workload, record: WorkloadRecord, now: EpochMs): Drift | undefined {
  const owner = setBy(workload);
  if (owner === undefined) return { kind: 'read-first', workload };
  return owner === fieldManager ? undefined : changedByOwner(workload, record, now);
}

function changedByOwner(workload: Workload, record: WorkloadRecord, now: EpochMs): Drift {
  return { kind: 'changed-by-owner', workload, record: recordOfOwners(workload, now), before: recordInWords(record) };
}

/** Of what its owner gave another level in the night. */
export function recordOfOwners(workload: Workload, now: EpochMs): WorkloadRecord {
  const record = recordOf(workload, now);
  return isDown(workload) ? record : { ...record, tonight: 'raised' };
}

/** Its owner raised it in the night, and that is noted and told. */
export function raisedByOwner(workload: Workload, record: WorkloadRecord): boolean {
  if (isDown(workload) || record.uid !== workload.uid) return false;
  return record.provisional !== true && record.tonight === 'raised' && standsAs(record, workload);
}
