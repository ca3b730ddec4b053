import { isScalable, type Scalable, type StringMap, type Workload } from '../workload.ts';
import { unsuitable } from './satellite-ports.ts';
import type { Service } from './service.ts';

/** What a Service's selector says of a workload that stands behind it. */
export interface Backing {
  readonly workload: Scalable;
  /** True when the service takes it down, or its owner had it at zero already. */
  readonly sleeps: boolean;
}

/** Whether the pods that a workload makes are among those that the selector picks. */
export function standsBehind(selector: StringMap, workload: Workload): workload is Scalable {
  if (!isScalable(workload) || workload.deleting) return false;
  const wanted = Object.entries(selector);
  return wanted.length > 0 && wanted.every(([key, value]) => workload.podLabels[key] === value);
}

export type SatelliteWanted =
  | { readonly wanted: true }
  /** `unfit`: the Service is not one that a satellite can stand in for, which is somebody's to mend. */
  | { readonly wanted: false; readonly reason: string; readonly unfit: boolean };

/**
 * A satellite is wanted where everything behind the Service sleeps: one that still serves is left alone. `selector` is the
 * one that its owner gave it.
 */
export function wantsSatellite(
  service: Service | undefined,
  selector: StringMap,
  backing: readonly Backing[],
): SatelliteWanted {
  const problem = service === undefined ? 'there is no such Service' : unsuitable(service);
  if (problem !== undefined) return { wanted: false, reason: problem, unfit: true };
  if (backing.length === 0) {
    const labels = Object.entries(selector).map(([key, value]) => `${key}=${value}`);
    const reason = `no Deployment or StatefulSet of its namespace makes pods with the labels of its selector, ${labels.join(',')}`;
    return { wanted: false, reason, unfit: true };
  }
  const up = backing.find(({ sleeps }) => !sleeps);
  if (up === undefined) return { wanted: true };
  const { kind, namespace, name } = up.workload;
  return { wanted: false, reason: `${kind} ${namespace}/${name} behind it stays up`, unfit: false };
}
