import { isStoodDown, type StandDownState } from '../stops/stand-down-state.ts';
import type { ExternalSession, ManualHibernation, WakeOverride } from './choice.ts';

/** A value that cannot be decoded is not known to be empty. */
type Readable<T> = T | 'unreadable';

/** What the service has taken down or put in place, and has to give back before it may say that nothing is left. */
export interface Taken {
  /** Workloads that are down, by their records. */
  readonly records: Readable<readonly unknown[]>;
  /** Services that point to a stand-in. */
  readonly satellites: Readable<readonly unknown[]>;
  readonly databases: Readable<ReadonlyMap<string, { readonly stoppedByUs: boolean }>>;
  /** Held while our own pods ask node autoscalers to leave them where they are. */
  readonly autoscalerProtection: Readable<object | null>;
  /** The hibernation or wake that runs. */
  readonly transition: Readable<object | null>;
  readonly phase: { readonly phase: 'awake' | 'hibernated' } | null;
}

/** Keys that cannot be decoded and without which the cluster is not moved, by where it would be moved to. */
export interface Undecodable {
  readonly awake: readonly string[];
  readonly hibernated: readonly string[];
}

/** The durable state, decoded, as far as it says what the cluster should be. */
export interface ManagedState extends Taken {
  readonly standDown: StandDownState;
  readonly wakeOverride: WakeOverride | null;
  readonly manualHibernation: ManualHibernation | null;
  readonly externalSessions: readonly ExternalSession[];
  readonly undecodable: Undecodable;
}

/** A stand-down notes in the state that its handback is done; without one (the license stops us) the state itself tells. */
export function isHandedBack(state: ManagedState): boolean {
  return isStoodDown(state.standDown) ? state.standDown.handbackDone : nothingTaken(state);
}

function nothingTaken({ records, satellites, databases, autoscalerProtection, transition, phase }: Taken): boolean {
  return (
    isEmpty(records) &&
    isEmpty(satellites) &&
    databases !== 'unreadable' &&
    !databases.values().some(({ stoppedByUs }) => stoppedByUs) &&
    autoscalerProtection === null &&
    transition === null &&
    phase?.phase !== 'hibernated'
  );
}

function isEmpty(list: Readable<readonly unknown[]>): boolean {
  return list !== 'unreadable' && list.length === 0;
}
