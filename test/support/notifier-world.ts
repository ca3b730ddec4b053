// A notifier on a virtual clock, with channels that remember what they were given and fail on request.

import { VirtualClock } from '../../embedded-cluster/time/virtual-clock.ts';
import { type Config, parseConfig } from '../../src/config/config.ts';
import { ControllerMetrics } from '../../src/controller/metrics/metrics.ts';
import { DeliveryLog } from '../../src/controller/notifications/delivery-log.ts';
import { createNotifier, type RunningNotifier } from '../../src/controller/notifications/notifier.ts';
import type { ChannelName, Destination } from '../../src/domain/notification/destinations.ts';
import type { Message } from '../../src/domain/notification/message.ts';
import type { Notice } from '../../src/domain/notification/notice.ts';
import { silentLogger } from '../../src/platform/silent-logger.ts';
import type { DeliveryChannel } from '../../src/ports/delivery.ts';
import type { Logger } from '../../src/ports/logger.ts';
import type { CardProgress } from '../../src/ports/notifier.ts';
import type { Frame } from '../../src/ports/sinks.ts';

/** No destination is through with it, and nobody writes down which are. */
export const firstTry: CardProgress = { sent: new Set(), ended() {} };

const startAt = Date.UTC(2026, 10, 16, 11);

type Answer = () => Promise<void>;

/** Takes everything, unless told otherwise. */
class RecordingChannel implements DeliveryChannel {
  readonly taken: string[] = [];
  readonly at: number[] = [];
  attempts = 0;
  answer: Answer = async () => {};
  parts = 1;
  readonly #clock: VirtualClock;

  constructor(clock: VirtualClock) {
    this.#clock = clock;
  }

  shipments(destination: Destination, message: Message) {
    return Array.from({ length: this.parts }, (_, index) => async () => {
      this.attempts++;
      await this.answer();
      this.taken.push(`${destination.name}: ${message.title}${this.parts > 1 ? ` ${index + 1}` : ''}`);
      this.at.push(this.#clock.now() - startAt);
    });
  }
}

export class NotifierWorld {
  readonly clock = new VirtualClock(startAt);
  readonly email = new RecordingChannel(this.clock);
  readonly teams = new RecordingChannel(this.clock);
  readonly frames: Frame[] = [];
  readonly deliveries = new DeliveryLog(this.clock, { send: (frame) => void this.frames.push(frame) });
  readonly metrics = new ControllerMetrics();
  readonly notifier: RunningNotifier;
  config: Config;

  constructor(notifications: Record<string, unknown> = {}, logger: Logger = silentLogger) {
    this.config = configOf(notifications);
    const channels: Record<ChannelName, DeliveryChannel> = {
      email: this.email,
      teams: this.teams,
      slack: this.teams,
      webhook: this.teams,
    };
    this.notifier = createNotifier({
      clock: this.clock,
      logger,
      log: this.deliveries,
      metrics: this.metrics,
      channels,
      config: () => this.config,
    });
  }

  /** A card of which nobody has had anything yet. */
  notify(notice: Notice): Promise<void> {
    return this.notifier.notify(notice, firstTry);
  }

  reconfigure(notifications: Record<string, unknown>): void {
    this.config = configOf(notifications);
  }

  /** Lets what can happen now happen. */
  settle(): Promise<void> {
    return this.clock.advance(0);
  }

  async sum(
    metric: 'notificationDeliveries' | 'notificationsDropped',
    labels: Record<string, string>,
  ): Promise<number> {
    const { values } = await this.metrics[metric].get();
    const matching = values.filter((one) => Object.entries(labels).every(([key, value]) => one.labels[key] === value));
    return matching.reduce((total, { value }) => total + value, 0);
  }
}

const both = {
  email: { enabled: true, recipients: ['ops@example.org'] },
  teams: { enabled: true, webhooks: [{ name: 'team', url: 'https://hooks.example.net/x' }] },
};

function configOf(notifications: Record<string, unknown>): Config {
  const parsed = parseConfig({
    clusterName: 'dev',
    externalUrl: 'https://svc.example.com',
    notifications: { enabled: true, channels: both, ...notifications },
  });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors));
  return parsed.config;
}

export function report(id: string, more: Partial<Notice> = {}): Notice {
  return { id, key: 'wakeComplete', at: startAt, title: `Report ${id}`, color: 'green', ...more };
}

export function condition(id: string, more: Partial<Notice> = {}): Notice {
  return { id, key: 'stateSize', at: startAt, title: `Condition ${id}`, color: 'red', ...more };
}
