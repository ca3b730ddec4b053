import { appliesOthers, kindNames, rowOf } from '../kinds/kinds.ts';
import { markOf } from '../record/mark.ts';
import { isDown, isScalable, type StringMap, type Workload, workloadKey } from '../workload.ts';
import type { SkipReason } from './targeting.ts';

interface Classified {
  readonly workload: Workload;
  readonly skipped?: SkipReason;
}

const appliesNothing: SkipReason = { code: 'applies_nothing', text: 'It applies nothing that sleeps' };

/**
 * The same, with what applies other workloads left alone unless one of them is ours to put to sleep: quieting it would stop the
 * deployments of others for a night, and cure nothing. One that is quiet by us stays so until the wake, though what it applied
 * is deleted or left out meanwhile: given back in the night it would bring that back at once, up and in the middle of the night.
 */
export function withoutIdleAppliers<C extends Classified>(classified: readonly C[]): readonly (C | Classified)[] {
  if (!classified.some(({ workload }) => appliesOthers(workload.kind))) return classified;
  const sleeping = classified.filter((one) => one.skipped === undefined && !appliesOthers(one.workload.kind));
  const keys = new Set(sleeping.map(({ workload }) => workloadKey(workload)));
  const busy = new Set(sleeping.flatMap(({ workload }) => appliersOf(workload)));
  return classified.map((one) => {
    const { workload, skipped } = one;
    const listed = !isScalable(workload) && workload.heals?.some((key) => keys.has(key)) === true;
    const busyNow = listed || busy.has(workloadKey(workload)) || isQuietByUs(workload);
    const idle = skipped === undefined && appliesOthers(workload.kind) && !busyNow;
    return idle ? { workload, skipped: appliesNothing } : one;
  });
}

function isQuietByUs(workload: Workload): boolean {
  return isDown(workload) && markOf(workload)?.genuine === true;
}

/** By key: those of these workloads that nobody raises while they sleep, because what applies them is one of these too. */
export function quietedWorkloads(sleeping: readonly Workload[]): ReadonlySet<string> {
  const appliers = sleeping.filter(({ kind }) => appliesOthers(kind));
  const quiet = new Set(appliers.map(workloadKey));
  const listed = new Set(appliers.flatMap((applier) => (isScalable(applier) ? [] : (applier.heals ?? []))));
  const quieted = sleeping.filter(
    (workload) => listed.has(workloadKey(workload)) || appliersOf(workload).some((key) => quiet.has(key)),
  );
  return new Set(quieted.map(workloadKey));
}

/** By key: what says, with its labels, that it applies this workload. */
function appliersOf({ labels }: { readonly labels: StringMap }): string[] {
  return kindNames.flatMap((kind) => {
    const { applies } = rowOf(kind);
    if (applies?.known !== 'by labels') return [];
    const name = labels[applies.nameLabel];
    const namespace = labels[applies.namespaceLabel];
    return name === undefined || namespace === undefined ? [] : [workloadKey({ kind, namespace, name })];
  });
}
