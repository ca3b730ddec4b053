import { calendarFeeds } from './access/calendar-feeds.ts';
import { endedSessions } from './access/ended-sessions.ts';
import { autoscalerProtection } from './autoscaler-protection.ts';
import type { StateCodec } from './codec/codec.ts';
import { databaseStates } from './database-states.ts';
import { epoch } from './epoch.ts';
import { externalWakeSessions } from './external-wake-sessions.ts';
import { externalWakeStarts } from './external-wake-starts.ts';
import { ignoredResources } from './ignored-resources.ts';
import { manualHibernation } from './intents/manual-hibernation.ts';
import { scheduleOverrides } from './intents/schedule-overrides.ts';
import { wakeOverride } from './intents/wake-override.ts';
import { wakeRetries } from './intents/wake-retries.ts';
import { licenseCheck } from './license-check.ts';
import { outbox } from './outbox.ts';
import { parameterSize } from './parameter-size.ts';
import { continued } from './parts/continued.ts';
import { phase } from './phase.ts';
import { resourceStates } from './resource-states.ts';
import { satellites } from './satellites.ts';
import type { StateSnapshot } from './snapshot.ts';
import { standDown } from './stand-down.ts';
import { transition } from './transition.ts';

/** Every key of `svc-state`, for whoever has to look at all of them. */
export const stateKeys: readonly StateCodec<unknown>[] = [
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
  calendarFeeds,
  continued,
  wakeRetries,
];

/** One message for each key that cannot be decoded, in the order of the keys. */
export function undecodableKeys(snapshot: StateSnapshot): readonly string[] {
  const messages = stateKeys.flatMap((codec) => {
    const result = snapshot.read(codec);
    return result.ok ? [] : [result.message];
  });
  return [...new Set(messages)];
}
