import { type Announcement, isTold, type NamespaceEvent } from '../../domain/announcement/announcement.ts';
import type { AuditEntry } from '../../domain/audit/entry.ts';
import type { Notice } from '../../domain/notification/notice.ts';
import { type Clock, sleep } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Notifier } from '../../ports/notifier.ts';
import type { AuditLog, EventSink, FrameSink } from '../../ports/sinks.ts';
import { outbox } from '../../state/outbox.ts';
import type { StateSession } from '../../state/session/state-session.ts';
import { set } from '../../state/snapshot.ts';
import { logLostAnnouncements, lostParts } from '../../state/storing.ts';
import { AuditQueue } from './audit-queue.ts';

export interface DeliveryPorts {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly audit: AuditLog;
  readonly events: EventSink;
  readonly notifier: Notifier;
  readonly frames: FrameSink;
}

type Part = 'audit' | 'event' | 'notice';

interface InHand {
  readonly announcement: Announcement;
  /** What this process has still to tell. */
  readonly left: Set<Part>;
  /** Of those, what is being told now; the others wait for their next try. */
  readonly underWay: Set<Part>;
  readonly sent: Set<string>;
  /** Counts the steps of the card; the state knows of the first `stepsStored`. */
  steps: number;
  stepsStored: number;
}

const eventRetryMs = 30_000;
/** An apiserver keeps events for an hour: after that one is of no use any more. */
const eventLifetimeMs = 3_600_000;
/** Ids that were told and are no longer in the state, kept for a read that is older than that. */
const mostRemembered = 1_000;

/**
 * The one loop that tells the world. It works beside the passes, so that no stop and no wake waits for an audit log, an
 * event or a mail server, and every part of an announcement goes its own way: one that fails holds up none of the others.
 * Passes bring what the state holds and write down what has been told.
 */
export class AnnouncementDelivery {
  readonly #ports: DeliveryPorts;
  readonly #audits: AuditQueue;
  readonly #inHand = new Map<string, InHand>();
  readonly #told = new Set<string>();
  readonly #timers = new Set<() => void>();
  readonly #onProgress: () => void;
  #stopped = false;

  /** `onProgress` hears that there is something to be written down. */
  constructor(ports: DeliveryPorts, onProgress: () => void) {
    this.#ports = ports;
    this.#onProgress = onProgress;
    this.#audits = new AuditQueue(ports);
  }

