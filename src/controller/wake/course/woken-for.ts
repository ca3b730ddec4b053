import type { DesiredState } from '../../../domain/desired/desired-state.ts';
import { isLive, targetText, type WakeSession, type WakeTarget } from '../../../domain/externalwake/session.ts';
import type { Clock } from '../../../ports/clock.ts';
import { externalWakeSessions } from '../../../state/external-wake-sessions.ts';
import { phase } from '../../../state/phase.ts';
import type { StateSession } from '../../../state/session/state-session.ts';
import { now } from '../../loop/requeue.ts';

/** What looking through the sessions of other clusters needs of a pass. */
export interface NamedSessionsStep {
  readonly clock: Clock;
  readonly session: StateSession;
  readonly desired: DesiredState;
}

/** Sessions that name resources and count: a person who hibernated by hand after them overruled them. */
export function namedSessions(context: NamedSessionsStep): readonly WakeSession[] {
  const wanted = new Set(context.desired.keepAwake.map((selector) => targetText(selector)));
  return context.session.getOrEmpty(externalWakeSessions).filter((session) => {
    const { resources } = session;
    return (
      isLive(session, now(context)) && resources.length > 0 && resources.every((one) => wanted.has(targetText(one)))
    );
  });
}

/** The sessions that this wake has served: every resource they name was part of it, or an earlier wake served them. */
export function sessionsWokenBy(context: NamedSessionsStep, part: readonly WakeTarget[]): readonly string[] {
  const texts = new Set(part.map(targetText));
  const known = context.session.getOrEmpty(phase)?.wokenFor ?? [];
  return namedSessions(context)
    .filter(({ id, resources }) => known.includes(id) || resources.every((target) => texts.has(targetText(target))))
    .map(({ id }) => id);
}
