// The controller, with its writes timed on their way out. Says `patched` when the asked-for number of workloads is written.
import { findAccess } from '../../src/adapters/kubernetes/transport/access.ts';
import { HttpsTransport } from '../../src/adapters/kubernetes/transport/https-transport.ts';
import { startController } from '../../src/controller/main.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { cryptographicRandom as random } from '../../src/platform/random.ts';
import { systemClock as clock } from '../../src/platform/system-clock.ts';
import type { Transport, TransportRequest } from '../../src/ports/transport.ts';
import { asShipped, noApi } from '../../test/support/as-shipped.ts';
import { workloadsOnly } from '../../test/support/controller-features.ts';

const namespace = process.env['POD_NAMESPACE'] ?? 'svc';
const lifted = process.env['LIMITS'] === 'lifted';

let expected = 0;
let patched = 0;
let stateWrites = 0;
let processor = process.cpuUsage();
let firstWriteAt: number | undefined;
let firstPatchAt: number | undefined;

process.on('message', (message: { expect?: number; spent?: true }) => {
  if (message.expect !== undefined) {
    expected = message.expect;
    patched = 0;
    stateWrites = 0;
    processor = process.cpuUsage();
    firstWriteAt = undefined;
    firstPatchAt = undefined;
    process.send?.({ expecting: true });
  }
  if (message.spent) {
    const { user, system } = process.cpuUsage(processor);
    process.send?.({ spent: { stateWrites, processorMs: (user + system) / 1000 } });
  }
});

const access = await findAccess({ env: process.env, clock });
const inner = new HttpsTransport({ access, clock });
const timed: Transport = {
  async send(request) {
    const sentAt = clock.monotonic();
    const response = await inner.send(request);
    if (request.method !== 'GET' && response.status < 300) note(request, sentAt);
    return response;
  },
};

function note({ method, path }: TransportRequest, sentAt: number): void {
  if (path.includes('/configmaps')) {
    if (path.includes('/svc-state') || method === 'POST') stateWrites++;
    firstWriteAt ??= sentAt;
  }
  if (!path.includes('/deployments/')) return;
  firstPatchAt ??= sentAt;
  if (++patched !== expected) return;
  const now = clock.monotonic();
  process.send?.({
    patched: { count: patched, ms: now - firstPatchAt, withRecordMs: now - (firstWriteAt ?? firstPatchAt) },
  });
}

const running = await startController({
  transport: timed,
  clock,
  random,
  logger: createLogger({ process: 'controller', level: 'warn' }),
  namespace,
  ...asShipped,
  frames: noApi,
  features: workloadsOnly(),
  ...(lifted ? { rate: { qps: Number.POSITIVE_INFINITY, burst: 1 } } : {}),
});
const ready = setInterval(() => {
  if (!running.ready()) return;
  clearInterval(ready);
  process.send?.({ ready: true });
}, 50);
