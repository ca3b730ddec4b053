import { resumeWake } from '../../domain/wake/start.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import type { StateSession } from '../../state/session/state-session.ts';
import { set } from '../../state/snapshot.ts';
import { now } from '../loop/requeue.ts';
import { transition, type Wake } from '../transition/transition.ts';

/** What carrying on the wake of another process needs of a pass. */
export interface TakeOverStep {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly session: StateSession;
  /** Ids of the transitions that this process has worked on; any other was begun by one before it. */
  readonly driven: Set<string>;
}

/** A wake that another process began gets the longer outside figure, once. */
export async function takenOver(context: TakeOverStep, running: Wake): Promise<Wake> {
  const { driven } = context;
  if (driven.has(running.id)) return running;
  driven.add(running.id);
  const wake = resumeWake(running.payload.wake, now(context));
  const next: Wake = { ...running, payload: { ...running.payload, wake } };
  await context.session.write(set(transition, next));
  context.logger.info('Wake taken over after a restart', { id: running.id });
  return next;
}
