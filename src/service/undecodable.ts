import type { Undecodable } from '../domain/desired/managed-state.ts';
import type { StateCodec } from '../state/codec/codec.ts';
import { externalWakeSessions } from '../state/external-wake-sessions.ts';
import { scheduleOverrides } from '../state/intents/schedule-overrides.ts';
import { wakeOverride } from '../state/intents/wake-override.ts';
import { phase } from '../state/phase.ts';
import { resourceStates } from '../state/resource-states.ts';
import type { StateSnapshot } from '../state/snapshot.ts';
import { standDown } from '../state/stand-down.ts';
import { transition } from '../state/transition.ts';

/**
 * What must be readable before the cluster is moved. Towards sleep that is everything which could say that it is to stay
 * up: a value that cannot be decoded is not empty. Towards awake it is the counts, and the override that the status screens
 * refuse to answer without; of records in several ConfigMaps those that can be read come up. A handback waits for nothing:
 * each part of it that cannot be read is named and left out.
 */
const neededFor: Readonly<Record<keyof Undecodable, readonly StateCodec<unknown>[]>> = {
  hibernated: [resourceStates, wakeOverride, standDown, externalWakeSessions, scheduleOverrides, phase, transition],
  awake: [resourceStates, wakeOverride],
};

/** The keys that keep the cluster from being moved, by where it would be moved to. */
export function undecodable(snapshot: StateSnapshot): Undecodable {
  const spoilt = (wanted: keyof Undecodable) =>
    neededFor[wanted]
      .filter((codec) => {
        const decoded = snapshot.read(codec);
        return !decoded.ok && (wanted === 'hibernated' || decoded.rest === undefined);
      })
      .map(({ key }) => key);
  return { hibernated: spoilt('hibernated'), awake: spoilt('awake') };
}
