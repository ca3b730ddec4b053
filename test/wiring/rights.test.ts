import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Manifest } from '../../embedded-cluster/apply-objects.ts';
import { auditLabel, auditTextKey } from '../../src/adapters/cluster/audit-config-maps.ts';
import type { Sleep } from '../../src/domain/kinds/kind-row.ts';
import { rowOf } from '../../src/domain/kinds/kinds.ts';
import { patchAt, stepsTo } from '../../src/domain/kinds/place.ts';
import { configMaps } from '../../src/domain/names.ts';
import {
  customDefinition,
  customObject,
  definitionOf,
  isBuiltIn,
  type NeighbourKind,
  neighbour,
  storageOf,
} from '../support/builders/neighbours.ts';
import { SoftwarePasskey } from '../support/software-passkey.ts';
import { type ShippedBundles, shippedBundles } from './harness/bundles.ts';
import { namespace } from './harness/chart-release.ts';
import { everyDay } from './harness/hours.ts';
import { cronJob, deployment, service as serviceManifest, statefulSet } from './harness/manifests.ts';
import { replaced } from './harness/merged.ts';
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

interface Sleeper {
  /** As `config.targeting.kinds` has it. */
  readonly kind: NeighbourKind | typeof described;
  /** `plural.group`. */
  readonly resource: string;
  readonly sleep: Sleep;
  /** Where the cluster does not have it by itself. */
  readonly definition: readonly Manifest[];
  readonly objects: readonly Manifest[];
  /** What its owner writes where it sleeps by, to have it back in the night. */
  readonly raised: unknown;
}

/** A kind that only the configuration knows. */
const pools = { kind: 'Pool', group: 'example.com', version: 'v1', plural: 'pools' };
const described = { ...pools, scale: '/spec/replicas' };

/** A right in the whole cluster has to be used in two of them. */
const places = ['shop', 'crm'] as const;

const sleeper = (kind: NeighbourKind, raised: unknown, spec: Readonly<Record<string, unknown>> = {}): Sleeper => ({
  kind,
  resource: storageOf(kind),
  sleep: rowOf(kind).sleep,
  definition: isBuiltIn(kind) ? [] : [definitionOf(kind)],
  objects: places.map((place) => neighbour(kind, `${place}/one`, { spec })),
  raised,
});
/** What the Application applies, as Argo CD writes it into its status. */
const applied = (namespace: string) => [{ group: 'apps', kind: 'Deployment', namespace, name: 'web' }];
/** One of each way to sleep; `tables/ways-to-sleep.ts` holds them against the table of kinds. */
const sleepers: readonly Sleeper[] = [
  sleeper('Kustomization', false),
  sleeper('Application', 'false', {
    destination: { name: 'in-cluster' },
    syncPolicy: { automated: { selfHeal: true } },
  }),
  sleeper('ScaledObject', '2', { scaleTargetRef: { name: 'elsewhere' } }),
  sleeper('Rollout', 2, { replicas: 1 }),
  sleeper('postgresql', 2, { numberOfInstances: 1 }),
  sleeper('AutoscalingRunnerSet', 2, { maxRunners: 1, minRunners: 0 }),
  sleeper('DaemonSet', 'false', { template: { spec: {} } }),
  sleeper('HorizontalPodAutoscaler', 'Max', {
    scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'scaled' },
    minReplicas: 0,
    maxReplicas: 2,
  }),
  {
    kind: described,
    resource: `${pools.plural}.${pools.group}`,
    sleep: { by: 'scale', pointer: described.scale },
    definition: [customDefinition(pools)],
    objects: places.map((place) => customObject(pools, `${place}/one`, { spec: { replicas: 1 } })),
    raised: 2,
  },
];
const shop = { namespace: 'shop', name: 'web' };

