import { describeRows } from './harness/rows.ts';
import { answerHooks, deliveryBase, deliveryRows } from './rows/delivery.ts';
import { wakeSecrets } from './rows/external-wake.ts';

describeRows('delivery-keys', deliveryRows, {
  processes: ['api', 'controller'],
  base: deliveryBase,
  values: wakeSecrets,
  observe: ({ outside }) => answerHooks(outside),
});
