import { isScalable, type Scalable, type StringMap, type Workload } from '../workload.ts';

/** What a Service's selector says of a workload that stands behind it. */
export interface Backing {
  readonly workload: Scalable;
  /** True when the service takes it down, or its owner had it at zero already. */
  readonly sleeps: boolean;
}

/**
 * Whether the pods of a workload are among those that the selector picks. The labels that the workload selects its own
 * pods by are known for sure; where the Service asks for more, one shared label and no contradiction have to do.
 */
export function standsBehind(selector: StringMap, workload: Workload): workload is Scalable {
  if (!isScalable(workload) || workload.deleting) return false;
  const own = workload.selector.matchLabels;
  let shared = 0;
  for (const [key, value] of Object.entries(selector)) {
    if (!Object.hasOwn(own, key)) continue;
    if (own[key] !== value) return false;
    shared += 1;
  }
  return shared > 0;
}

export type SatelliteWanted = { readonly wanted: true } | { readonly wanted: false; readonly reason: string };

/** A satellite is wanted where everything behind the Service sleeps: one that still serves is left alone. */
export function wantsSatellite(backing: readonly Backing[]): SatelliteWanted {
  if (backing.length === 0) return { wanted: false, reason: 'no workload that hibernates stands behind it' };
  const up = backing.find(({ sleeps }) => !sleeps);
  if (up === undefined) return { wanted: true };
  const { kind, namespace, name } = up.workload;
  return { wanted: false, reason: `${kind} ${namespace}/${name} behind it stays up` };
}
