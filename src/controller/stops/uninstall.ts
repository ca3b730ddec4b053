import { durationMs } from '../../domain/duration.ts';
import { stepStandDown } from '../../domain/stops/begin-or-end-stand-down.ts';
import { isStoodDown, standDownSummary } from '../../domain/stops/stand-down-state.ts';
import { type Clock, sleep } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import { epochPassed } from '../../state/epoch.ts';
import { decideAndWrite } from '../../state/session/decide-and-write.ts';
import { StateUndecodable } from '../../state/session/state-errors.ts';
import { StateSession } from '../../state/session/state-session.ts';
import { set } from '../../state/snapshot.ts';
import { standDown } from '../../state/stand-down.ts';
import type { StateStore } from '../../state/state-store.ts';

export interface UninstallOptions {
  readonly state: StateStore;
  readonly clock: Clock;
  readonly logger: Logger;
}

const askMs = 1_000;
const actor = 'uninstall';

/**
 * Before the release goes: stands the service down and waits until everything is handed back. Exit codes: 0 handed
 * back, 2 not all of it within the time-out.
 */
export async function standDownAndWait(options: UninstallOptions, timeout: string): Promise<number> {
  const { state, clock, logger } = options;
  const deadline = clock.monotonic() + durationMs(timeout);
  await standDownOnce(options);
  while (clock.monotonic() < deadline) {
    const current = (await StateSession.open(state)).get(standDown);
    if (!isStoodDown(current)) await standDownOnce(options);
    else if (current.handbackDone) {
      logger.info('Handed back: the release can go', { ...standDownSummary(current) });
      return 0;
    }
    await sleep(clock, askMs);
  }
  logger.error('Not everything was handed back in time; workloads may be left at zero', { timeout });
  return 2;
}

/** A stand-down that holds already serves as well. */
async function standDownOnce({ state, clock, logger }: UninstallOptions): Promise<void> {
  const at = clock.now();
  const trigger = { type: 'admin-stands-down', actor, reason: 'the release is being uninstalled' } as const;
  const context = { at, changeId: `uninstall-${at}` };
  const { written } = await decideAndWrite(
    () => StateSession.open(state),
    (snapshot) => {
      const before = snapshot.read(standDown);
      if (!before.ok) throw new StateUndecodable(standDown.key, before.message);
      const stands = isStoodDown(before.value);
      const edits = stands
        ? []
        : [set(standDown, stepStandDown(before.value, trigger, context).state), epochPassed(snapshot, at)];
      return { edits, answer: undefined, room: 'reserve' };
    },
    // The time-out of the hook is the only limit.
    { tries: Number.POSITIVE_INFINITY, pause: async () => {} },
  );
  if (written) logger.info('Stood down before the uninstall');
}
