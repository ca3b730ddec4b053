import type { Config } from '../../config/config.ts';
import { type ChannelName, type Destination, destinationsOf } from '../../domain/notification/destinations.ts';
import { eventKinds } from '../../domain/notification/event-keys.ts';
import { type Message, messageOf, shownText } from '../../domain/notification/message.ts';
import { type Notice, subjectOf } from '../../domain/notification/notice.ts';
import { confirmationMs, rankOf, routingOf } from '../../domain/notification/routing.ts';
import { type Clock, sleep } from '../../ports/clock.ts';
import type { DeliveryChannel } from '../../ports/delivery.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Notifier } from '../../ports/notifier.ts';
import type { FrameSink } from '../../ports/records.ts';
import type { ControllerMetrics } from '../metrics.ts';
import { Conditions } from './conditions.ts';
import { type DeliveryEntry, DeliveryLog } from './delivery-log.ts';
import { type Job, Lane } from './lane.ts';
import { Recent } from './recent.ts';
import { Slots } from './slots.ts';

export interface NotifierOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly frames: FrameSink;
  readonly metrics: Pick<ControllerMetrics, 'notificationDeliveries' | 'notificationQueue' | 'notificationsDropped'>;
  readonly channels: Readonly<Record<ChannelName, DeliveryChannel>>;
  /** The configuration in force; read for every notice. */
  config(): Config;
}

export interface RunningNotifier extends Notifier {
  /** Newest first. */
  deliveries(): readonly DeliveryEntry[];
  /** Gives what is under way a moment, then ends it. */
  stop(graceMs?: number): Promise<void>;
}

/** What all of its destinations get. */
interface Told extends Omit<Job, 'entry'> {
  readonly title: string;
}

const atOnceAChannel = 4;
const remembered = 2_000;

export function createNotifier(options: NotifierOptions): RunningNotifier {
  return new Notifications(options);
}

/** Decides who hears of what, and hands it to the lanes. Nothing here waits: a transition calls it and goes on. */
class Notifications implements RunningNotifier {
  readonly #options: NotifierOptions;
  readonly #log: DeliveryLog;
  readonly #lanes = new Map<string, Lane>();
  readonly #slots = new Map<ChannelName, Slots>();
  readonly #events: Recent;
  readonly #repetitions: Recent;
  readonly #conditions: Conditions;
  readonly #drops = new Map<Destination, number>();
  #measured: number | undefined;
  #known: { readonly config: Config; readonly destinations: readonly Destination[] } | undefined;

