import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { resources } from '../../src/adapters/kubernetes/client/resource-type.ts';
import { type RealCluster, realCluster } from '../cluster/harness/real-cluster.ts';
import { signedWake } from '../wiring/harness/signed-wake.ts';
import { chartFolder } from './harness/helm.ts';
import { type AssembledImages, assembleImages } from './harness/images.ts';
import { onProcessNode } from './harness/kubelet/process-node.ts';
import { ProcessKubelet } from './harness/process-kubelet.ts';
import { Release } from './harness/release.ts';

const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
const everyDay = (hours: string) => Object.fromEntries(days.map((day) => [day, hours]));
const soon = { timeout: 60_000, interval: 200 };
const quick = { initialDelaySeconds: 0, periodSeconds: 1, timeoutSeconds: 1 };
/** A key as it stands: nothing that could be base64. */
const hmac = 'branch-hmac-'.padEnd(40, '0123456789');

let cluster: RealCluster;
let shop: string;
let release: Release;
let images: AssembledImages;
let kubelet: ProcessKubelet;

beforeAll(async () => {
  [cluster, images] = await Promise.all([realCluster(), assembleImages(['controller', 'api', 'frontend'])]);
  shop = await cluster.namespace('shop');
  for (const name of ['db', 'web', 'other']) await deployment(name);
  await cluster.admin.client.create(resources.services, shop, {
    metadata: { name: 'web' },
    spec: { selector: { app: 'web' }, ports: [{ port: 80, targetPort: 8080 }] },
  });
  release = await Release.install(cluster, {
    ...onProcessNode,
    // Satellites are not ours to run: they go where the workloads are.
    satellite: {
      nodeSelector: { 'sim.svc.io/node': 'true' },
      tolerations: [{ key: 'example.com/none', operator: 'Exists' }],
    },
    resources: { controller: { limits: { memory: '256Mi' } } },
    config: {
      targeting: { namespaces: { exclude: await everyOther() } },
      workingHours: { timezone: 'UTC', schedule: everyDay('off') },
      wakeOrdering: { tiers: [{ name: 'data', select: [{ namespace: shop, name: 'db' }] }] },
      serviceRedirection: { enabled: true, services: [{ namespace: shop, name: 'web' }] },
      externalWake: {
        enabled: true,
        localClusterName: 'dev',
        clusters: [{ name: 'branch', secretRef: { name: 'wake', key: 'hmac' } }],
      },
    },
    externalWakeSecrets: { create: true, secrets: [{ name: 'wake', keys: { hmac } }] },
    readinessProbe: quick,
    startupProbe: { ...quick, failureThreshold: 60 },
  });
  kubelet = await ProcessKubelet.start({ admin: cluster.admin, namespace: release.namespace, images: images.folder });
});

afterAll(async () => {
  await release?.uninstall('--no-hooks').catch(() => {});
  await kubelet?.close();
  await images?.remove();
  await cluster?.close();
});

function deployment(name: string): Promise<unknown> {
  const template = {
    metadata: { labels: { app: name } },
    spec: { terminationGracePeriodSeconds: 0, containers: [{ name: 'main', image: 'example/main:1' }] },
  };
  const spec = { replicas: 2, selector: { matchLabels: { app: name } }, template };
  return cluster.admin.client.create(resources.deployments, shop, { metadata: { name }, spec });
}

/** The cluster may be one that somebody lent us: nothing but the test's own workloads is in scope. */
async function everyOther(): Promise<readonly object[]> {
  const { items } = await cluster.admin.client.list(resources.namespaces);
  return items.map(({ metadata }) => ({ exact: metadata?.name })).filter(({ exact }) => exact !== shop);
}

async function sizes(): Promise<Readonly<Record<string, number>>> {
  const { items } = await cluster.admin.client.list(resources.deployments, { namespace: shop });
  return Object.fromEntries(items.map(({ metadata, spec }) => [metadata?.name, spec?.replicas]));
}

async function selector(): Promise<unknown> {
  const { spec } = await cluster.admin.client.get(resources.services, { namespace: shop, name: 'web' });
  return spec?.selector;
}

async function stateOf(key: string): Promise<unknown> {
  const ref = { namespace: release.namespace, name: 'svc-state' };
  const { data } = await cluster.admin.client.get(resources.configMaps, ref);
  return JSON.parse(data?.[key] || 'null');
}

/** With the controller's last words, should it not come to be so. */
async function until(holds: () => Promise<void>): Promise<void> {
  try {
    await vi.waitFor(holds, soon);
  } catch (error) {
    const log = kubelet.process('controller', 'controller').log.slice(-15).join('\n');
    throw new Error(`${String(error)}\n${kubelet.problems.join('\n')}\nThe controller's last words:\n${log}`);
  }
}

const night = { db: 0, web: 0, other: 0, 'svc-satellite-web': 1 };
const day = { db: 2, web: 2, other: 2 };
const toSatellite = { 'svc.io/satellite': 'web' };
const own = { app: 'web' };
const asleep = () => until(async () => expect([await sizes(), await selector()]).toEqual([night, toSatellite]));

