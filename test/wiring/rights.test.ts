import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Manifest } from '../../embedded-cluster/apply-objects.ts';
import { auditLabel, auditTextKey } from '../../src/adapters/cluster/audit-config-maps.ts';
import { configMaps } from '../../src/domain/names.ts';
import { definitionOf, neighbour } from '../support/builders/neighbours.ts';
import { SoftwarePasskey } from '../support/software-passkey.ts';
import { type ShippedBundles, shippedBundles } from './harness/bundles.ts';
import { namespace } from './harness/chart-release.ts';
import { everyDay } from './harness/hours.ts';
import { cronJob, statefulSet } from './harness/manifests.ts';
import { until } from './harness/until.ts';
import { WiredService } from './harness/wired-service.ts';
import { EvidenceFile } from './tables/evidence.ts';

const admin = 'ada@example.com';
const externalUrl = 'https://svc.example.com';

/** More files of the audit log than are kept. */
const auditFiles = Array.from(
  { length: 40 },
  (_, number): Manifest => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { namespace, name: `${configMaps.auditPrefix}${number}`, labels: { [auditLabel]: 'true' } },
    data: {
      [auditTextKey]: `${JSON.stringify({ id: `old-${number}`, at: '2026-01-01T00:00:00Z', kind: 'wake', title: 'Wake Complete', actor: 'schedule' })}\n`,
    },
  }),
);

/** What no key of the configuration makes the processes do, so no row asks for the right to it. */
describe('rights of the chart that no key needs', () => {
  const evidence = new EvidenceFile('rights');
  let bundles: ShippedBundles;
  let service: WiredService;

  beforeAll(async () => {
    bundles = await shippedBundles();
    service = await WiredService.install({
      bundles,
      objects: [
        statefulSet('shop/queue'),
        cronJob('shop/report'),
        definitionOf('ScaledObject'),
        neighbour('ScaledObject', 'shop/orders', { spec: { scaleTargetRef: { name: 'elsewhere' } } }),
        ...auditFiles,
      ],
      config: ({ mailPort }) => ({
        clusterName: 'wired',
        externalUrl,
        auth: { adminUsers: [admin], webauthn: { enabled: true } },
        smtp: { host: '127.0.0.1', port: mailPort },
        targeting: { kinds: ['ScaledObject'] },
        ...everyDay('off'),
      }),
    });
    await service.start('api', 'controller');
  });
  afterAll(async () => {
    evidence.releases.push(...service.releases());
    evidence.save();
    await service.close();
    await bundles.remove();
  });

  const used = (account: string, verb: string, resource: string) =>
    until(`${account} asks to ${verb} ${resource}`, () =>
      [...service.calls.values()].some(
        (call) => call.user.endsWith(`:${account}`) && call.verb === verb && call.resource.startsWith(resource),
      ),
    );

  const edit = (resource: string, name: string, spec: object) => {
    const found = service.cluster.store.get(resource, 'shop', name);
    // What is stored was applied as a manifest, so it is one.
    service.cluster.apply([{ ...found, spec: { ...(found?.['spec'] as object), ...spec } } as unknown as Manifest]);
  };

  it('suspend a CronJob, and look at it anew when its owner resumes it in the night', async () => {
    await service.says('controller', ({ msg }) => msg === 'Hibernation finished');
    await used('svc-controller', 'patch', 'cronjobs');
    edit('cronjobs.batch', 'report', { suspend: false });
    await used('svc-controller', 'get', 'cronjobs');
  });

  it('pause a ScaledObject, and look at it anew when its owner pauses it at another count', async () => {
    await used('svc-controller', 'patch', 'scaledobjects');
    const found = service.cluster.store.get('scaledobjects.keda.sh', 'shop', 'orders')!;
    const annotations = { ...found.metadata.annotations, 'autoscaling.keda.sh/paused-replicas': '2' };
    // What is stored was applied as a manifest, so it is one.
    service.cluster.apply([{ ...found, metadata: { ...found.metadata, annotations } } as unknown as Manifest]);
    await used('svc-controller', 'get', 'scaledobjects');
  });

  it('look at a StatefulSet anew when its owner raises it in the night', async () => {
    edit('statefulsets.apps', 'queue', { replicas: 2 });
    await used('svc-controller', 'get', 'statefulsets');
  });

  it('delete files of the audit log that are past their retention, and list what is left', async () => {
    await used('svc-controller', 'delete', 'configmaps');
    const { entries } = await (await service.as(admin)).audit({ query: { limit: 500 } });
    expect(entries.map(({ id }) => id)).not.toContain('old-0');
    await used('svc-api', 'list', 'configmaps');
  });

  it('add a second passkey to the first', async () => {
    const client = await service.as(admin);
    for (const name of ['Laptop', 'Phone']) {
      const { challengeId, options } = await client.passkeyRegistrationOptions();
      const response = new SoftwarePasskey().register(String(options['challenge']), externalUrl, 'svc.example.com');
      await client.registerPasskey({ body: { challengeId, name, response } });
    }
    expect((await client.passkeys()).items.map(({ name }) => name)).toEqual(['Laptop', 'Phone']);
    await used('svc-api', 'patch', 'configmaps');
  });
});
