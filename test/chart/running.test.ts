import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { resources } from '../../src/adapters/kubernetes/client/resource-type.ts';
import { metricsTable } from '../../tools/generate/metrics-table.ts';
import { type RealCluster, realCluster } from '../cluster/harness/real-cluster.ts';
import { type AssembledImages, assembleImages } from './harness/images.ts';
import { memoryLimitBytes } from './harness/kubelet/container-process.ts';
import { onProcessNode } from './harness/kubelet/process-node.ts';
import { ProcessKubelet } from './harness/process-kubelet.ts';
import { Release } from './harness/release.ts';
import { asleep, type Sizes, Sleepers } from './harness/sleepers.ts';

const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
const week = (hours: string) => days.map((day) => `config.workingHours.schedule.${day}=${hours}`);
const everyDay = (hours: string) => Object.fromEntries(days.map((day) => [day, hours]));
const unsignedLicense = `-----BEGIN SVC LICENSE-----\n${'A'.repeat(120)}\n-----END SVC LICENSE-----`;
const mebibyte = 1024 * 1024;
const soon = { timeout: 30_000, interval: 100 };
const quick = { initialDelaySeconds: 0, periodSeconds: 1, timeoutSeconds: 1 };

let cluster: RealCluster;
let release: Release;
let images: AssembledImages;
let kubelet: ProcessKubelet;
let sleepers: Sleepers;
let awake: Sizes;

beforeAll(async () => {
  [cluster, images] = await Promise.all([realCluster(), assembleImages(['controller', 'api', 'frontend'])]);
  const namespace = await cluster.namespace('shop');
  sleepers = new Sleepers(cluster.admin.client, namespace);
  awake = await sleepers.create(30, 10, 10);
  release = await Release.install(cluster, {
    ...onProcessNode,
    config: {
      targeting: { namespaces: { exclude: await everyOther(namespace) } },
      workingHours: { timezone: 'UTC', schedule: everyDay('on') },
    },
    // A label of the users' own in the place of one of ours: our pods must be found all the same.
    podLabels: { 'app.kubernetes.io/part-of': 'platform' },
    readinessProbe: quick,
    startupProbe: { ...quick, failureThreshold: 60 },
    livenessProbe: { periodSeconds: 5 },
  });
  kubelet = await ProcessKubelet.start({ admin: cluster.admin, namespace: release.namespace, images: images.folder });
});

afterAll(async () => {
  await release?.uninstall('--no-hooks').catch(() => {});
  await kubelet?.close();
  await images?.remove();
  await cluster?.close();
});

async function until(wanted: Sizes): Promise<void> {
  try {
    await vi.waitFor(async () => expect(await sleepers.sizes()).toEqual(wanted), { timeout: 60_000, interval: 200 });
  } catch (error) {
    const log = kubelet.process('controller', 'controller').log.slice(-15).join('\n');
    throw new Error(`${String(error)}\n${kubelet.problems.join('\n')}\nThe controller's last words:\n${log}`);
  }
}

/** The cluster may be one that somebody lent us: nothing but the test's own workloads is in scope. */
async function everyOther(namespace: string): Promise<readonly object[]> {
  const { items } = await cluster.admin.client.list(resources.namespaces);
  return items.map(({ metadata }) => ({ exact: metadata?.name })).filter(({ exact }) => exact !== namespace);
}

async function startTimes(): Promise<Readonly<Record<string, number>>> {
  const processes = ['app', 'controller'].flatMap((component) => kubelet.pod(component)?.processes ?? []);
  const times = await Promise.all(processes.map(async (one) => [one.name, Math.round(await one.firstReady)] as const));
  return Object.fromEntries(times);
}

async function restartPods(): Promise<void> {
  const before = podNames();
  const { client } = cluster.admin;
  for (const component of ['app', 'controller']) {
    const name = kubelet.pod(component)?.pod.metadata?.name ?? '';
    await client.delete(resources.pods, { namespace: release.namespace, name });
  }
  await vi.waitFor(() => {
    expect(podNames().every((name, index) => name !== undefined && name !== before[index])).toBe(true);
    expect([kubelet.pod('app')?.ready, kubelet.pod('controller')?.ready]).toEqual([true, true]);
  }, soon);
}

async function metricsOf(service: string): Promise<string> {
  return (await fetch(`${kubelet.url(service, 'metrics')}/metrics`)).text();
}

function podNames(): readonly (string | undefined)[] {
  return ['app', 'controller'].map((component) => kubelet.pod(component)?.pod.metadata?.uid);
}