async function set(...values: readonly string[]): Promise<void> {
  const sets = values.flatMap((value) => ['--set-json', value]);
  // The configuration was edited by hand in between, which helm would respect.
  await release.helm(['upgrade', 'svc', chartFolder, '--reuse-values', '--force-conflicts', ...sets]);
}
const unnamed = 'config.serviceRedirection.services=[]';
const named = () => `config.serviceRedirection.services=[{"namespace":"${shop}","name":"web"}]`;

describe('around the core, with helm on a real control plane', () => {
  it('a larger limit of the values is a larger heap of the controller', async () => {
    await asleep();
    const entry = `${images.folder}/controller/app/controller.mjs`;
    const commands = readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap(commandOf);
    const own = commands.filter((command) => command.includes(entry) && command[0]?.endsWith('/node'));
    expect(own.map((command) => command.find((word) => word.includes('old-space')))).toEqual([
      '--max-old-space-size=112',
    ]);
  });

  const wake = (body?: object, method: 'POST' | 'DELETE' = 'POST') =>
    signedWake({
      apiUrl: kubelet.url('svc-app', 'http'),
      ownUrl: 'https://svc.example.com',
      cluster: 'branch',
      key: hmac,
      method,
      ...(body === undefined ? {} : { body }),
    });

  it('a wake of what another cluster names keeps the order, has verdicts, and is ready when the pods are', async () => {
    await vi.waitFor(() => expect(kubelet.pod('app')?.ready).toBe(true), soon);
    const both = { resources: ['web', 'db'].map((name) => ({ namespace: shop, name })) };
    const first = await wake(both);
    expect(first).toMatchObject({ code: 'taken', body: { ready: false } });
    await until(async () => expect(await sizes()).toMatchObject({ db: 2, web: 2, other: 0 }));
    await until(async () => expect((await wake(both)).body).toMatchObject({ ready: true, renewed: true }));
    const { items } = await cluster.admin.client.list(resources.pods, { namespace: shop });
    const of = (app: string) => items.filter(({ metadata }) => metadata?.labels?.['app'] === app);
    const ready = of('db').map(({ status }) => status?.conditions?.find(({ type }) => type === 'Ready'));
    expect(ready.map((condition) => condition?.status)).toEqual(['True', 'True']);
    const upSince = Math.max(...ready.map((condition) => Date.parse(String(condition?.lastTransitionTime))));
    const webBegan = Math.min(...of('web').map(({ metadata }) => Date.parse(String(metadata?.creationTimestamp))));
    expect(webBegan).toBeGreaterThanOrEqual(upSince);
    const told = kubelet.process('controller', 'controller').log.filter((line) => line.includes('Wake finished'));
    expect(told.map((line) => (JSON.parse(line) as { result: string }).result)).toEqual(['success']);
    expect(await selector()).toEqual(own);
  });

  it('a name that there is nothing of is not ready, and is told', async () => {
    const answer = await wake({ resources: [{ namespace: shop, name: 'wbe' }] });
    expect(answer.body).toMatchObject({ ready: false, notFound: [expect.stringContaining('wbe')] });
    expect(await wake(undefined, 'DELETE')).toMatchObject({ code: 'taken', body: { ended: 2 } });
    await asleep();
  });

  it('a configuration that breaks a rule is a metric until it is mended', async () => {
    const ref = { namespace: release.namespace, name: 'svc-config' };
    const { data } = await cluster.admin.client.get(resources.configMaps, ref);
    const text = data?.['config.yaml'] ?? '';
    const write = (changed: string) =>
      cluster.admin.client.patch(resources.configMaps, ref, {
        type: 'merge',
        body: { data: { 'config.yaml': changed } },
      });
    const refused = async () => {
      const metrics = await (await fetch(`${kubelet.url('svc-controller', 'metrics')}/metrics`)).text();
      return [/^svc_config_refused (\d)/m.exec(metrics)?.[1], /^svc_license_acts (\d)/m.exec(metrics)?.[1]];
    };
    await write(text.replace('timezone: UTC', 'timezone: Europe/Berln'));
    await until(async () => expect(await refused()).toEqual(['1', '1']));
    expect(await sizes()).toEqual(night);
    await write(text);
    await until(async () => expect(await refused()).toEqual(['0', '1']));
  });

  it('a stand-down hands back a service that is un-named with it', async () => {
    await set(unnamed, 'config.global.enabled=false');
    await until(async () => expect([await sizes(), await selector()]).toEqual([day, own]));
    await until(async () => expect(await stateOf('stand_down')).toMatchObject({ handbackDone: true }));
  });

  it('an uninstall hands back a service that was un-named before it', async () => {
    await set(named(), 'config.global.enabled=true');
    await asleep();
    await set(unnamed);
    await release.uninstall('--timeout', '2m');
    expect([await sizes(), await selector()]).toEqual([day, own]);
  });
});

function commandOf(pid: string): readonly (readonly string[])[] {
  try {
    return [readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')];
  } catch {
    return [];
  }
}
