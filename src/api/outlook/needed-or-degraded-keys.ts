import type { WorkloadRecord } from '../../domain/record/record.ts';
import type { Logger } from '../../ports/logger.ts';
import { type DecidingState, decidingState } from '../../service/desired.ts';
import { externalWakeSessions } from '../../state/external-wake-sessions.ts';
import { resourceStates } from '../../state/resource-states.ts';
import type { StateSnapshot } from '../../state/snapshot.ts';
import { type Transition, transitionEnvelope } from '../../state/transition.ts';
import { degrade, need } from '../state/managed-state.ts';

interface StatusState {
  readonly records: readonly WorkloadRecord[];
  readonly deciding: DecidingState;
  readonly transition: Transition<unknown> | null;
}

/**
 * The keys that the status stands on. Sessions of other clusters degrade: the log has it, and nobody else. A key that is
 * needed and cannot be decoded is answered with 503; the two that the screens name come first, so that they are the ones named
 * when several are spoilt.
 */
export function statusState(snapshot: StateSnapshot, logger: Logger): StatusState {
  const records = need(snapshot, resourceStates);
  const deciding = decidingState(snapshot, (codec) =>
    codec.key === externalWakeSessions.key ? degrade(snapshot, codec, logger, 'debug') : need(snapshot, codec),
  );
  return { records, deciding, transition: need(snapshot, transitionEnvelope) };
}
