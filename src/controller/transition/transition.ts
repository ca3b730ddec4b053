import type { EpochMs } from '../../domain/workload.ts';
import type { Random } from '../../ports/random.ts';
import type { Payload } from '../../state/transition.ts';

export type { HibernationPayload } from '../../state/hibernation-payload.ts';
export {
  type Hibernation,
  isForOthers,
  isHibernation,
  isWaiting,
  isWake,
  transition,
  type WaitingWake,
  type Wake,
} from '../../state/transition.ts';
export type { WakePayload } from '../../state/wake-payload.ts';

/** Readable by its time, and of its own: a clock that was set back comes to the same millisecond twice. */
export function transitionId(kind: Payload['kind'], at: EpochMs, random: Random): string {
  return `${kind}-${at}-${Buffer.from(random.bytes(4)).toString('hex')}`;
}
