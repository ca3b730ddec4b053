import { ControllerMetrics } from '../../src/controller/metrics/metrics.ts';
import { DeliveryLog } from '../../src/controller/notifications/delivery-log.ts';
import { createNotifier } from '../../src/controller/notifications/notifier.ts';
import type { Destination } from '../../src/domain/notification/destinations.ts';
import type { Message } from '../../src/domain/notification/message.ts';
import { silentLogger } from '../../src/platform/silent-logger.ts';
import type { DeliveryChannel } from '../../src/ports/delivery.ts';
import type { Notifier } from '../../src/ports/notifier.ts';
import { type OfficeOptions, OfficeWorld } from './office-world.ts';

const destinations = {
  email: { enabled: true, recipients: ['ops@example.org'] },
  teams: { enabled: true, webhooks: [{ name: 'team', url: 'https://hooks.example.net/x' }] },
};

export interface Taken {
  readonly to: string;
  readonly title: string;
  readonly text: string;
  readonly at: number;
}

/** An office whose controller has the real notifier; each life of the process has one, which dies with it. */
export class MailedOffice extends OfficeWorld {
  /** What destinations took, over all lives. */
  readonly taken: Taken[] = [];
  /** Decides over each attempt, by destination and title; what does not return is not answered. */
  answer: (to: string, title: string) => Promise<void> = async () => {};
  #life = 0;

  constructor(options: OfficeOptions = {}, notifications: Record<string, unknown> = {}) {
    super({
      ...options,
      config: { notifications: { enabled: true, channels: destinations, ...notifications }, ...options.config },
    });
  }

  mails(title: string, to?: string): readonly Taken[] {
    return this.taken.filter((one) => one.title === title && (to === undefined || one.to === to));
  }

  /** Takes the destination on or off, as a reload would. */
  setDestinations(channels: Record<string, unknown>): void {
    this.reconfigure({ notifications: { enabled: true, channels: { ...destinations, ...channels } } });
  }

  protected override makeNotifier(): Notifier {
    const life = ++this.#life;
    const alive = () => this.#life === life && this.alive;
    const channel: DeliveryChannel = {
      shipments: (destination, message) => [() => this.#take(destination, message, alive)],
    };
    return createNotifier({
      clock: this.clock,
      logger: silentLogger,
      log: new DeliveryLog(this.clock, { send() {} }),
      metrics: new ControllerMetrics(),
      channels: { email: channel, teams: channel, slack: channel, webhook: channel },
      config: () => this.config,
    });
  }

  async #take(destination: Destination, message: Message, alive: () => boolean): Promise<void> {
    await this.answer(destination.name, message.title);
    if (!alive()) return new Promise(() => {});
    const { title, text = '' } = message;
    this.taken.push({ to: destination.name, title, text, at: this.clock.now() });
  }
}