  /** Tells it, unless this process does so already. What it has told before is only to be taken out of the state again. */
  take(announcement: Announcement): void {
    const { id, sent } = announcement;
    if (this.#inHand.has(id) || this.#stopped) return;
    const sets = { left: new Set<Part>(), underWay: new Set<Part>(), sent: new Set(sent) };
    const one = { announcement, ...sets, steps: 0, stepsStored: 0 };
    this.#inHand.set(id, one);
    if (!this.#told.has(id)) this.#begin(one);
    // Nothing else of it is to come that would have it written down.
    if (one.left.size === 0) this.#onProgress();
  }

  #begin(one: InHand): void {
    const { audit, event, notice, log } = one.announcement;
    const { left } = one;
    if (audit !== undefined) left.add('audit');
    if (event !== undefined) left.add('event');
    if (notice !== undefined) left.add('notice');
    if (log !== undefined) this.#ports.logger[log.level](log.message, log.fields);
    if (audit !== undefined) this.#ports.logger.info('Audit', { audit });
    if (notice !== undefined) void this.#send(one, notice);
    if (event !== undefined) void this.#emit(one, event);
    if (audit !== undefined) this.#audits.add(audit, () => this.#audited(one, audit));
  }

  /** Takes up what waits in the state, and writes down what has been told of it. Says why it cannot be read. */
  async sync(session: StateSession): Promise<string | undefined> {
    const waiting = session.snapshot.read(outbox);
    if (!waiting.ok) return waiting.message;
    // A read that is older than the state still has what was told before; nothing is left of that.
    for (const one of waiting.value) if (!this.#told.has(one.id)) this.take(one);
    const steps = [...this.#inHand.values()].map((one) => [one, one.steps] as const);
    const left = waiting.value.map((one) => this.#leftOf(one)).filter((one) => !isTold(one));
    if (!(await session.writeIfRoom('reserve', set(outbox, left)))) return undefined;
    logLostAnnouncements(this.#ports.logger, [{ lost: lostParts(waiting.givenUp ?? []) }]);
    for (const [one, known] of steps) one.stepsStored = known;
    this.#forget(new Set(left.map(({ id }) => id)));
    return undefined;
  }

  /** Gives what is under way a moment before the process ends; after it nothing is begun any more. */
  async settle(graceMs: number): Promise<void> {
    const grace = new AbortController();
    const settled = this.#whenIdle(grace.signal);
    await Promise.race([settled, sleep(this.#ports.clock, graceMs, grace.signal).catch(() => {})]);
    grace.abort();
    this.#stopped = true;
    this.#audits.stop();
    for (const cancel of this.#timers) cancel();
  }

  /** True while the state does not know of something that has been told. */
  get unwritten(): boolean {
    return [...this.#inHand.values()].some(({ left, steps, stepsStored }) => steps > stepsStored || left.size === 0);
  }

  /**
   * What the state goes on holding. Told again after a crash, an audit entry and an event are found there, so a write for
   * them alone is saved while something else of the announcement is still under way.
   */
  #leftOf(stored: Announcement): Announcement {
    const one = this.#inHand.get(stored.id);
    if (one === undefined) return this.#told.has(stored.id) ? { id: stored.id, at: stored.at } : stored;
    if (one.underWay.size > 0 && one.steps === one.stepsStored) return stored;
    const { audit, event, notice, log: _logged, sent: _sent, ...rest } = stored;
    const { left, sent } = one;
    const card = notice !== undefined && left.has('notice') ? { notice } : {};
    return {
      ...rest,
      ...(audit !== undefined && left.has('audit') ? { audit } : {}),
      ...(event !== undefined && left.has('event') ? { event } : {}),
      ...card,
      ...('notice' in card && sent.size > 0 ? { sent: [...sent] } : {}),
    };
  }

  #forget(stored: ReadonlySet<string>): void {
    for (const [id, { left }] of this.#inHand) {
      if (left.size > 0 || stored.has(id)) continue;
      this.#inHand.delete(id);
      this.#told.add(id);
      if (this.#told.size > mostRemembered) this.#told.delete(this.#told.values().next().value!);
    }
  }

  #audited(one: InHand, payload: AuditEntry): void {
    this.#ports.frames.send({ kind: 'audit', payload });
    this.#done(one, 'audit');
  }

  async #send(one: InHand, notice: Notice): Promise<void> {
    one.underWay.add('notice');
    const ended = (destination: string) => {
      one.sent.add(destination);
      one.steps++;
      this.#onProgress();
    };
    try {
      await this.#ports.notifier.notify(notice, { sent: new Set(one.sent), ended });
    } catch (error) {
      // Somebody edited it by hand.
      this.#ports.logger.error('A card cannot be composed and is given up', { error: String(error) });
    }
    one.steps++;
    this.#done(one, 'notice');
  }

  async #emit(one: InHand, event: NamespaceEvent): Promise<void> {
    const { clock, events } = this.#ports;
    const { id, at } = one.announcement;
    one.underWay.add('event');
    try {
      await events.emit(event, id);
      this.#done(one, 'event');
    } catch {
      one.underWay.delete('event');
      if (clock.now() - at >= eventLifetimeMs) this.#done(one, 'event');
      else this.#after(eventRetryMs, () => void this.#emit(one, event));
    }
  }

  #done(one: InHand, part: Part): void {
    one.left.delete(part);
    one.underWay.delete(part);
    this.#onProgress();
  }

  #after(ms: number, run: () => void): void {
    if (this.#stopped) return;
    const cancel = this.#ports.clock.after(ms, () => {
      this.#timers.delete(cancel);
      run();
    });
    this.#timers.add(cancel);
  }

  async #whenIdle(signal: AbortSignal): Promise<void> {
    const idle = () => !this.#audits.busy && [...this.#inHand.values()].every(({ underWay }) => underWay.size === 0);
    while (!idle() && !signal.aborted) await sleep(this.#ports.clock, 50, signal).catch(() => {});
  }
}
