// Child process: the controller as its main wires it, told of a thousand events when a wake begins, if it is asked to.
import { findAccess } from '../../src/adapters/kubernetes/transport/access.ts';
import { HttpsTransport } from '../../src/adapters/kubernetes/transport/https-transport.ts';
import { smtpMailer } from '../../src/adapters/mail/smtp-mailer.ts';
import { startController } from '../../src/controller/main.ts';
import { controllerFeatures } from '../../src/controller/main-features.ts';
import type { Notice } from '../../src/domain/notification/notice.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { cryptographicRandom as random } from '../../src/platform/random.ts';
import { systemClock as clock } from '../../src/platform/system-clock.ts';
import type { CardProgress } from '../../src/ports/notifier.ts';
import type { Transport } from '../../src/ports/transport.ts';
import { asShipped, noApi } from '../../test/support/as-shipped.ts';
import { firstTry } from '../../test/support/notifier-world.ts';
import type { Asked, Wake } from './figures.ts';

const namespace = process.env['POD_NAMESPACE'] ?? 'svc';
const access = await findAccess({ env: process.env, clock });
const inner = new HttpsTransport({ access, clock });

let asked: Asked = { workloads: 0, events: 0 };
let raised = 0;
let raisedAt = 0;
let begunAt = 0;
let burstMs = 0;
let heapBefore = 0;
let occasion = 0;

const transport: Transport = {
  async send(request) {
    const response = await inner.send(request);
    const isRaise = request.method === 'PATCH' && request.path.includes('/deployments/') && response.status < 300;
    if (isRaise && begunAt > 0 && ++raised === asked.workloads) raisedAt = clock.monotonic();
    return response;
  },
};

const running = await startController({
  transport,
  clock,
  random,
  logger: createLogger({ process: 'controller', level: 'info' }),
  namespace,
  ...asShipped,
  frames: noApi,
  features: (base) => controllerFeatures(base, { env: {}, mailer: smtpMailer({}) }),
});
const { notifier, metrics } = running.ports;
Object.assign(running.ports, {
  notifier: {
    notify(notice: Notice, progress: CardProgress) {
      if (notice.key === 'wakeStarted') begin();
      const told = notifier.notify(notice, progress);
      if (begunAt > 0 && (notice.key === 'wakeComplete' || notice.key === 'wakeFailed')) void end(notice.key);
      return told;
    },
    condition: notifier.condition.bind(notifier),
  },
});

process.on('message', (message: Asked) => {
  asked = message;
  raised = 0;
  begunAt = 0;
  heapBefore = heap();
  process.send?.({ ready: true });
});

function begin(): void {
  begunAt = clock.monotonic();
  occasion++;
  for (let index = 0; index < asked.events; index++) notifier.notify(event(index), firstTry);
  burstMs = clock.monotonic() - begunAt;
}

async function end(outcome: string): Promise<void> {
  const completeMs = clock.monotonic() - begunAt;
  const raisedMs = raisedAt - begunAt;
  begunAt = 0;
  const queue = (await metrics.notificationQueue.get()).values[0]?.value ?? 0;
  const dropped = (await metrics.notificationsDropped.get()).values.reduce((sum, { value }) => sum + value, 0);
  const wake: Wake = { outcome, raisedMs, completeMs, burstMs, queue, dropped, keptBytes: heap() - heapBefore };
  process.send?.({ wake });
}

/** An event of its own each, with as much to say as a bad wake has. */
function event(index: number): Notice {
  const casualties = Array.from(
    { length: 20 },
    (_, one) => `Deployment shop/w${one} could not be read in time ${index}`,
  );
  return {
    id: `burst-${occasion}-${index}`,
    key: 'wakeFailed',
    at: clock.now(),
    title: 'Wake Failed',
    color: 'red',
    casualties,
  };
}

function heap(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

const ready = setInterval(() => {
  if (!running.ready()) return;
  clearInterval(ready);
  process.send?.({ started: true });
}, 50);
process.on('disconnect', () => process.exit(0));
