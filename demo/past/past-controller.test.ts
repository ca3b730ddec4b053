import { expect, it } from 'vitest';
import { EmbeddedCluster } from '../../embedded-cluster/embedded-cluster.ts';
import { seededRandom } from '../../embedded-cluster/seeded-random.ts';
import { PacedClock } from '../../embedded-cluster/time/paced-clock.ts';
import { configTextKey } from '../../src/config/config.ts';
import { configMaps } from '../../src/domain/names.ts';
import { PastClock } from './past-clock.ts';
import { startPastController } from './past-controller.ts';

const dayMs = 86_400_000;

it('a quiet day opens hardly a watch anew: at the pace of the clock of watches', async () => {
  const clock = new PastClock(Date.UTC(2026, 10, 14, 12));
  const watchClock = new PacedClock(clock, 1 / 240);
  const cluster = new EmbeddedCluster({ clock, watchClock, random: seededRandom(1), events: 'none' });
  const namespace = 'svc';
  const data = { [configTextKey]: JSON.stringify({ clusterName: 'demo', externalUrl: 'https://svc.example.com' }) };
  cluster.apply([{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: configMaps.config, namespace }, data }]);
  cluster.start();
  const controller = await startPastController({ clock, watchClock, cluster, namespace });
  let watches = 0;
  cluster.api.faults.onRequest(({ verb }) => {
    if (verb === 'watch') watches++;
  });
  await clock.advance(dayMs);
  expect(watches).toBeLessThan(20);
  await controller.stop();
  cluster.stop();
});
