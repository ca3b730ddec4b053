import type { Config } from '../../config/config.ts';
import { type ChannelName, destinationsOf } from '../../domain/notification/destinations.ts';
import { messageOf } from '../../domain/notification/message.ts';
import { type Clock, sleep } from '../../ports/clock.ts';
import type { DeliveryChannel } from '../../ports/delivery.ts';

export interface TestOptions {
  readonly clock: Clock;
  readonly channels: Readonly<Record<ChannelName, DeliveryChannel>>;
  config(): Config;
}

/**
 * Sends a message to every destination of a channel, once and without a queue, and says what became of it. Undefined when
 * the channel has no destination or notifications are off.
 */
export async function sendTestNotification(
  { clock, channels, config }: TestOptions,
  channel: ChannelName,
): Promise<{ readonly sent: boolean; readonly message: string } | undefined> {
  const { notifications, clusterName, externalUrl, workingHours, auth } = config();
  const all = notifications.enabled ? destinationsOf(notifications.channels, auth.privacy) : [];
  const destinations = all.filter((one) => one.channel === channel);
  if (destinations.length === 0) return undefined;
  const place = { clusterName, url: externalUrl, timezone: workingHours.timezone, privacy: auth.privacy };
  const message = messageOf(
    {
      id: `test-${clock.now()}`,
      key: 'scheduleOverride',
      at: clock.now(),
      title: 'Test Notification',
      color: 'blue',
      text: 'This destination receives the notifications of the cluster.',
    },
    place,
  );
  const failures: string[] = [];
  for (const destination of destinations) {
    const deadline = new AbortController();
    try {
      for (const shipment of channels[channel].shipments(destination, message)) {
        const tooLate = sleep(clock, notifications.retry.timeoutSeconds * 1000, deadline.signal).then(() => {
          throw new Error(`no answer within ${notifications.retry.timeoutSeconds} s`);
        });
        await Promise.race([shipment(deadline.signal), tooLate]);
      }
    } catch (error) {
      failures.push(`${destination.name}: ${error instanceof Error ? error.message : String(error)}`);
    } finally {
      deadline.abort(new Error('it was given up'));
    }
  }
  const sent = destinations.length - failures.length;
  const words = `Sent to ${sent} of ${destinations.length} destinations.`;
  return { sent: failures.length === 0, message: [words, ...failures].join(' ') };
}
