import type { DesiredState } from '../domain/desired/desired-state.ts';
import { wantedForAny } from '../domain/desired/wanted-up.ts';
import { type LoweredTonight, type NightWorkload, type RedirectNight, stayingUp } from '../domain/redirect/night.ts';
import { serviceKey } from '../domain/redirect/service.ts';
import { phase } from '../state/phase.ts';
import { resourceStates } from '../state/resource-states.ts';
import { satellites } from '../state/satellites.ts';
import type { StateSnapshot } from '../state/snapshot.ts';
import { isHibernation, transition } from '../state/transition.ts';
import type { CompiledConfig } from './compiled-config.ts';
import type { StateReader } from './desired.ts';
import type { ClassifiedWorkload } from './workload-table.ts';

/** What Services are decided by: the one place where the controller and who tells of it look it up. */
export function redirectNight(
  snapshot: StateSnapshot,
  value: StateReader,
  desired: DesiredState,
  workloads: readonly NightWorkload[],
): RedirectNight {
  const records = new Map(value(satellites).map((record) => [serviceKey(record), record]));
  return {
    records,
    workloads: Map.groupBy(workloads, ({ workload }) => workload.namespace),
    // What an owner raised in this night goes down in the next one like everything else.
    staysUp: desired.wanted === 'hibernated' ? stayingUp(loweredTonight(snapshot, value)) : () => false,
  };
}

function loweredTonight(snapshot: StateSnapshot, value: StateReader): LoweredTonight {
  const running = value(transition);
  const hibernation = isHibernation(running) && running.payload.only === undefined ? running.payload : undefined;
  // Nothing is put to sleep while these cannot be decoded.
  const known = snapshot.read(phase);
  const records = snapshot.read(resourceStates);
  const readable = known.ok && records.ok;
  return {
    ...(hibernation === undefined ? {} : { hibernation }),
    asleep: readable && known.value?.phase === 'hibernated',
    records: readable ? records.value : [],
  };
}

/** What the night wants of each workload; by day, what one would that began now. */
export function wantedAtNight(
  workloads: readonly ClassifiedWorkload[],
  desired: DesiredState,
  { config }: CompiledConfig,
): readonly NightWorkload[] {
  const night: DesiredState =
    desired.wanted === 'hibernated' ? desired : { ...desired, wanted: 'hibernated', keepAwake: [] };
  const wantedOf = wantedForAny(night, config.externalWake.excludedNamespaces);
  return workloads.map((classified) => ({
    ...classified,
    want: wantedOf(classified.workload, classified.skipped),
  }));
}