/** What no key of the configuration makes the processes do, so no row asks for the right to it. */
describe('rights of the chart that no key needs', () => {
  const evidence = new EvidenceFile('rights');
  let bundles: ShippedBundles;
  let service: WiredService;

  beforeAll(async () => {
    bundles = await shippedBundles();
    service = await WiredService.install({
      bundles,
      streamingLists: false,
      objects: [
        ...places.flatMap((place) => [statefulSet(`${place}/queue`), cronJob(`${place}/report`)]),
        ...places.map((place) => deployment(`${place}/scaled`)),
        ...places.map((place) =>
          deployment(`${place}/web`, {
            labels: { 'kustomize.toolkit.fluxcd.io/name': 'one', 'kustomize.toolkit.fluxcd.io/namespace': place },
          }),
        ),
        serviceManifest('shop/web', 'web'),
        ...sleepers.flatMap(({ definition, objects }) => [...definition, ...objects]),
        ...auditFiles,
      ],
      config: ({ mailPort }) => ({
        clusterName: 'wired',
        externalUrl,
        auth: { adminUsers: [admin], webauthn: { enabled: true } },
        smtp: { host: '127.0.0.1', port: mailPort },
        serviceRedirection: { enabled: true, services: [shop] },
        ...everyDay('off'),
      }),
    });
    const store = storageOf('Application');
    for (const place of places) {
      service.cluster.store.update(store, {
        ...service.cluster.store.get(store, place, 'one')!,
        status: { resources: applied(place) },
      });
    }
    await service.start('api', 'controller');
  });
  afterAll(async () => {
    evidence.releases.push(...service.releases());
    evidence.save();
    await service.close();
    await bundles.remove();
  });

  const used = (account: string, verb: string, resource: string, where?: string) =>
    until(`${account} asks to ${verb} ${resource} in ${where ?? 'any namespace'}`, () =>
      [...service.calls.values()].some(
        (call) =>
          call.user.endsWith(`:${account}`) &&
          call.verb === verb &&
          call.resource.startsWith(resource) &&
          (where === undefined || call.namespace === where),
      ),
    );

  const edit = (resource: string, where: string, name: string, spec: object) => {
    const found = service.cluster.store.get(resource, where, name);
    // What is stored was applied as a manifest, so it is one.
    service.cluster.apply([{ ...found, spec: { ...(found?.['spec'] as object), ...spec } } as unknown as Manifest]);
  };

  it('end a redirect of an earlier release', async () => {
    await service.says('controller', ({ msg }) => msg === 'Hibernation finished');
    await service.upgrade(replaced(service.config, { serviceRedirection: { enabled: false, services: [] } }));
    await used('svc-controller', 'patch', 'services');
    await used('svc-controller', 'delete', 'deployments');
    await service.says('controller', ({ msg }) => msg === 'Redirect ended');
  });

  it('look at a CronJob anew when its owner resumes it in the night, and take our mark off', async () => {
    for (const where of places) {
      edit('cronjobs.batch', where, 'report', { suspend: false });
      await used('svc-controller', 'get', 'cronjobs', where);
      await used('svc-controller', 'patch', 'cronjobs', where);
    }
  });

  it('look at a StatefulSet anew when its owner raises it in the night', async () => {
    for (const where of places) {
      edit('statefulsets.apps', where, 'queue', { replicas: 2 });
      await used('svc-controller', 'get', 'statefulsets', where);
    }
  });

  it('delete files of the audit log that are past their retention, and list what is left', async () => {
    await until('files of the audit log are deleted', () =>
      service
        .releases()
        .some(({ calls }) => calls.some((call) => call.verb === 'delete' && call.resource === 'configmaps')),
    );
    const { entries } = await (await service.as(admin)).audit({ query: { limit: 500 } });
    expect(entries.map(({ id }) => id)).not.toContain('old-0');
    await used('svc-api', 'list', 'configmaps');
  });

  it('show why a workload is not up', async () => {
    const client = await service.as(admin);
    for (const where of places) {
      await client.workload({ params: { namespace: where, kind: 'StatefulSet', name: 'queue' } });
      await used('svc-api', 'list', 'pods', where);
      await used('svc-api', 'list', 'events', where);
    }
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

  /** As its owner does it, at the place that the kind sleeps by. */
  const raise = ({ resource, sleep, raised }: Sleeper, where: string) => {
    const found = service.cluster.store.get(resource, where, 'one')!;
    // What is stored was applied as a manifest, so it is one.
    service.cluster.apply([replaced(found, patchAt(stepsTo(sleep), raised)) as unknown as Manifest]);
  };

  const comesBack = async (one: Sleeper) => {
    const { resource } = one;
    await used('svc-api', 'watch', resource);
    for (const where of places) {
      await used('svc-controller', 'patch', resource, where);
      raise(one, where);
      await used('svc-controller', 'get', resource, where);
    }
  };

  it('put a kind of each way to sleep down, and look at it anew when its owner raises it', async () => {
    const { controller } = service.marks();
    await service.upgrade(replaced(service.config, { targeting: { kinds: sleepers.map(({ kind }) => kind) } }));
    await service.says('controller', ({ msg }) => msg === 'Hibernation finished', controller);
    await Promise.all(sleepers.map(comesBack));
  });
});
