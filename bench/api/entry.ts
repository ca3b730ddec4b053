// Child process: the API as it ships, but for its limits, and a bare route of the same library beside it.
import { fastify } from 'fastify';
import { MemoryInbox } from '../../demo/memory-inbox.ts';
import { findAccess } from '../../src/adapters/kubernetes/transport/access.ts';
import { HttpsTransport } from '../../src/adapters/kubernetes/transport/https-transport.ts';
import { startApi } from '../../src/api/main.ts';
import { withoutCompilers } from '../../src/api/server/without-compilers.ts';
import { cryptographicRandom } from '../../src/platform/random.ts';
import { silentLogger } from '../../src/platform/silent-logger.ts';
import { systemClock } from '../../src/platform/system-clock.ts';
import { nobodyOutside, onlyFeatures } from '../../test/support/api-features.ts';
import { asShipped } from '../../test/support/as-shipped.ts';

const clock = systemClock;
const access = await findAccess({ env: process.env, clock });
const inbox = new MemoryInbox();
const running = await startApi({
  transport: new HttpsTransport({ access, clock }),
  clock,
  random: cryptographicRandom,
  logger: silentLogger,
  namespace: access.namespace,
  secrets: { jwt: 'a secret for the benchmark alone, 0123456789', internalApi: 'internal' },
  port: 0,
  host: '127.0.0.1',
  mailer: () => inbox,
  ...asShipped,
  version: 'bench',
  outbound: nobodyOutside,
  features: onlyFeatures(),
  requestsPerMinute: 100_000_000,
  streams: { total: 2000, perUser: 2000, backlog: 256 * 1024 },
});
const bare = fastify({ logger: false, schemaController: withoutCompilers });
bare.get('/hello', async () => ({ hello: 'world' }));
const hello = await bare.listen({ port: 0, host: '127.0.0.1' });

const { app } = running.api.server;
const email = 'ada@example.com';
await app.inject({ method: 'POST', url: '/api/v1/auth/request-otp', payload: { email } });
const otp = /\b\d{8}\b/.exec(inbox.last(email)?.text ?? '')?.[0];
const verified = await app.inject({ method: 'POST', url: '/api/v1/auth/verify-otp', payload: { email, otp } });
const waiting = setInterval(() => {
  if (!running.ready()) return;
  clearInterval(waiting);
  process.send?.({ url: running.url, hello, token: verified.json().token });
}, 50);
process.on('message', () => running.api.hub.publish('audit', { id: 'to everybody' }));
process.on('disconnect', () => process.exit(0));
