import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { definitionOf, neighbour, storageOf } from '../support/builders/neighbours.ts';
import { type ShippedBundles, shippedBundles } from './harness/bundles.ts';
import { everyDay } from './harness/hours.ts';
import { deployment } from './harness/manifests.ts';
import { replaced } from './harness/merged.ts';
import { until } from './harness/until.ts';
import { WiredService } from './harness/wired-service.ts';

const admin = 'ada@example.com';
const objects = [
  deployment('shop/cart', {
    replicas: 2,
    labels: { 'kustomize.toolkit.fluxcd.io/name': 'apps', 'kustomize.toolkit.fluxcd.io/namespace': 'flux' },
  }),
  definitionOf('Kustomization'),
  neighbour('Kustomization', 'flux/apps'),
];

let bundles: ShippedBundles;
let service: WiredService;

beforeAll(async () => {
  bundles = await shippedBundles();
  service = await WiredService.install({
    bundles,
    objects,
    config: ({ mailPort }) => ({
      clusterName: 'wired',
      externalUrl: 'https://svc.example.com',
      auth: { adminUsers: [admin] },
      smtp: { host: '127.0.0.1', port: mailPort },
      ...everyDay('off'),
    }),
  });
});
afterAll(async () => {
  await service?.close();
  await bundles?.remove();
});

const replicas = () => {
  const cart = service.cluster.store.get('deployments.apps', 'shop', 'cart') as { spec?: { replicas?: number } };
  return cart.spec?.replicas;
};

const isQuiet = () => {
  const apps = service.cluster.store.get(storageOf('Kustomization'), 'flux', 'apps') as {
    spec?: { suspend?: boolean };
  };
  return apps.spec?.suspend === true;
};

describe('a kind that a reload names and the chart has not granted', () => {
  it('keeps no stand-down from handing everything back', async () => {
    await service.start('api', 'controller');
    await service.says('controller', ({ msg }) => msg === 'Hibernation finished');
    expect(replicas()).toBe(0);
    const client = await service.as(admin);
    await service.reload(replaced(service.config, { targeting: { kinds: ['Kustomization'] } }));
    await service.says('controller', ({ error }) => /kustomizations.* is forbidden/.test(String(error)));
    await client.standDown({ body: {} });
    await until('everything is handed back', () => replicas() === 2);
    await until('and said to be', async () => {
      const { standDown } = await client.hibernationStatus();
      return standDown?.handbackDone === true;
    });
  });
});

describe('a kind that an upgrade takes off the list in the night', () => {
  it('is told as not back by the wake, which brings everything else up', async () => {
    const kinds = (...named: readonly string[]) => replaced(service.config, { targeting: { kinds: named } });
    const client = await service.as(admin);
    await service.reload(kinds());
    await client.endStandDown();
    await service.upgrade(kinds('Kustomization'));
    await until('the Kustomization is quiet', isQuiet);
    await until('what it applies sleeps', () => replicas() === 0);
    await service.upgrade(kinds());
    const { controller } = service.marks();
    await service.reload(replaced(service.config, everyDay('on')));
    const ended = await service.says('controller', ({ msg }) => msg === 'Wake finished', controller);
    expect(ended).toMatchObject({ result: 'failed', failed: [expect.stringContaining('Kustomization flux/apps')] });
    expect([replicas(), isQuiet()]).toEqual([2, true]);
  });
});
