import { appliesOthers, builtInRow, kindNames, rowOf, scalesAnother } from '../kinds/kinds.ts';
import { isDownByUs, markOf, setBy } from '../record/mark.ts';
import { isDown, isScalable, type StringMap, type Workload, type WorkloadRef, workloadKey } from '../workload.ts';
import { type Recorded, wentToSleep } from './held-appliers.ts';
import type { SkipReason } from './targeting.ts';

interface Classified {
  readonly workload: Workload;
  readonly skipped?: SkipReason;
}

const appliesNothing: SkipReason = { code: 'applies_nothing', text: 'It applies nothing that sleeps' };
const raisesNothing: SkipReason = { code: 'applies_nothing', text: 'It raises nothing that sleeps from zero' };

/**
 * The same, with what applies other workloads left alone unless one of them is ours to put to sleep: quieting it would stop the
 * deployments of others for a night, and cure nothing. One that is quiet by us stays so until the wake, though what it applied
 * is deleted or left out meanwhile: given back in the night it would bring that back at once, up and in the middle of the night.
 */
export function withoutIdleAppliers<C extends Classified>(classified: readonly C[]): readonly (C | Classified)[] {
  if (!classified.some(({ workload }) => appliesOthers(workload.kind))) return classified;
  const busy = busyAppliers(classified);
  return classified.map((one) => {
    const { workload, skipped } = one;
    const busyNow = busy.has(workloadKey(workload)) || isQuietByUs(workload);
    const idle = skipped === undefined && appliesOthers(workload.kind) && !busyNow;
    return idle ? { workload, skipped: scalesAnother(workload.kind) ? raisesNothing : appliesNothing } : one;
  });
}

function isQuietByUs(workload: Workload): boolean {
  return isDown(workload) && markOf(workload)?.genuine === true;
}

/**
 * By key: what applies, or lists as its own, something that sleeps, and what applies one of those and would put it back. Whether
 * a repository says something of what sleeps by an annotation cannot always be seen, and it may apply what that drives, too.
 */
function busyAppliers(classified: readonly Classified[]): ReadonlySet<string> {
  const ours = classified.filter(({ skipped }) => skipped === undefined).map(({ workload }) => workload);
  const appliers = new Map(
    ours.filter(({ kind }) => appliesOthers(kind)).map((applier) => [workloadKey(applier), applier]),
  );
  const listing = listedBy([...appliers.values()]);
  const found = new Set<string>();
  const add = (workload: Workload) => {
    for (const key of [...appliersOf(workload), ...(listing.get(workloadKey(workload)) ?? [])]) found.add(key);
  };
  for (const workload of ours) if (!appliesOthers(workload.kind)) add(workload);
  // A set is walked over what is added to it meanwhile: appliers of appliers are found too.
  for (const key of found) {
    const applier = appliers.get(key);
    if (applier !== undefined && isPutBack(applier)) add(applier);
  }
  return found;
}

/**
 * Whether what applies it puts back what stands at the place that it sleeps by, again and again. Where nothing stands there, the
 * repository says nothing of the place, and what applies it leaves it as others set it.
 */
export function isPutBack(workload: Workload): boolean {
  if (isScalable(workload)) return true;
  const sleep = builtInRow(workload.kind)?.sleep;
  // The apiserver fills it in: whether the repository says so too cannot be seen.
  const isFilledIn = sleep?.by === 'field' && sleep.filledIn !== undefined;
  return isFilledIn || valueAwake(workload) !== undefined;
}

/** By key: what would be put back because something applies it that is left alone, with that one's reference. */
export function undoneBy(classified: readonly Classified[]): ReadonlyMap<string, WorkloadRef> {
  const isLoud = ({ workload, skipped }: Classified) =>
    skipped !== undefined && appliesOthers(workload.kind) && !scalesAnother(workload.kind) && !isDown(workload);
  const loud = new Map(classified.filter(isLoud).map(({ workload }) => [workloadKey(workload), workload]));
  const listing = listedBy([...loud.values()]);
  return new Map(
    classified.flatMap(({ workload }) => {
      const key = workloadKey(workload);
      const undoer = [...appliersOf(workload), ...(listing.get(key) ?? [])].find((one) => one !== key && loud.has(one));
      return undoer === undefined || !isPutBack(workload) ? [] : [[key, loud.get(undoer)!] as const];
    }),
  );
}

/** By the key of what is listed: the keys of those that list it. */
function listedBy(appliers: readonly Workload[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const applier of appliers) {
    for (const key of isScalable(applier) ? [] : (applier.heals ?? [])) {
      const known = found.get(key);
      if (known === undefined) found.set(key, [workloadKey(applier)]);
      else known.push(workloadKey(applier));
    }
  }
  return found;
}

/** What stands, while it is awake, at the place that it sleeps by. */
function valueAwake(workload: Workload): string | undefined {
  if (isScalable(workload)) return undefined;
  const mark = markOf(workload);
  return mark === undefined || !workload.suspended ? workload.value : (mark.before ?? undefined);
}

/**
 * By key: those of these workloads that no repository raises while they sleep, because what applies them is one of these too. An
 * autoscaler that is held keeps nobody else from raising its target.
 */
export function quietedWorkloads(sleeping: readonly Workload[]): ReadonlySet<string> {
  const appliers = sleeping.filter(({ kind }) => appliesOthers(kind) && !scalesAnother(kind));
  return appliedByThese(appliers, sleeping, () => false);
}

