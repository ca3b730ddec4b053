import { type Backing, type SatelliteWanted, standsBehind, wantsSatellite } from '../../domain/redirect/backing.ts';
import type { RedirectInput, RedirectRecord, Satellite } from '../../domain/redirect/decide-redirect.ts';
import {
  markedSelector,
  pointsAtSatellite,
  satelliteLabel,
  satelliteRef,
  satelliteSpecAnnotation,
} from '../../domain/redirect/marks.ts';
import { type SatelliteSettings, satelliteSpec } from '../../domain/redirect/satellite-manifest.ts';
import { type Service, type ServiceRef, serviceKey } from '../../domain/redirect/service.ts';
import { isScalable, type StringMap, type Workload, workloadKey } from '../../domain/workload.ts';
import { phase } from '../../state/phase.ts';
import { resourceStates } from '../../state/resource-states.ts';
import { satellites } from '../../state/satellites.ts';
import { recordsByKey } from '../act/records.ts';
import { now } from '../loop/requeue.ts';
import type { ScopedWorkload } from '../snapshot/snapshot.ts';
import { isHibernation, isWake, transition } from '../transition/transition.ts';
import type { CompanionStep } from './companion.ts';

/** The cluster around redirected Services, gathered once a look. */
export interface SatelliteSnapshot {
  readonly records: ReadonlyMap<string, RedirectRecord>;
  /** Services that the configuration names, when redirection is on. */
  readonly named: ReadonlySet<string>;
  readonly workloads: ReadonlyMap<string, readonly ScopedWorkload[]>;
  readonly settings: SatelliteSettings | undefined;
  readonly wakeRuns: boolean;
  /** Whether a workload that is up while it should sleep stays so until the next wake: its owner raised it, or the cluster would not let it be lowered. */
  readonly staysUp: (workload: Workload) => boolean;
}

export function satelliteSnapshotOf(
  context: CompanionStep,
  settings: SatelliteSettings | undefined,
): SatelliteSnapshot {
  const { serviceRedirection } = context.compiled.config;
  return {
    records: new Map(context.session.get(satellites).map((record) => [serviceKey(record), record])),
    named: new Set(serviceRedirection.enabled && settings ? serviceRedirection.services.map(serviceKey) : []),
    workloads: Map.groupBy(context.snapshot.workloads, ({ workload }) => workload.namespace),
    settings,
    wakeRuns: isWake(context.session.get(transition)),
    staysUp: staysUpIn(context),
  };
}

/** A hibernation lowers whatever it does not name; in the night, what is up and has a record was raised by its owner. */
function staysUpIn({ session }: CompanionStep): (workload: Workload) => boolean {
  const running = session.get(transition);
  if (isHibernation(running) && running.payload.only === undefined) {
    const { respected, failed } = running.payload;
    return (workload) => respected.includes(workloadKey(workload)) || failed[workloadKey(workload)] !== undefined;
  }
  // Nothing is put to sleep while these cannot be decoded, and what is brought back does not ask.
  if (!session.read(phase).ok || !session.read(resourceStates).ok) return () => false;
  const asleep = session.get(phase)?.phase === 'hibernated';
  const records = recordsByKey(session);
  return (workload) => asleep && records.get(workloadKey(workload))?.uid === workload.uid;
}

/** `end`: the wake is about to end, and waits for no pods any more. */
export type Direction = 'sleep' | 'wake' | 'end';

