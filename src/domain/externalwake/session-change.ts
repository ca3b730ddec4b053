import type { EpochMs } from '../workload.ts';
import type { WakeSession } from './session.ts';

/** What happened to a session and is worth announcing. */
export interface SessionChange {
  readonly act: 'started' | 'renewed' | 'expired' | 'ended';
  readonly session: WakeSession;
  readonly at: EpochMs;
}