/** For workloads that are all up: what is quiet is not among them. */
export const nobodyQuiet: ReturnType<typeof quietedManagers> = new Map();

/**
 * By key: those of these workloads that would be raised again at once, because what applies or scales them is up by its owner's doing:
 * it is recorded as asleep, and is not, or came in the night and is applied by such a one.
 */
export function raisedAgain(
  workloads: readonly Workload[],
  records: ReadonlyMap<string, Recorded>,
  quieted: ReturnType<typeof quietedManagers>,
): ReadonlySet<string> {
  // One that the cluster would not let us quiet is up by nobody's doing.
  const isRecorded = (one: Workload) => wentToSleep(records.get(workloadKey(one)), one);
  const isOwners = (one: Workload) => !(wasBroughtBack(one) && isRaisedInPassing(one, quieted.get(workloadKey(one))));
  const loud = workloads.filter((one) => appliesOthers(one.kind) && !isDown(one));
  const awake = loud.filter((one) => isRecorded(one) && isOwners(one));
  return appliedByThese(awake, workloads, (one) => !isDown(one) && !isRecorded(one));
}

/** By key: what these apply, and what those of it apply that pass it on. */
export function appliedByThese(
  appliers: readonly Workload[],
  workloads: readonly Workload[],
  passesOn: (applier: Workload) => boolean,
): ReadonlySet<string> {
  if (appliers.length === 0) return noKeys;
  const byApplier = appliedByEach(workloads);
  const found = new Set<string>();
  const next = [...appliers];
  for (let applier = next.pop(); applier !== undefined; applier = next.pop()) {
    for (const applied of byApplier(applier)) {
      const key = workloadKey(applied);
      if (found.has(key)) continue;
      found.add(key);
      if (appliesOthers(applied.kind) && passesOn(applied)) next.push(applied);
    }
  }
  return found;
}

/** What of these one applies, looked up: all of them are read once. */
function appliedByEach(workloads: readonly Workload[]): (applier: Workload) => readonly Workload[] {
  const labelled = new Map<string, Workload[]>();
  for (const workload of workloads) {
    for (const key of appliersOf(workload)) {
      const known = labelled.get(key);
      if (known === undefined) labelled.set(key, [workload]);
      else known.push(workload);
    }
  }
  let byKey: ReadonlyMap<string, Workload> | undefined;
  return (applier) => {
    const listed = isScalable(applier) ? [] : (applier.heals ?? []);
    if (listed.length > 0) byKey ??= new Map(workloads.map((workload) => [workloadKey(workload), workload]));
    const ofLabels = labelled.get(workloadKey(applier)) ?? [];
    return [...ofLabels, ...listed.flatMap((key) => byKey?.get(key) ?? [])];
  };
}

const noKeys: ReadonlySet<string> = new Set();

/**
 * By key: of what is applied by others that we have quieted, the names under which they write. Such a write in the night was under
 * way when its author was quieted: there is no other after it. One that such a write brought back is quieted again and counts as
 * quiet, so that what it wrote meanwhile is no owner's doing either.
 */
export function quietedManagers(workloads: readonly Workload[]): ReadonlyMap<string, readonly string[]> {
  const managers = new Map<string, readonly string[]>();
  const appliers = workloads.filter(({ kind }) => appliesOthers(kind));
  let quiet = appliers.filter(isDownByUs);
  let loud = appliers.filter(wasBroughtBack);
  while (quiet.length > 0) {
    addManagers(managers, quiet, workloads);
    quiet = loud.filter((applier) => isRaisedInPassing(applier, managers.get(workloadKey(applier))));
    loud = loud.filter((applier) => !quiet.includes(applier));
  }
  return managers;
}

/** Whether it applies others and is up with our mark on it, so that we had quieted it. */
export function wasBroughtBack(workload: Workload): boolean {
  return appliesOthers(workload.kind) && !isDown(workload) && markOf(workload) !== undefined;
}

function addManagers(
  managers: Map<string, readonly string[]>,
  appliers: readonly Workload[],
  workloads: readonly Workload[],
): void {
  const names = new Map(
    appliers.map((applier) => [workloadKey(applier), builtInRow(applier.kind)?.applies?.managers ?? []]),
  );
  const add = (key: string, more: readonly string[]) => managers.set(key, [...(managers.get(key) ?? []), ...more]);
  for (const applier of appliers) {
    for (const key of isScalable(applier) ? [] : (applier.heals ?? [])) add(key, names.get(workloadKey(applier)) ?? []);
  }
  for (const workload of workloads) {
    const ofIts = appliersOf(workload).flatMap((key) => names.get(key) ?? []);
    if (ofIts.length > 0) add(workloadKey(workload), ofIts);
  }
}

/** One that is quiet writes no more: what it wrote all the same was under way, and nobody is fought when it is lowered again. */
export function isRaisedInPassing(workload: Workload, managers: readonly string[] | undefined): boolean {
  return !isDown(workload) && managers?.includes(setBy(workload) ?? '') === true;
}

/** By key: what says, with its labels, that it applies this workload. */
export function appliersOf({ labels }: { readonly labels: StringMap }): string[] {
  return kindNames.flatMap((kind) => {
    const { applies } = rowOf(kind);
    if (applies?.known !== 'by labels') return [];
    const name = labels[applies.nameLabel];
    const namespace = labels[applies.namespaceLabel];
    return name === undefined || namespace === undefined ? [] : [workloadKey({ kind, namespace, name })];
  });
}
