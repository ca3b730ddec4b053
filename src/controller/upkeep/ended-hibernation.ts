import { type ManualHibernation, manualHasEnded } from '../../domain/desired/choice.ts';
import type { Clock } from '../../ports/clock.ts';
import type { CompiledConfig } from '../../service/compiled-config.ts';
import { manualHibernation } from '../../state/intents/manual-hibernation.ts';
import { scheduleOverrides } from '../../state/intents/schedule-overrides.ts';
import { wakeOverride } from '../../state/intents/wake-override.ts';
import type { StateSession } from '../../state/session/state-session.ts';
import { type StateEdit, set } from '../../state/snapshot.ts';

export interface EndedHibernationStep {
  readonly clock: Clock;
  readonly compiled: CompiledConfig;
  readonly session: StateSession;
}

/**
 * Forgets a manual hibernation that has ended, with the wake that it overruled. Its end is worked out from the schedule,
 * so that one which is kept would begin again, days later, when other working hours have no such opening. A dry run
 * writes nothing, and forgets nothing.
 */
export async function forgetEndedHibernation({ clock, compiled, session }: EndedHibernationStep): Promise<void> {
  if (compiled.config.operations.dryRun) return;
  const manual = session.getOrEmpty(manualHibernation);
  // Until both can be read it is not known when it ends, and what it overruled.
  if (manual === null || !session.read(scheduleOverrides).ok || !session.read(wakeOverride).ok) return;
  if (!manualHasEnded(compiled.schedule(session.get(scheduleOverrides)), manual, clock.now())) return;
  await session.writeIfRoom('reserve', ...withoutHibernation(session, manual));
}

/** Without the wake that it overruled, which would count again where the later act is forgotten alone. */
export function withoutHibernation(session: StateSession, { at }: ManualHibernation): readonly StateEdit[] {
  const overruled = (session.getOrEmpty(wakeOverride)?.at ?? Number.POSITIVE_INFINITY) < at;
  return [set(manualHibernation, null), ...(overruled ? [set(wakeOverride, null)] : [])];
}