  constructor(options: NotifierOptions) {
    const { clock, frames } = options;
    this.#options = options;
    this.#log = new DeliveryLog(clock, frames);
    this.#events = new Recent(clock, remembered);
    this.#repetitions = new Recent(clock, remembered);
    this.#conditions = new Conditions({
      clock,
      windows: () => this.#destinations().map(({ events }) => this.#confirmationMs(events)),
      confirmed: (notice, windowMs) => this.#confirmed(notice, windowMs),
    });
  }

  notify(notice: Notice): void {
    this.#send(notice, this.#destinations());
  }

  condition(notice: Notice, holds: boolean): void {
    this.#conditions.say(notice, holds);
  }

  deliveries(): readonly DeliveryEntry[] {
    return this.#log.entries();
  }

  async stop(graceMs = 5_000): Promise<void> {
    this.#conditions.stop();
    const lanes = [...this.#lanes.values()];
    const grace = new AbortController();
    const idle = Promise.all(lanes.map((lane) => lane.idle()));
    await Promise.race([idle, sleep(this.#options.clock, graceMs, grace.signal).catch(() => {})]);
    grace.abort();
    for (const lane of lanes) lane.stop();
    await idle;
    this.#log.stop();
  }

  /** Empty while notifications are off. */
  #destinations(): readonly Destination[] {
    const config = this.#options.config();
    if (this.#known?.config !== config) {
      const { enabled, channels } = config.notifications;
      const destinations = enabled ? destinationsOf(channels, config.auth.privacy) : [];
      this.#known = { config, destinations };
      this.#closeLanes(destinations);
    }
    return this.#known.destinations;
  }

  /** A condition that came back soon after it was told waits for the end of the window, and is told if it still holds. */
  #confirmed(notice: Notice, windowMs: number): number | undefined {
    const waiting = this.#destinations().filter(({ events }) => this.#confirmationMs(events) === windowMs);
    const occasion = `after ${windowMs}`;
    const dedupMs = this.#options.config().notifications.deduplication.windowSeconds * 1000;
    this.#send(notice, waiting, occasion);
    const again = this.#repetitions.remainingMs(`${subjectOf(notice)} ${occasion}`, dedupMs);
    return again > 0 && again < dedupMs ? again : undefined;
  }

  #confirmationMs(events: Destination['events']): number {
    return confirmationMs(events, this.#options.config().notifications.events);
  }

  /** `occasion` tells apart groups of destinations that hear of the same condition at different times. */
  #send(notice: Notice, destinations: readonly Destination[], occasion = ''): void {
    const { notifications } = this.#options.config();
    const takers = destinations.filter(({ events }) => routingOf(notice, events, notifications.events).taken);
    if (takers.length === 0) return;
    const windowMs = notifications.deduplication.windowSeconds * 1000;
    const why = this.#repeats(notice, occasion, windowMs);
    if (why !== undefined) {
      for (const destination of takers) this.#suppress(notice, destination, why);
      return;
    }
    const title = shownText(notice.title, this.#options.config().auth.privacy);
    const message = once(() => this.#message(notice));
    for (const destination of takers) this.#enqueue({ title, message, rank: rankOf(notice) }, destination);
    this.#measure();
  }

  #message(notice: Notice): Message {
    const { clusterName, externalUrl, workingHours, auth } = this.#options.config();
    const place = { clusterName, url: externalUrl, timezone: workingHours.timezone, privacy: auth.privacy };
    return messageOf(notice, place);
  }

  /** Why this is not sent again; what is sent is remembered. */
  #repeats(notice: Notice, occasion: string, windowMs: number): string | undefined {
    const event = `${notice.id} ${occasion}`;
    const subject = `${subjectOf(notice)} ${occasion}`;
    if (this.#events.remainingMs(event, windowMs) > 0) return 'the same event was sent before';
    const { deduplicated } = eventKinds[notice.key];
    if (deduplicated && this.#repetitions.remainingMs(subject, windowMs) > 0)
      return 'the same was said a short time ago';
    this.#events.note(event);
    if (deduplicated) this.#repetitions.note(subject);
    return undefined;
  }

  #suppress(notice: Notice, { channel, name }: Destination, why: string): void {
    const entry = this.#log.open({ channel, destination: name, title: notice.title, outcome: 'suppressed' });
    entry.error = why;
    this.#options.metrics.notificationDeliveries.inc({ channel, outcome: 'suppressed' });
  }

  #enqueue({ title, ...job }: Told, destination: Destination): void {
    const { channel, name } = destination;
    const entry = this.#log.open({ channel, destination: name, title, outcome: 'waiting' });
    this.#lane(destination).add({ ...job, entry }, this.#options.config().notifications.queue.bufferSize);
  }

  #lane(destination: Destination): Lane {
    const known = this.#lanes.get(destination.key);
    if (known !== undefined) return known;
    const { clock, channels } = this.#options;
    const { channel } = destination;
    const slots = this.#slots.get(channel) ?? new Slots(atOnceAChannel);
    this.#slots.set(channel, slots);
    const lane = new Lane(destination, {
      clock,
      channel: channels[channel],
      slots,
      retry: () => this.#options.config().notifications.retry,
      ended: (job, outcome) => this.#ended(destination, job, outcome),
    });
    this.#lanes.set(destination.key, lane);
    return lane;
  }

  #ended(destination: Destination, { entry }: Job, outcome: 'delivered' | 'failed' | 'dropped'): void {
    if (outcome === 'dropped') {
      this.#dropped(destination);
      return;
    }
    const { logger, metrics } = this.#options;
    const { channel, name } = destination;
    metrics.notificationDeliveries.inc({ channel, outcome });
    const fields = { channel, destination: name, title: entry.title, attempts: entry.attempts };
    if (outcome === 'delivered') logger.debug('A notification was delivered', fields);
    else logger.warn('A notification was not delivered', { ...fields, outcome, error: entry.error });
    this.#log.changed();
    this.#measure();
  }

  /** In a burst hundreds give way at once: they are counted and logged together, when whoever told them goes on. */
  #dropped(destination: Destination): void {
    if (this.#drops.size === 0) queueMicrotask(() => this.#countDrops());
    this.#drops.set(destination, (this.#drops.get(destination) ?? 0) + 1);
  }

  #countDrops(): void {
    const { logger, metrics } = this.#options;
    for (const [{ channel, name }, count] of this.#drops) {
      metrics.notificationDeliveries.inc({ channel, outcome: 'dropped' }, count);
      metrics.notificationsDropped.inc({ channel }, count);
      logger.warn('Notifications were not delivered: too many were waiting', { channel, destination: name, count });
    }
    this.#drops.clear();
    this.#log.changed();
    this.#measure();
  }

  /** Destinations that the configuration no longer names get nothing more, also of what waits for them. */
  #closeLanes(destinations: readonly Destination[]): void {
    const named = new Set(destinations.map(({ key }) => key));
    for (const [key, lane] of this.#lanes) {
      if (named.has(key)) continue;
      lane.stop();
      this.#lanes.delete(key);
    }
  }

  #measure(): void {
    let waiting = 0;
    for (const lane of this.#lanes.values()) waiting += lane.length;
    if (waiting === this.#measured) return;
    this.#measured = waiting;
    this.#options.metrics.notificationQueue.set(waiting);
  }
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
