import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ShippedBundles, shippedBundles } from './harness/bundles.ts';
import { everyDay } from './harness/hours.ts';
import { deployment, service as serviceManifest } from './harness/manifests.ts';
import { replaced } from './harness/merged.ts';
import { until } from './harness/until.ts';
import { WiredService } from './harness/wired-service.ts';

const shop = { namespace: 'shop', name: 'web' };
const crm = { namespace: 'crm', name: 'web' };
const objects = [shop, crm].flatMap(({ namespace, name }) => [
  deployment(`${namespace}/${name}`),
  serviceManifest(`${namespace}/${name}`, name),
]);
const redirecting = (...services: readonly object[]) => ({ serviceRedirection: { enabled: true, services } });

let bundles: ShippedBundles;
let service: WiredService;

beforeAll(async () => {
  bundles = await shippedBundles();
  service = await WiredService.install({
    bundles,
    objects,
    config: () => ({
      clusterName: 'wired',
      externalUrl: 'https://svc.example.com',
      ...redirecting(shop),
      ...everyDay('on'),
    }),
  });
});
afterAll(async () => {
  await service?.close();
  await bundles?.remove();
});

const redirected = () =>
  [...service.cluster.store.list('services')]
    .filter(({ metadata }) => metadata.labels?.['svc.io/redirected'] === 'true')
    .map(({ metadata }) => `${metadata.namespace}/${metadata.name}`);

describe('a service that a reload names in a namespace that the chart has not granted', () => {
  it('is told with its right, and keeps neither the hibernation nor the others', async () => {
    await service.start('controller');
    await service.reload(replaced(service.config, { ...redirecting(shop, crm), ...everyDay('off') }));
    await service.says('controller', ({ msg }) => msg === 'Hibernation started');
    // Far less than the half-minute that satellites are waited for.
    await service.says('controller', ({ msg }) => msg === 'Hibernation finished', 0, 20_000);
    await until('the service that was granted is redirected', () => redirected().includes('shop/web'));
    const told = () =>
      service.log.controller.filter(({ msg }) => msg === 'A service that serviceRedirection names gets no satellite');
    await until('the other is told', () => told().length > 0);
    expect(told()).toMatchObject([
      {
        level: 'warn',
        service: 'crm/web',
        reason: expect.stringMatching(
          /^svc may not create Deployments in the namespace crm; helm upgrade grants it .*cannot create resource "deployments"/,
        ) as string,
      },
    ]);
    expect(redirected()).toEqual(['shop/web']);
  });
});
