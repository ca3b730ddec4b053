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
  await announceAll(context.ports, context.session, [announcement], edits);
}

/** What cannot be stored, for want of room or because the outbox cannot be decoded, is told once and not again after a crash. */
export async function announceAll(
  ports: ControllerPorts,
  session: StateSession,
  announcements: readonly Announcement[],
  edits: readonly StateEdit[],
): Promise<void> {
  const waiting = session.read(outbox);
  const stored =
    waiting.ok && (await session.writeIfRoom('reserve', ...edits, set(outbox, [...waiting.value, ...announcements])));
  if (stored) return emptyOutbox(ports, session);
  await session.write(...edits);
  for (const announcement of announcements) await tell(ports, announcement, 'is lost');
}

/** The first write of a transition; one that makes up for a missed edge is announced with it. */
export async function begin(context: PassContext, started: Hibernation | Wake): Promise<void> {
  context.watchPatience.startAnew();
  const edit = set(transition, started);
  if (started.trigger.cause === 'catch-up') await announce(context, catchUpAnnouncement(started), [edit]);
  else if (started.kind === 'hibernation') await context.session.writeOutsideReserve(edit);
  else await context.session.write(edit);
}

/** Tells what is waiting, oldest first. What the audit log does not take stays, and holds nothing else up. */
export async function emptyOutbox(ports: ControllerPorts, session: StateSession): Promise<void> {
  const waiting = session.getOrEmpty(outbox);
  if (waiting.length === 0) return;
  for (const announcement of waiting) if (!(await tell(ports, announcement, 'will be tried again'))) return;
  const told = new Set(waiting.map(({ audit }) => audit.id));
  await session.write(
    set(
      outbox,
      session.get(outbox).filter(({ audit }) => !told.has(audit.id)),
    ),
  );
}

/** False when the audit log did not take it. */
async function tell(
  ports: ControllerPorts,
  { audit, event, notice }: Announcement,
  otherwise: string,
): Promise<boolean> {
  try {
    await ports.audit.append(audit);
  } catch (error) {
    ports.logger.warn(`An audit entry could not be written and ${otherwise}`, {
      title: audit.title,
      error: String(error),
    });
    return false;
  }
  ports.logger.info('Audit', { audit });
  if (event !== undefined) ports.events.emit(event);
  if (notice !== undefined) ports.notifier.notify(notice);
  ports.frames.send({ kind: 'audit', payload: audit });
  return true;
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
