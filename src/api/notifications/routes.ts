import { isOff } from '../../ports/off.ts';
import type { Handlers } from '../call/call.ts';
import type { ApiPorts } from '../call/ports.ts';
import { Refusal } from '../call/refusal.ts';
import { off } from '../status/routes.ts';
import type { Deliveries } from './deliveries.ts';

export function notificationHandlers(
  ports: ApiPorts,
  deliveries: () => Deliveries,
): Pick<Handlers, 'notificationDeliveries' | 'testNotification'> {
  return {
    async notificationDeliveries() {
      const { enabled } = ports.config().notifications;
      return { enabled, items: enabled ? [...deliveries()] : [] };
    },
    async testNotification(call) {
      if (!ports.config().notifications.enabled) throw off('config.notifications.enabled');
      const { channel } = call.body;
      const { testNotification } = ports.features;
      if (isOff(testNotification)) throw new Refusal('feature_disabled', testNotification.off);
      const sent = await testNotification(channel);
      if (sent === undefined) throw off(`config.notifications.channels.${channel}.enabled`);
      return sent;
    },
  };
}