describe('the release on a real control plane, its images as processes', () => {
  it('comes up ready', async () => {
    await vi.waitFor(() => {
      expect({
        app: kubelet.pod('app')?.ready,
        controller: kubelet.pod('controller')?.ready,
        problems: kubelet.problems,
      }).toEqual({
        app: true,
        controller: true,
        problems: [],
      });
    }, soon);
    await vi.waitFor(async () => {
      const deployments = (await cluster.admin.client.list(resources.deployments, { namespace: release.namespace }))
        .items;
      expect(deployments.map(({ status }) => status?.readyReplicas)).toEqual([1, 1]);
    }, soon);
  });

  it('starts each process from nothing to ready within three seconds', async () => {
    // The machine may be busy with something else for once; three starts in a row are not chance.
    const attempts: Readonly<Record<string, number>>[] = [];
    do {
      if (attempts.length > 0) await restartPods();
      attempts.push(await startTimes());
      console.log('ready after', attempts.at(-1));
    } while (attempts.length < 3 && Object.values(attempts.at(-1) ?? {}).some((ms) => ms >= 3_000));
    expect(Object.keys(attempts.at(-1) ?? {})).toEqual(['api', 'frontend', 'controller']);
    for (const ms of Object.values(attempts.at(-1) ?? {})) expect(ms).toBeLessThan(3_000);
  });

  it('answers through the Service', async () => {
    const answer = await fetch(`${kubelet.url('svc-app', 'http')}/readyz`);
    expect(answer.status).toBe(200);
    const status = await fetch(`${kubelet.url('svc-app', 'http')}/api/v1/public/hibernation-status`);
    expect(status.status).toBe(200);
  });

  it('passes helm test', async () => {
    const said = await release.helm(['test', 'svc', '--timeout', '1m']);
    expect(said).toMatch(/Phase:\s+Succeeded/);
  });

  it.each(['controller', 'api'] as const)(
    'measures everything that the table of metrics has for %s',
    async (process) => {
      const text = await metricsOf(`svc-${process}`);
      const found = [...text.matchAll(/^# TYPE (svc_\w+) (\w+)$/gm)].map(([, name, type]) => `${name} ${type}`);
      const table = metricsTable.filter((row) => row.process === process);
      expect(found.toSorted()).toEqual(table.map(({ name, type }) => `${name} ${type}`).toSorted());
    },
  );

  it('idles within its memory', async () => {
    const figures = (component: string, container: string) => {
      const { residentBytes = 0, anonymousBytes = 0 } = kubelet.process(component, container).memory() ?? {};
      console.log(
        `${container}: ${Math.round(residentBytes / mebibyte)} MiB resident, ${Math.round(anonymousBytes / mebibyte)} anonymous`,
      );
      return { resident: residentBytes / mebibyte, anonymous: anonymousBytes / mebibyte };
    };
    const [controller, api, frontend] = [
      figures('controller', 'controller'),
      figures('app', 'api'),
      figures('app', 'frontend'),
    ];
    for (const one of [controller, api]) {
      expect(one.resident).toBeLessThan(95);
      expect(one.anonymous).toBeLessThan(45);
    }
    expect(frontend.resident).toBeLessThan(70);
  });

  it('hibernates fifty workloads', async () => {
    await release.upgrade(...week('off'));
    await until(asleep(awake));
  });

  it('asks the node autoscalers to leave its own pods where they are meanwhile', async () => {
    const annotations = async () => {
      const { items } = await cluster.admin.client.list(resources.pods, { namespace: release.namespace });
      const ours = items.filter(({ metadata }) => metadata?.deletionTimestamp === undefined);
      return ours.map(({ metadata }) => metadata?.annotations?.['karpenter.sh/do-not-disrupt']);
    };
    await vi.waitFor(async () => expect(await annotations()).toEqual(['true', 'true']), soon);
  });

  it('wakes them to what they were', async () => {
    await release.upgrade(...week('on'));
    await until(awake);
  });

  it('is stood down by an upgrade, which hands everything back and restarts no pod', async () => {
    await release.upgrade(...week('off'));
    await until(asleep(awake));
    const before = podNames();
    await release.upgrade('config.global.enabled=false');
    await until(awake);
    expect(podNames()).toEqual(before);
  });

  it('scales again when the configuration ends the stand-down', async () => {
    await release.upgrade('config.global.enabled=true');
    await until(asleep(awake));
  });

  it('goes back to what it was with a rollback', async () => {
    await release.upgrade(...week('on'));
    await until(awake);
    await release.helm(['rollback', 'svc']);
    await until(asleep(awake));
  });

  it('takes a license without a restart: one that is not good hands everything back', async () => {
    const before = podNames();
    await release.upgrade(`license=${unsignedLicense}`);
    await until(awake);
    expect(await metricsOf('svc-controller')).toContain('svc_license_acts 0');
    await release.upgrade('license=');
    await until(asleep(awake));
    expect(podNames()).toEqual(before);
  });

  it('has not restarted, and stayed below its limit', () => {
    for (const component of ['app', 'controller']) {
      const pod = kubelet.pod(component);
      for (const { name, peakBytes } of pod?.processes ?? []) {
        console.log(`${name}: peak ${Math.round(peakBytes / mebibyte)} MiB`);
        expect([name, pod?.restartsOf(name)]).toEqual([name, 0]);
        expect(peakBytes).toBeLessThan(memoryLimitBytes);
      }
    }
  });

  it('stops an uninstall that cannot hand back, and keeps the release', async () => {
    const image = join(images.folder, 'controller.json');
    await rename(image, `${image}.gone`);
    await expect(release.uninstall('--timeout', '3s')).rejects.toThrow('helm uninstall failed');
    await rename(`${image}.gone`, image);
    expect(kubelet.pod('controller')?.ready).toBe(true);
    expect(await sleepers.sizes()).toEqual(asleep(awake));
  });

  it('hands everything back on uninstall, and leaves the state', async () => {
    await release.uninstall('--timeout', '2m');
    expect(await sleepers.sizes()).toEqual(awake);
    const state = await cluster.admin.client.get(resources.configMaps, {
      namespace: release.namespace,
      name: 'svc-state',
    });
    expect(Object.keys(state.data ?? {})).toContain('stand_down');
  });

  it('finds its state again when it is installed anew: an admin has to end the stand-down', async () => {
    await release.reinstall();
    await vi.waitFor(() => expect(kubelet.pod('controller')?.ready).toBe(true), soon);
    await vi.waitFor(async () => {
      expect(await metricsOf('svc-controller')).toContain('svc_stand_down{source="admin"} 1');
    }, soon);
    expect(await sleepers.sizes()).toEqual(awake);
  });
});
