import type { SatelliteWanted } from '../../domain/redirect/backing.ts';
import type { RedirectInput, Satellite } from '../../domain/redirect/decide-redirect.ts';
import { satelliteLabel, satelliteRef, satelliteSpecAnnotation } from '../../domain/redirect/marks.ts';
import { backingOf, type RedirectNight, satelliteWanted } from '../../domain/redirect/night.ts';
import { type SatelliteSettings, satelliteSpec } from '../../domain/redirect/satellite-manifest.ts';
import { type Service, type ServiceRef, serviceKey } from '../../domain/redirect/service.ts';
import { isScalable, type Workload } from '../../domain/workload.ts';
import { redirectNight } from '../../service/redirect-night.ts';
import { now } from '../loop/requeue.ts';
import { isWake, transition } from '../transition/transition.ts';
import type { CompanionStep } from './companion.ts';

/** The cluster around redirected Services, gathered once a look. */
export interface SatelliteSnapshot extends RedirectNight {
  /** Services that the configuration names, when redirection is on. */
  readonly named: ReadonlySet<string>;
  readonly settings: SatelliteSettings | undefined;
  readonly wakeRuns: boolean;
}

export function satelliteSnapshotOf(
  { session, desired, snapshot, compiled }: CompanionStep,
  settings: SatelliteSettings | undefined,
): SatelliteSnapshot {
  const { serviceRedirection } = compiled.config;
  return {
    ...redirectNight(session.snapshot, (codec) => session.get(codec), desired, snapshot.workloads),
    named: new Set(serviceRedirection.enabled && settings ? serviceRedirection.services.map(serviceKey) : []),
    settings,
    wakeRuns: isWake(session.get(transition)),
  };
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
  const behind = backingOf(around, ref, service);
  const wanted = towards === 'sleep' ? redirectWantOf(around, ref, satelliteWanted(around, ref, service)) : awake;
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

/** Whether something behind a Service is up or comes up, while the rest of the cluster may sleep. */
export function servesWhatIsUp(around: SatelliteSnapshot, ref: ServiceRef, service: Service | undefined): boolean {
  return backingOf(around, ref, service).some(({ sleeps }) => !sleeps);
}

type RedirectWant = Pick<RedirectInput, 'want' | 'because'>;

const awake: RedirectWant = { want: 'own', because: 'the cluster is brought up' };

function redirectWantOf(around: SatelliteSnapshot, ref: ServiceRef, satellite: SatelliteWanted): RedirectWant {
  if (!around.named.has(serviceKey(ref))) return { want: 'own', because: 'the configuration does not name it' };
  return satellite.wanted
    ? { want: 'satellite', because: 'everything behind it hibernates' }
    : { want: 'own', because: satellite.reason };
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
