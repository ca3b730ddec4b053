import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Manifest } from '../../embedded-cluster/apply-objects.ts';
import type { WriteRecord } from '../../embedded-cluster/faults.ts';
import { type ShippedBundles, shippedBundles } from './harness/bundles.ts';
import { everyDay } from './harness/hours.ts';
import { deployment, service as serviceManifest } from './harness/manifests.ts';
import { until } from './harness/until.ts';
import { WiredService } from './harness/wired-service.ts';
import { EvidenceFile } from './tables/evidence.ts';

const admin = 'ada@example.com';

/** Asked about every Deployment, and the cluster refuses them while nobody answers. */
const failClosed = (kind: 'Mutating' | 'Validating', backend: string): Manifest => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: `${kind}WebhookConfiguration`,
  metadata: { name: `${kind.toLowerCase()}-policy` },
  webhooks: [
    {
      name: `${kind.toLowerCase()}.policy.example`,
      failurePolicy: 'Fail',
      clientConfig: { service: { namespace: 'policy', name: backend } },
      rules: [{ apiGroups: ['apps'], apiVersions: ['v1'], operations: ['*'], resources: ['deployments'] }],
    },
  ],
});

const objects = [
  deployment('policy/mutator', { behaviour: { 'start-seconds': '1' } }),
  deployment('policy/validator'),
  deployment('shop/cart'),
  serviceManifest('policy/mutator', 'mutator'),
  serviceManifest('policy/validator', 'validator'),
  failClosed('Mutating', 'mutator'),
  failClosed('Validating', 'validator'),
];

describe('fail-closed admission webhooks, with the rights of the chart', () => {
  const evidence = new EvidenceFile('webhooks');
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
        // The configuration would wake what answers them last.
        wakeOrdering: { tiers: [{ name: 'shop', select: [{ namespace: 'shop' }] }] },
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

  it('are in the warnings of the preview, of both kinds', async () => {
    const { warnings } = await (await service.as(admin)).preview({});
    const named = warnings.filter(({ code }) => code === 'webhook_backend_sleeps').map(({ workload }) => workload);
    expect(named.toSorted()).toEqual(['Deployment policy/mutator', 'Deployment policy/validator']);
  });

  it('have what answers them woken before everything else, whatever the configuration says', async () => {
    await service.says('controller', ({ msg }) => msg === 'Hibernation finished');
    const raised: string[] = [];
    const forget = service.cluster.api.faults.onWrite(({ resource, name, before, after }: WriteRecord) => {
      const replicas = (object?: object) => (object as { spec?: { replicas?: number } } | undefined)?.spec?.replicas;
      if (resource === 'deployments.apps' && replicas(before) === 0 && replicas(after) === 1) raised.push(name);
    });
    await (await service.as(admin)).wakeUp({ body: { duration: '1h' } });
    const { tiers } = await service.says('controller', ({ msg }) => msg === 'Wake started');
    expect(tiers).toEqual(['admission webhooks: 2', 'shop: 1']);
    await service.says('controller', ({ msg }) => msg === 'Wake finished');
    forget();
    expect(raised.toSorted()).toEqual(['cart', 'mutator', 'validator']);
    expect(raised.at(-1)).toBe('cart');
  });

  it('may be looked at one by one, with their pods and events, by the rights of the chart', async () => {
    const params = { namespace: 'policy', kind: 'Deployment', name: 'validator' };
    const { pods, events, resource } = await (await service.as(admin)).workload({ params });
    expect(resource?.state).toBe('up');
    expect([pods.problem, pods.items.length, events.problem]).toEqual([undefined, 1, undefined]);
  });

  it('of a kind that may not be listed leave the others as they are, and are one warning', async () => {
    const role = service.cluster.store.get('clusterroles.rbac.authorization.k8s.io', undefined, 'svc-api');
    const rules = (role?.['rules'] ?? []) as readonly { readonly resources: readonly string[] }[];
    const fewer = rules.map((rule) => ({
      ...rule,
      resources: rule.resources.filter((one) => one !== 'mutatingwebhookconfigurations'),
    }));
    // The role was applied as a manifest, so it is one.
    service.cluster.apply([{ ...role, rules: fewer } as unknown as Manifest]);
    const from = service.log.api.length;
    const client = await service.as(admin);
    for (let look = 0; look < 3; look++) {
      const { warnings } = await client.preview({});
      const named = warnings.filter(({ code }) => code === 'webhook_backend_sleeps').map(({ workload }) => workload);
      expect(named).toEqual(['Deployment policy/validator']);
    }
    const told = () =>
      service.log.api.slice(from).filter(({ msg }) => msg.startsWith('A part of the admission webhooks'));
    await until('the warning', () => told().length > 0);
    expect(told().map(({ level, part }) => [level, part])).toEqual([['warn', 'mutatingwebhookconfigurations']]);
    // As above.
    service.cluster.apply([role as unknown as Manifest]);
  });
});
