import { autoscalerProtection } from './autoscaler-protection.ts';
import type { StateCodec } from './codec.ts';
import { databaseStates } from './database-states.ts';
import { endedSessions } from './ended-sessions.ts';
import { epoch } from './epoch.ts';
import { externalWakeSessions } from './external-wake-sessions.ts';
import { externalWakeStarts } from './external-wake-starts.ts';
import { ignoredResources } from './ignored-resources.ts';
import { wakeRetries } from './intents/wake-retries.ts';
import { licenseCheck } from './license-check.ts';
import { manualHibernation } from './manual-hibernation.ts';
import { outbox } from './outbox.ts';
import { parameterSize } from './parameter-size.ts';
import { phase } from './phase.ts';
import { resourceStates } from './resource-states.ts';
import { satellites } from './satellites.ts';
import { scheduleOverrides } from './schedule-overrides.ts';
import type { StateSnapshot } from './snapshot.ts';
import { standDown } from './stand-down.ts';
import { transition } from './transition.ts';
import { wakeOverride } from './wake-override.ts';

/** Every key of `svc-state`, for whoever has to look at all of them. */
export const stateKeys: readonly Pick<StateCodec<unknown>, 'key' | 'decode'>[] = [
  resourceStates,
  wakeOverride,
  ignoredResources,
  externalWakeSessions,
  databaseStates,
  standDown,
  manualHibernation,
  transition,
  satellites,
  scheduleOverrides,
  autoscalerProtection,
  licenseCheck,
  phase,
  outbox,
  parameterSize,
  epoch,
  endedSessions,
  externalWakeStarts,
  wakeRetries,
];

/** One message for each key that cannot be decoded, in the order of the keys. */
export function undecodableKeys(snapshot: StateSnapshot): readonly string[] {
  return stateKeys.flatMap(({ key, decode }) => {
    const result = decode(Object.hasOwn(snapshot.data, key) ? snapshot.data[key] : undefined);
    return result.ok ? [] : [result.message];
  });
}
