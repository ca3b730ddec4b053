import { appliesOthers, kindNames, rowOf } from '../kinds/kinds.ts';
import { type StringMap, type Workload, workloadKey } from '../workload.ts';
import type { SkipReason } from './targeting.ts';

interface Classified {
  readonly workload: Workload;
  readonly skipped?: SkipReason;
}

const appliesNothing: SkipReason = { code: 'applies_nothing', text: 'It applies nothing that sleeps' };

/**
 * The same, with what applies other workloads left alone unless one of them is ours to put to sleep: quieting it would stop the
 * deployments of others for a night, and cure nothing.
 */
export function withoutIdleAppliers<C extends Classified>(classified: readonly C[]): readonly (C | Classified)[] {
  if (!classified.some(({ workload }) => appliesOthers(workload.kind))) return classified;
  const busy = new Set(
    classified.flatMap(({ workload, skipped }) => (skipped === undefined ? appliersOf(workload) : [])),
  );
  return classified.map((one) => {
    const { workload, skipped } = one;
    const idle = skipped === undefined && appliesOthers(workload.kind) && !busy.has(workloadKey(workload));
    return idle ? { workload, skipped: appliesNothing } : one;
  });
}

/** By key: what says, with its labels, that it applies this workload. */
function appliersOf({ labels, kind: own }: { readonly labels: StringMap; readonly kind: Workload['kind'] }): string[] {
  if (appliesOthers(own)) return [];
  return kindNames.flatMap((kind) => {
    const { applies } = rowOf(kind);
    const name = applies === undefined ? undefined : labels[applies.nameLabel];
    const namespace = applies === undefined ? undefined : labels[applies.namespaceLabel];
    return name === undefined || namespace === undefined ? [] : [workloadKey({ kind, namespace, name })];
  });
}
