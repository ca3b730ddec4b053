import type { Announcement } from '../../domain/announcement/announcement.ts';
import { formatDuration } from '../../domain/duration.ts';
import type { WakeChange } from '../../domain/wake/change.ts';
import { outbox } from '../../state/outbox.ts';
import type { StateSession } from '../../state/session/state-session.ts';
import { type StateEdit, set } from '../../state/snapshot.ts';
import { now, type PassContext } from '../pass/pass-context.ts';
import type { ControllerPorts } from '../ports.ts';
import { type Hibernation, transition, type Wake } from '../transition.ts';
import { catchUpAnnouncement } from './announcements.ts';

/** Makes the edits and their announcement durable in one write, then tells the world. */
export async function announce(
  context: PassContext,
  announcement: Announcement,
  edits: readonly StateEdit[],
): Promise<void> {
  const { session, ports } = context;
  await session.write(...edits, set(outbox, [...session.get(outbox), announcement]));
  await emptyOutbox(ports, session);
}

/** The first write of a transition; one that makes up for a missed edge is announced with it. */
export async function begin(context: PassContext, started: Hibernation | Wake): Promise<void> {
  context.watchPatience.startAnew();
  const edit = set(transition, started);
  if (started.trigger.cause === 'catch-up') await announce(context, catchUpAnnouncement(started), [edit]);
  else await context.session.write(edit);
}

/** Tells what is waiting, oldest first. What the audit log does not take stays, and holds nothing else up. */
export async function emptyOutbox(ports: ControllerPorts, session: StateSession): Promise<void> {
  const waiting = session.get(outbox);
  if (waiting.length === 0) return;
  for (const { audit, event, notice } of waiting) {
    try {
      await ports.audit.append(audit);
    } catch (error) {
      ports.logger.warn('An audit entry could not be written and will be tried again', {
        title: audit.title,
        error: String(error),
      });
      return;
    }
    ports.logger.info('Audit', { audit });
    if (event !== undefined) ports.events.emit(event);
    if (notice !== undefined) ports.notifier.notify(notice);
    ports.frames.send({ kind: 'audit', payload: audit });
  }
  const told = new Set(waiting.map(({ audit }) => audit.id));
  await session.write(
    set(
      outbox,
      session.get(outbox).filter(({ audit }) => !told.has(audit.id)),
    ),
  );
}

/** A tier was released without waiting for its group: told at once, the wake goes on. */
export function announceBarrier(
  context: PassContext,
  current: Wake,
  change: Extract<WakeChange, { kind: 'barrier_timeout' }>,
): void {
  const { events, notifier, logger } = context.ports;
  const left = [...change.leftBehind, ...change.databasesLeftBehind.map((name) => `database ${name}`)];
  const text = `Tier ${change.name} was released after ${formatDuration(change.barrierMs)} without waiting for ${left.join(', ')}`;
  logger.warn('Wake barrier timeout', { tier: change.name, leftBehind: left });
  events.emit({ where: 'default', type: 'Warning', reason: 'WakeBarrierTimeout', message: text });
  notifier.notify({
    id: `${current.id}-barrier-${change.tier}`,
    key: 'wakeBarrierTimeout',
    at: now(context),
    title: 'Wake Barrier Timeout',
    colour: 'amber',
    text,
  });
}
