import type { Wanted } from '../../domain/desired/desired-state.ts';
import type { StateCodec } from '../../state/codec.ts';
import { externalWakeSessions } from '../../state/external-wake-sessions.ts';
import { scheduleOverrides } from '../../state/intents/schedule-overrides.ts';
import { wakeOverride } from '../../state/intents/wake-override.ts';
import { phase } from '../../state/phase.ts';
import { resourceStates } from '../../state/resource-states.ts';
import type { StateSession } from '../../state/session/state-session.ts';
import { standDown } from '../../state/stand-down.ts';
import { transition } from '../../state/transition.ts';

/**
 * What must be readable before the cluster is moved. Towards sleep that is everything which could say that it is to stay
 * up: a value that cannot be decoded is not empty. Towards awake it is the counts, and the override that the status screens
 * refuse to answer without; of records in several ConfigMaps those that can be read come up. A handback waits for nothing: each part of it that cannot be read is named and left out.
 */
const neededFor: Readonly<Record<Wanted, readonly StateCodec<unknown>[]>> = {
  hibernated: [resourceStates, wakeOverride, standDown, externalWakeSessions, scheduleOverrides, phase, transition],
  awake: [resourceStates, wakeOverride],
  handback: [],
  nothing: [],
};

/** The keys that keep the cluster from being moved to where it is wanted. */
export function heldBy(wanted: Wanted, { snapshot }: StateSession): readonly string[] {
  const held = neededFor[wanted].filter((codec) => {
    const decoded = snapshot.read(codec);
    return !decoded.ok && (wanted === 'hibernated' || decoded.rest === undefined);
  });
  return held.map(({ key }) => key);
}

/** As a handback names it among what is missing. */
export function unreadableName(key: string): string {
  return `${key}, which cannot be decoded`;
}
