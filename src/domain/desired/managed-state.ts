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

/** The durable state, decoded, as far as it says what the cluster should be. */
export interface ManagedState extends Taken {
  readonly standDown: StandDownState;
  readonly wakeOverride: WakeOverride | null;
  readonly manualHibernation: ManualHibernation | null;
  readonly externalSessions: readonly ExternalSession[];
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
