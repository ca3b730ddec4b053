import type { ParameterSize } from '../domain/cost/parameter-size.ts';
import { type Clock, sleep } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';
import { parameterSize } from '../state/parameter-size.ts';
import { StateConflict } from '../state/session/state-errors.ts';
import { StateSession } from '../state/session/state-session.ts';
import { set } from '../state/snapshot.ts';
import type { StateStore } from '../state/state-store.ts';

const tries = 8;
const pauseMs = 250;

/**
 * Notes in `svc-state` how large the stored cost statistics are. The api writes it, because it stores them; the controller
 * reads it, because it sends the notifications: so the alert outlives a restart of either.
 */
export async function storeParameterSize(
  { state, clock, logger }: { readonly state: StateStore; readonly clock: Clock; readonly logger: Logger },
  size: ParameterSize,
): Promise<void> {
  try {
    for (let attempt = 1; ; attempt++) {
      const session = await StateSession.open(state);
      try {
        await session.writeIfRoom('ordinary', set(parameterSize, size));
        return;
      } catch (error) {
        if (!(error instanceof StateConflict) || attempt >= tries) throw error;
      }
      await sleep(clock, pauseMs);
    }
  } catch (error) {
    // The next refresh, a day later at most, says it again.
    logger.warn('The size of the cost statistics could not be noted', { error: String(error) });
  }
}
