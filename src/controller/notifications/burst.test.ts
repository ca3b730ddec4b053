import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import type { Manifest } from '../../../embedded-cluster/apply-objects.ts';
import { EmbeddedCluster } from '../../../embedded-cluster/embedded-cluster.ts';
import { seededRandom } from '../../../embedded-cluster/seeded-random.ts';
import { VirtualClock } from '../../../embedded-cluster/time/virtual-clock.ts';
import { asShipped, noApi } from '../../../test/support/as-shipped.ts';
import { workloadsOnly } from '../../../test/support/controller-features.ts';
import { firstTry, NotifierWorld, report } from '../../../test/support/notifier-world.ts';
import { SmtpMailer } from '../../adapters/mail/smtp-mailer.ts';
import { createChannels } from '../../adapters/notification/channels.ts';
import { HttpClient } from '../../adapters/outbound/http-client.ts';
import { type Config, configTextKey, parseConfig } from '../../config/config.ts';
import { configMaps } from '../../domain/names.ts';
import { silentLogger } from '../../platform/silent-logger.ts';
import type { Notifier } from '../../ports/notifier.ts';
import { startController } from '../main.ts';
import { ControllerMetrics } from '../metrics/metrics.ts';
import { DeliveryLog } from './delivery-log.ts';
import { createNotifier } from './notifier.ts';

/** Collects what nobody holds any more, in any process. */
function collect(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}

const beforeOpening = Date.UTC(2026, 10, 16, 5, 50);
const hours = Object.fromEntries(['monday', 'tuesday', 'sunday'].map((day) => [day, '06:00-20:00']));
const config = {
  clusterName: 'dev',
  externalUrl: 'https://svc.example.com',
  workingHours: { timezone: 'UTC', schedule: hours },
  // Nobody listens there.
  smtp: { host: '127.0.0.1', port: 1, from: 'svc@example.com' },
  notifications: {
    enabled: true,
    channels: { email: { enabled: true, recipients: ['a@example.org', 'b@example.org'] } },
  },
};

function workload(index: number): Manifest {
  const labels = { app: `w${index}` };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: `w${index}`, namespace: 'shop' },
    spec: {
      replicas: 2,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'app', image: 'app:1' }] } },
    },
  } as Manifest;
}

/** How long, by the cluster's clock, a wake of forty workloads takes with this notifier and this many events beside it. */
async function wakeMs(
  makeNotifier: (clock: VirtualClock, config: Config) => Notifier,
  events: number,
): Promise<number> {
  const clock = new VirtualClock(beforeOpening - 3_600_000);
  const cluster = new EmbeddedCluster({ clock, random: seededRandom(1), events: 'none' });
  const namespace = 'svc';
  const data = { [configTextKey]: stringify(config) };
  cluster.apply([
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: configMaps.config, namespace }, data } as Manifest,
    ...Array.from({ length: 40 }, (_, index) => workload(index)),
  ]);
  cluster.start();
  const parsed = parseConfig(config);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors));
  const inner = makeNotifier(clock, parsed.config);
  const seen: { title: string; at: number }[] = [];
  const notifier: Notifier = {
    notify(notice, progress) {
      seen.push({ title: notice.title, at: clock.now() });
      if (notice.title === 'Waking Up Resources') {
        for (let index = 0; index < events; index++) void inner.notify(report(`burst-${index}`), firstTry);
      }
      return inner.notify(notice, progress);
    },
    condition: (notice, holds) => inner.condition(notice, holds),
  };
  const running = startController({
    transport: cluster.transport({ user: 'system:serviceaccount:svc:svc-controller', groups: ['system:masters'] }),
    clock,
    random: seededRandom(2),
    logger: silentLogger,
    namespace,
    ...asShipped,
    frames: noApi,
    features: workloadsOnly({ notifier }),
  });
  await clock.advance(1_000);
  const controller = await running;
  const at = (title: string) => seen.find((one) => one.title === title)?.at;
  await clock.advanceUntil(() => at('Wake Complete') !== undefined, 3 * 3_600_000);
  const stopped = controller.stop();
  // A controller that stops gives what is on its way a few seconds.
  await clock.advance(10_000);
  await stopped;
  cluster.stop();
  return at('Wake Complete')! - at('Waking Up Resources')!;
}