/** Everything that is to be decided about one Service, while the cluster sleeps or is brought up. */
export function redirectInputOf(
  context: CompanionStep,
  around: SatelliteSnapshot,
  towards: Direction,
  { ref, service }: { readonly ref: ServiceRef; readonly service: Service | undefined },
): RedirectInput {
  const record = around.records.get(serviceKey(ref));
  const selector = ownSelector(service, record);
  const behind = backingOf(around, ref, selector);
  const wanted = towards === 'sleep' ? redirectWantOf(around, ref, wantsSatellite(service, selector, behind)) : awake;
  const satellite = satelliteOf(context, around, service, ref);
  const served = behind.some(({ workload }) => workload.readyReplicas > 0);
  const waits = {
    sleep: behind.length > 0 && around.named.has(serviceKey(ref)),
    wake: around.wakeRuns,
    end: false,
  }[towards];
  return {
    ...wanted,
    mayLift: served || !waits,
    nothingServes: !served,
    now: now(context),
    ...(service === undefined ? {} : { service }),
    ...(record === undefined ? {} : { record }),
    ...(satellite === undefined ? {} : { satellite }),
  };
}

/** Whether a named Service gets a satellite while the cluster sleeps, and why not. */
export function satelliteWanted(
  around: SatelliteSnapshot,
  ref: ServiceRef,
  service: Service | undefined,
): SatelliteWanted {
  const selector = ownSelector(service, around.records.get(serviceKey(ref)));
  return wantsSatellite(service, selector, backingOf(around, ref, selector));
}

/** Whether something behind a Service is up or comes up, while the rest of the cluster may sleep. */
export function servesWhatIsUp(around: SatelliteSnapshot, ref: ServiceRef, service: Service | undefined): boolean {
  const selector = ownSelector(service, around.records.get(serviceKey(ref)));
  return backingOf(around, ref, selector).some(({ sleeps }) => !sleeps);
}

type RedirectWant = Pick<RedirectInput, 'want' | 'because'>;

const awake: RedirectWant = { want: 'own', because: 'the cluster is brought up' };

function redirectWantOf(around: SatelliteSnapshot, ref: ServiceRef, satellite: SatelliteWanted): RedirectWant {
  if (!around.named.has(serviceKey(ref))) return { want: 'own', because: 'the configuration does not name it' };
  return satellite.wanted
    ? { want: 'satellite', because: 'everything behind it hibernates' }
    : { want: 'own', because: satellite.reason };
}

function ownSelector(service: Service | undefined, record: RedirectRecord | undefined): StringMap {
  if (service === undefined) return record?.selector ?? {};
  return pointsAtSatellite(service) ? (markedSelector(service) ?? record?.selector ?? {}) : service.selector;
}

function backingOf(around: SatelliteSnapshot, ref: ServiceRef, selector: StringMap): readonly Backing[] {
  return (around.workloads.get(ref.namespace) ?? []).flatMap(({ workload, want, skipped }) => {
    if (!standsBehind(selector, workload)) return [];
    const goesDown = want === 'down' && skipped === undefined;
    const staysUp = workload.replicas > 0 && around.staysUp(workload);
    return [{ workload, sleeps: (goesDown && !staysUp) || isAtZero(workload) }];
  });
}

function isAtZero(workload: Workload): boolean {
  return isScalable(workload) && workload.replicas === 0 && workload.readyReplicas === 0;
}

/** The Service that a satellite of ours stands in for; undefined for any other workload, whatever its name. */
export function serviceBehind({ kind, namespace, name, labels, annotations }: Workload): ServiceRef | undefined {
  const service = labels[satelliteLabel];
  if (kind !== 'Deployment' || service === undefined || annotations[satelliteSpecAnnotation] === undefined)
    return undefined;
  return satelliteRef({ namespace, name: service }).name === name ? { namespace, name: service } : undefined;
}

function satelliteOf(
  { snapshot }: CompanionStep,
  { settings }: SatelliteSnapshot,
  service: Service | undefined,
  ref: ServiceRef,
): Satellite | undefined {
  const found = snapshot.workload({ kind: 'Deployment', ...satelliteRef(ref) });
  if (found === undefined || !isScalable(found) || serviceBehind(found) === undefined) return undefined;
  const wanted = service === undefined || settings === undefined ? undefined : satelliteSpec(service, settings);
  return {
    ready: found.readyReplicas > 0,
    current: !found.deleting && found.annotations[satelliteSpecAnnotation] === wanted,
  };
}
