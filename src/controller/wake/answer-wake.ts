import { wakeRenewed } from '../../domain/announcement/wake.ts';
import type { Clock } from '../../ports/clock.ts';
import { type WakeOverride, wakeOverride } from '../../state/intents/wake-override.ts';
import { phase } from '../../state/phase.ts';
import { set } from '../../state/snapshot.ts';
import { type Announcing, announce } from '../announcements/announce.ts';
import { now } from '../loop/requeue.ts';

/** What answering a wake that somebody asked for needs of a pass. */
export interface AnswerStep extends Announcing {
  readonly clock: Clock;
}

/** A wake was asked for while the cluster already runs, or already wakes: its end moves, and nothing else happens. */
export async function answerRenewal(context: AnswerStep): Promise<void> {
  const asked = unansweredWake(context);
  if (asked === undefined) return;
  const known = context.session.getOrEmpty(phase);
  const answered = { phase: 'awake', since: now(context), ...known, wakeAnsweredAt: asked.at } as const;
  await announce(context, [wakeRenewed(asked)], [set(phase, answered)]);
}

/** Notes that the transition which begins now answers the wake that somebody asked for. */
export async function answerWake(context: AnswerStep): Promise<void> {
  const asked = context.session.getOrEmpty(wakeOverride);
  const known = context.session.getOrEmpty(phase);
  if (asked === null || known === null || asked.at === known.wakeAnsweredAt) return;
  await context.session.write(set(phase, { ...known, wakeAnsweredAt: asked.at }));
}

/** The wake that somebody asked for and that has had no answer yet. */
export function unansweredWake({ session }: AnswerStep): WakeOverride | undefined {
  const asked = session.getOrEmpty(wakeOverride);
  // The answer is noted in `phase`: while that cannot be decoded, the wake would be answered anew on every pass.
  if (asked === null || !session.read(phase).ok) return undefined;
  const answeredAt = session.getOrEmpty(phase)?.wakeAnsweredAt ?? Number.NEGATIVE_INFINITY;
  return asked.at > answeredAt ? asked : undefined;
}
