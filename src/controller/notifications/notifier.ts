import { createHash } from 'node:crypto';
import type { Config } from '../../config/config.ts';
import { type ChannelName, type Destination, destinationsOf } from '../../domain/notification/destinations.ts';
import { type Message, messageOf, shownText } from '../../domain/notification/message.ts';
import type { Notice } from '../../domain/notification/notice.ts';
import { confirmationMs, rankOf, routingOf } from '../../domain/notification/routing.ts';
import { type Clock, sleep } from '../../ports/clock.ts';
import type { DeliveryChannel } from '../../ports/delivery.ts';
import type { Logger } from '../../ports/logger.ts';
import type { CardProgress, Notifier } from '../../ports/notifier.ts';
import type { ControllerMetrics } from '../metrics/metrics.ts';
import { Conditions, type Listener } from './conditions.ts';
import type { DeliveryLog } from './delivery-log.ts';
import { type Job, Lane } from './lane.ts';
import { Repetitions } from './repetitions.ts';
import { Slots } from './slots.ts';

export interface NotifierOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly log: DeliveryLog;
  readonly metrics: Pick<ControllerMetrics, 'notificationDeliveries' | 'notificationQueue' | 'notificationsDropped'>;
  readonly channels: Readonly<Record<ChannelName, DeliveryChannel>>;
  /** The configuration in force; read for every notice. */
  config(): Config;
}

export interface RunningNotifier extends Notifier {
  /** Waits up to the grace period for deliveries in progress, then cancels them. */
  stop(graceMs?: number): Promise<void>;
}

/** What all of its destinations get. */
interface Told extends Pick<Job, 'message' | 'rank'> {
  readonly title: string;
}

const atOnceAChannel = 4;

export function createNotifier(options: NotifierOptions): RunningNotifier {
  return new Notifications(options);
}

/** Decides who hears of what, and hands it to the lanes. Nothing here waits: a transition calls it and goes on. */
class Notifications implements RunningNotifier {
  readonly #options: NotifierOptions;
  readonly #log: DeliveryLog;
  readonly #lanes = new Map<string, Lane>();
  readonly #slots = new Map<ChannelName, Slots>();
  readonly #repetitions: Repetitions;
  readonly #conditions: Conditions;
  readonly #drops = new Map<Destination, number>();
  #measured: number | undefined;
  #known:
    | {
        readonly config: Config;
        readonly destinations: readonly Destination[];
        readonly listeners: readonly Listener[];
      }
    | undefined;
  #stopping = false;

  constructor(options: NotifierOptions) {
    const { clock, log } = options;
    this.#options = options;
    this.#log = log;
    this.#repetitions = new Repetitions(clock);
    this.#conditions = new Conditions({
      clock,
      listeners: () => this.#current().listeners,
      confirmed: (notice, listeners) => this.#confirmed(notice, listeners),
    });
  }

  async notify(notice: Notice, progress: CardProgress): Promise<void> {
    const { notifications } = this.#options.config();
    const named = this.#current().destinations.map((destination) => ({
      destination,
      name: nameIn(notice, destination),
    }));
    const takers = named
      .filter(({ name }) => !progress.sent.has(name))
      .filter(({ destination }) => routingOf(notice, destination.events, notifications.events).taken);
    if (takers.length === 0) return;
    const why = this.#repetitions.ofReport(notice, notifications.deduplication.windowSeconds * 1000);
    if (why !== undefined) {
      for (const { destination } of takers) this.#suppress(notice, destination, why);
      return;
    }
    const told = this.#told(notice);
    await new Promise<void>((resolve) => {
      let open = takers.length;
      for (const { destination, name } of takers) {
        this.#enqueue(told, destination, () => {
          progress.ended(name);
          if (--open === 0) resolve();
        });
      }
      this.#measure();
    });
  }

  condition(notice: Notice, holds: boolean): void {
    this.#conditions.say(notice, holds);
  }

  async stop(graceMs = 5_000): Promise<void> {
    this.#stopping = true;
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

  /** Nobody while notifications are off. */
  #current() {
    const config = this.#options.config();
    if (this.#known?.config !== config) {
      const { enabled, channels, events: common } = config.notifications;
      const destinations = enabled ? destinationsOf(channels, config.auth.privacy) : [];
      const listeners = destinations.map(({ key, events }) => ({ key, windowMs: confirmationMs(events, common) }));
      this.#known = { config, destinations, listeners };
      this.#followLanes(destinations);
    }
    return this.#known;
  }

  /** A condition that came back soon after it was told waits for the end of the window, and is told if it still holds. */
  #confirmed(notice: Notice, listeners: readonly Listener[]): ReadonlyMap<string, number> {
    const { notifications } = this.#options.config();
    const windowMs = notifications.deduplication.windowSeconds * 1000;
    const keys = new Set(listeners.map(({ key }) => key));
    const takers = this.#current()
      .destinations.filter(({ key }) => keys.has(key))
      .filter(({ events }) => routingOf(notice, events, notifications.events).taken);
    const later = new Map<string, number>();
    const told = this.#told(notice);
    for (const destination of takers) {
      const repetition = this.#repetitions.ofCondition(notice, destination.key, windowMs);
      if (repetition === undefined) {
        this.#enqueue(told, destination);
      } else {
        later.set(destination.key, repetition.waitMs);
        this.#suppress(notice, destination, repetition.why);
      }
    }
    this.#measure();
    return later;
  }

  #told(notice: Notice): Told {
    const title = shownText(notice.title, this.#options.config().auth.privacy);
    return { title, message: once(() => this.#message(notice)), rank: rankOf(notice) };
  }

  #message(notice: Notice): Message {
    const { clusterName, externalUrl, workingHours, auth } = this.#options.config();
    const place = { clusterName, url: externalUrl, timezone: workingHours.timezone, privacy: auth.privacy };
    return messageOf(notice, place);
  }

  #suppress(notice: Notice, { channel, name }: Destination, why: string): void {
    const entry = this.#log.open({ channel, destination: name, title: notice.title, outcome: 'suppressed' });
    entry.error = why;
    this.#options.metrics.notificationDeliveries.inc({ channel, outcome: 'suppressed' });
  }

  #enqueue({ title, ...job }: Told, destination: Destination, over = () => {}): void {
    const { channel, name } = destination;
    const entry = this.#log.open({ channel, destination: name, title, outcome: 'waiting' });
    this.#lane(destination).add({ ...job, entry, over }, this.#options.config().notifications.queue.bufferSize);
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
      ended: (job, outcome) => this.#ended(lane.destination, job, outcome),
    });
    this.#lanes.set(destination.key, lane);
    return lane;
  }

  #ended(destination: Destination, { entry, over }: Job, outcome: 'delivered' | 'failed' | 'dropped'): void {
    // What was cut off by the end of the process is sent by the next one.
    if (outcome === 'delivered' || !this.#stopping) over();
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

  /**
   * Destinations that the configuration no longer names get nothing more, also of what waits for them. The others may have
   * another name or another key by now.
   */
  #followLanes(destinations: readonly Destination[]): void {
    const named = new Map(destinations.map((destination) => [destination.key, destination]));
    for (const [key, lane] of this.#lanes) {
      const destination = named.get(key);
      if (destination !== undefined) {
        lane.destination = destination;
        continue;
      }
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

/** A name that stays the same over restarts and hides the target, because the URL of a webhook is a credential. */
function nameIn({ id }: Notice, { key }: Destination): string {
  return createHash('sha256').update(`${id}\n${key}`).digest('hex').slice(0, 8);
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
