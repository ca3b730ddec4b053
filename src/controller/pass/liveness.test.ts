import { describe, expect, it } from 'vitest';
import { EmbeddedCluster } from '../../../embedded-cluster/embedded-cluster.ts';
import { seededRandom } from '../../../embedded-cluster/seeded-random.ts';
import { VirtualClock } from '../../../embedded-cluster/time/virtual-clock.ts';
import { asShipped, noApi } from '../../../test/support/as-shipped.ts';
import { workloadsOnly } from '../../../test/support/controller-features.ts';
import { silentLogger } from '../../platform/silent-logger.ts';
import type { Companion } from '../beside/companion.ts';
import { type RunningController, startController } from '../main.ts';

/** Monday noon in Berlin; the night begins at 20:00. */
const noon = Date.UTC(2026, 0, 5, 11);
const minute = 60_000;

const never: Companion = {
  name: 'never ends',
  sleep: () => new Promise(() => {}),
  wake: async () => [],
  plan: async () => ({}),
  dueAt: () => undefined,
  lastCall: async () => [],
};

async function world(companions: readonly Companion[], config: object = {}) {
  const clock = new VirtualClock(noon);
  const cluster = new EmbeddedCluster({ clock, random: seededRandom(1), events: 'none' });
  const text = (more: object) =>
    JSON.stringify({ clusterName: 'test', externalUrl: 'https://svc.example.com', ...config, ...more });
  const apply = (more: object = {}) =>
    cluster.apply([
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'svc' } },
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } },
      {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'svc-config', namespace: 'svc' },
        data: { 'config.yaml': text(more) },
      },
      {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name: 'web', namespace: 'shop' },
        spec: {
          replicas: 1,
          selector: { matchLabels: { app: 'web' } },
          template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'app', image: 'a:1' }] } },
        },
      },
    ]);
  apply();
  cluster.start();
  const starting = startController({
    transport: cluster.transport({ user: 'kubernetes-admin', groups: ['system:masters'] }),
    clock,
    random: seededRandom(2),
    logger: silentLogger,
    namespace: 'svc',
    ...asShipped,
    frames: noApi,
    features: workloadsOnly({ companions }),
  });
  await clock.advance(1000);
  return { clock, cluster, apply, controller: await starting };
}

async function value(controller: RunningController, name: string): Promise<string | undefined> {
  const { text } = await controller.metrics.render();
  return new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'm').exec(text)?.[1];
}

describe('the liveness of the controller', () => {
  it('holds through a day and a night', async () => {
    const { clock, controller } = await world([]);
    for (let hour = 0; hour < 26; hour++) {
      await clock.advance(60 * minute);
      expect([hour, controller.alive()]).toEqual([hour, true]);
    }
    await controller.stop();
  });

  it('ends when a pass never does', async () => {
    const { clock, controller } = await world([never]);
    await clock.advance(8 * 60 * minute + 5 * minute);
    expect(controller.alive()).toBe(true);
    await clock.advance(20 * minute);
    expect(controller.alive()).toBe(false);
  });

  it('holds while the apiserver refuses every read, which a restart would not mend', async () => {
    const { clock, cluster, controller } = await world([]);
    await clock.advance(minute);
    cluster.stop();
    await clock.advance(90 * minute);
    expect(controller.alive()).toBe(true);
    await controller.stop();
  });
});

describe('what is measured', () => {
  it('says nothing of a license before it was checked, instead of 0', async () => {
    const { clock, controller } = await world([]);
    const fresh = new (controller.metrics.constructor as new () => typeof controller.metrics)();
    const { text } = await fresh.render();
    expect(text.match(/^svc_(license_acts|state_readable|acting|state_configmap_size_bytes) .*$/gm)).toBeNull();
    await clock.advance(minute);
    expect(await value(controller, 'svc_license_acts')).toBe('1');
    await controller.stop();
  });

  it('says that a changed configuration is refused, until it is mended', async () => {
    const { clock, controller, apply } = await world([]);
    await clock.advance(minute);
    expect(await value(controller, 'svc_config_refused')).toBe('0');
    apply({ workingHours: { timezone: 'Europe/Berln' } });
    await clock.advance(minute);
    expect(await value(controller, 'svc_config_refused')).toBe('1');
    apply({ workingHours: { timezone: 'Europe/Berlin' } });
    await clock.advance(minute);
    expect(await value(controller, 'svc_config_refused')).toBe('0');
    await controller.stop();
  });
});
