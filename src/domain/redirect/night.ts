import type { WantedForWorkload } from '../desired/wanted-up.ts';
import type { SkipReason } from '../targeting/targeting.ts';
import { isScalable, type StringMap, type Workload, workloadKey } from '../workload.ts';
import { type Backing, type SatelliteWanted, standsBehind, wantsSatellite } from './backing.ts';
import type { RedirectRecord } from './decide-redirect.ts';
import { markedSelector, pointsAtSatellite } from './marks.ts';
import { type Service, type ServiceRef, serviceKey } from './service.ts';

/** A workload, whether it is ours to scale, and what the night wants of it. */
export interface NightWorkload {
  readonly workload: Workload;
  readonly skipped?: SkipReason;
  readonly want: WantedForWorkload;
}

/** What a night is about, as far as Services are concerned: the one that is, or by day one that would begin now. */
export interface RedirectNight {
  /** By the key of the Service. */
  readonly records: ReadonlyMap<string, RedirectRecord>;
  /** By namespace. */
  readonly workloads: ReadonlyMap<string, readonly NightWorkload[]>;
  /** Whether a workload that is up while it should sleep stays so until the next wake: its owner raised it, or the cluster would not let it be lowered. */
  readonly staysUp: (workload: Workload) => boolean;
}

/** Whether a named Service gets a satellite while the cluster sleeps, and why not. */
export function satelliteWanted(night: RedirectNight, ref: ServiceRef, service: Service | undefined): SatelliteWanted {
  return wantsSatellite(service, ownersSelector(night, ref, service), backingOf(night, ref, service));
}

/** The workloads behind a Service, whatever it points at now. */
export function backingOf(night: RedirectNight, ref: ServiceRef, service: Service | undefined): readonly Backing[] {
  const selector = ownersSelector(night, ref, service);
  return (night.workloads.get(ref.namespace) ?? []).flatMap(({ workload, want, skipped }) => {
    if (!standsBehind(selector, workload)) return [];
    const goesDown = want === 'down' && skipped === undefined;
    const staysUp = workload.replicas > 0 && night.staysUp(workload);
    return [{ workload, sleeps: (goesDown && !staysUp) || isAtZero(workload) }];
  });
}

/** The selector that its owner gave it: by its own field, the mark that was written with the redirect, or the record. */
function ownersSelector({ records }: RedirectNight, ref: ServiceRef, service: Service | undefined): StringMap {
  const recorded = records.get(serviceKey(ref))?.selector;
  if (service === undefined) return recorded ?? {};
  return pointsAtSatellite(service) ? (markedSelector(service) ?? recorded ?? {}) : service.selector;
}

function isAtZero(workload: Workload): boolean {
  return isScalable(workload) && workload.replicas === 0 && workload.readyReplicas === 0;
}

export interface LoweredTonight {
  /** The hibernation of the whole cluster that runs, if one does. */
  readonly hibernation?: { readonly respected: readonly string[]; readonly failed: Readonly<Record<string, string>> };
  readonly asleep: boolean;
  readonly records: readonly Pick<Workload, 'kind' | 'namespace' | 'name' | 'uid'>[];
}

/** A hibernation lowers whatever it does not name; in the night, what is up and has a record was raised by its owner. */
export function stayingUp({ hibernation, asleep, records }: LoweredTonight): (workload: Workload) => boolean {
  if (hibernation !== undefined) {
    const { respected, failed } = hibernation;
    return (workload) => respected.includes(workloadKey(workload)) || failed[workloadKey(workload)] !== undefined;
  }
  if (!asleep) return () => false;
  const recorded = new Map(records.map((record) => [workloadKey(record), record.uid]));
  return (workload) => recorded.get(workloadKey(workload)) === workload.uid;
}

/** Why nothing can be said of a Service that could not be read. */
export function serviceUnreadable(error: unknown): string {
  return `it cannot be read: ${error instanceof Error ? error.message : String(error)}`;
}
