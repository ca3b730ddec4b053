import type { Wanted } from '../../domain/desired/desired-state.ts';
import type { StateCodec } from '../../state/codec.ts';
import { externalWakeSessions } from '../../state/external-wake-sessions.ts';
import { phase } from '../../state/phase.ts';
import { resourceStates } from '../../state/resource-states.ts';
import { scheduleOverrides } from '../../state/schedule-overrides.ts';
import type { StateSession } from '../../state/session/state-session.ts';
import { standDown } from '../../state/stand-down.ts';
import { transition } from '../../state/transition.ts';
import { wakeOverride } from '../../state/wake-override.ts';

type Key = Pick<StateCodec<unknown>, 'key' | 'decode'>;

/**
 * What must be readable before the cluster is moved. Towards sleep that is everything which could say that it is to stay
 * up: a value that cannot be decoded is not empty. Towards awake it is the counts, and the override that the status screens
 * refuse to answer without. A handback waits for nothing: each part of it that cannot be read is named and left out.
 */
const neededFor: Readonly<Record<Wanted, readonly Key[]>> = {
  hibernated: [resourceStates, wakeOverride, standDown, externalWakeSessions, scheduleOverrides, phase, transition],
  awake: [resourceStates, wakeOverride],
  handback: [],
  nothing: [],
};

/** The keys that keep the cluster from being moved to where it is wanted. */
export function heldBy(wanted: Wanted, { snapshot }: StateSession): readonly string[] {
  return neededFor[wanted].filter(({ key, decode }) => !decode(snapshot.data[key]).ok).map(({ key }) => key);
}

/** As a handback names it among what is missing. */
export function unreadableName(key: string): string {
  return `${key}, which cannot be decoded`;
}
