import type { StateSession } from './state-session.ts';

/**
 * Something besides workloads that goes down and comes up with the cluster. It keeps its own record in the state, writes
 * it before it acts, and does nothing where nothing is missing: it is called on every pass.
 */
export interface Companion {
  readonly name: string;
  /** Brings it to where it is while the cluster sleeps. */
  sleep(session: StateSession, signal: AbortSignal): Promise<void>;
  /** Brings it back; names what is not back yet, so that a handback can say what is missing. */
  wake(session: StateSession, signal: AbortSignal): Promise<readonly string[]>;
}