const quiet = (): Notifier => ({ async notify() {}, condition() {} });

function withDeadMailServer(clock: VirtualClock, parsed: Config): Notifier {
  const channels = createChannels({
    clock,
    random: seededRandom(3),
    mailer: new SmtpMailer({ settings: () => parsed.smtp }),
    web: new HttpClient(),
    keys: { keys: async () => [] },
    config: () => parsed,
  });
  const metrics = new ControllerMetrics();
  return createNotifier({
    clock,
    logger: silentLogger,
    log: new DeliveryLog(clock, { send() {} }),
    metrics,
    channels,
    config: () => parsed,
  });
}

describe('a thousand events in a burst, with a dead mail server', () => {
  it('delay a wake by less than a hundredth', async () => {
    const alone = await wakeMs(quiet, 0);
    const burst = await wakeMs(withDeadMailServer, 1_000);
    expect(alone).toBeGreaterThan(500);
    expect(Math.abs(burst - alone) / alone).toBeLessThan(0.01);
  });

  it('cost the one who tells them next to nothing, and leave no more behind than a few do', async () => {
    const world = new NotifierWorld();
    world.email.answer = () => new Promise(() => {});
    world.teams.answer = () => new Promise(() => {});
    const casualties = Array.from({ length: 20 }, (_, index) => `Deployment shop/w${index} could not be read`);
    const tell = (count: number, from: number) => {
      for (let index = 0; index < count; index++) void world.notify(report(`${from}-${index}`, { casualties }));
    };
    tell(3_000, 0);
    await world.settle();
    collect();
    const before = process.memoryUsage().heapUsed;
    const startedAt = performance.now();
    tell(30_000, 1);
    const each = (performance.now() - startedAt) / 30_000;
    // Who was told that theirs gave way hears so in the next turn.
    await world.settle();
    collect();
    const grown = process.memoryUsage().heapUsed - before;
    expect(await world.metrics.notificationQueue.get()).toMatchObject({ values: [{ value: 40 }] });
    expect(await world.sum('notificationsDropped', { channel: 'email' })).toBe(33_000 - 21);
    expect(world.deliveries.entries()).toHaveLength(200);
    expect(each).toBeLessThan(1);
    // Ten times as many events leave behind what the first did: nothing of it grows with them.
    expect(grown).toBeLessThan(1e6);
  });

  it('are composed only as far as they are sent', () => {
    const world = new NotifierWorld();
    world.email.answer = () => new Promise(() => {});
    world.teams.answer = () => new Promise(() => {});
    let composed = 0;
    for (let index = 0; index < 1_000; index++) {
      const notice = report(`${index}`);
      Object.defineProperty(notice, 'casualties', {
        get: () => {
          composed++;
          return [];
        },
      });
      void world.notify(notice);
    }
    // The first, once for both destinations; the others wait or have given way.
    expect(composed).toBe(1);
  });

  it('are counted and logged together where they give way, not a thousand times', async () => {
    const lines: unknown[] = [];
    const logger = { ...silentLogger, warn: (...line: unknown[]) => void lines.push(line) };
    const world = new NotifierWorld({}, logger);
    world.email.answer = () => new Promise(() => {});
    world.teams.answer = () => new Promise(() => {});
    for (let index = 0; index < 1_000; index++) void world.notify(report(`${index}`));
    await world.clock.advance(0);
    expect(await world.sum('notificationsDropped', { channel: 'teams' })).toBe(979);
    const message = 'Notifications were not delivered: too many were waiting';
    expect(lines).toEqual([
      [message, { channel: 'email', destination: expect.any(String), count: 979 }],
      [message, { channel: 'teams', destination: expect.any(String), count: 979 }],
    ]);
  });
});
