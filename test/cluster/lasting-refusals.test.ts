import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { resources } from '../../src/adapters/kubernetes/client/resource-type.ts';
import { type RealCluster, realCluster } from './harness/real-cluster.ts';
import { type ControllerBundle, controllerBundle } from './release/controller-bundle.ts';
import { askGoneWebhook, goneWebhookWords } from './release/gone-webhook.ts';
import { Release } from './release/release.ts';
import { auditOf, hours, levels, postStandDown, summaryOf, untilHibernated, untilLogged } from './scenarios/acts.ts';
import { createWorkloads, type WorkloadParts } from './scenarios/workload-manifests.ts';

const policyWords = 'denied by the policy of the house';
/** Each has a release of its own, so that they can wait at the same time. */
const names = ['down', 'stand-down', 'cronjobs', 'webhook'] as const;

let cluster: RealCluster;
let bundle: ControllerBundle;
const releases = new Map<(typeof names)[number], Release>();

beforeAll(async () => {
  [cluster, bundle] = await Promise.all([realCluster(), controllerBundle()]);
  for (const name of names) {
    releases.set(name, await Release.install(cluster, { bundle: bundle.file, timeoutMs: 150_000 }));
  }
  const { items } = await cluster.admin.client.list(resources.namespaces);
  const all = items.map(({ metadata }) => metadata?.name ?? '');
  for (const release of releases.values()) {
    const exclude = all.filter((name) => name !== release.namespace).map((exact) => ({ exact }));
    await release.configure({ targeting: { namespaces: { exclude } } });
  }
});
afterAll(async () => {
  for (const release of releases.values()) await release.close();
  await bundle?.remove();
  await cluster?.close();
});

async function asleep(release: Release, workloads: readonly WorkloadParts[]): Promise<void> {
  await createWorkloads(release.client, release.namespace, workloads);
  await release.configure(hours('off'));
  await release.start();
  await untilHibernated(release);
}

const writesOf = (release: Release, name: string) =>
  release.gate.writes.filter(
    ({ path }) => path.includes(`/namespaces/${release.namespace}/`) && path.includes(`/${name}`),
  ).length;

async function titles(release: Release): Promise<readonly string[]> {
  return (await auditOf(release)).map(({ title }) => title);
}

function untilWakeRecorded(release: Release) {
  return release.until('a wake is recorded', async () =>
    (await auditOf(release)).find(({ kind }) => kind === 'wake' || kind === 'wake-failed'),
  );
}

describe.concurrent('what the cluster keeps refusing', () => {
  it('a policy and a webhook that allow no scaling down: a pace, later tiers go down, and it is told once', async () => {
    const release = releases.get('down')!;
    const workloads = [{ name: 'cart' }, { name: 'gated' }, { name: 'web' }, { name: 'postgres' }];
    await createWorkloads(release.client, release.namespace, workloads);
    const select = (...members: readonly string[]) => members.map((name) => ({ namespace: release.namespace, name }));
    await release.configure({
      hibernateOrdering: {
        tiers: [
          { name: 'apps', timeout: '3s', select: select('cart', 'gated', 'web') },
          { name: 'data', timeout: '3s', select: select('postgres') },
        ],
      },
      ...hours('off'),
    });
    const allow = await release.refuseChanges('cart', policyWords);
    const open = await askGoneWebhook(release.client, { namespace: release.namespace, name: 'gated' });
    const startedAt = release.now();
    await release.start();
    await release.until('the later tier is down', async () => (await levels(release))['postgres'] === 0);
    expect(release.now() - startedAt).toBeLessThan(20_000);
    expect(await levels(release)).toEqual({ cart: 1, gated: 1, postgres: 0, web: 0 });
    await untilHibernated(release);
    await release.pass(startedAt + 40_000 - release.now());
    // After 1, 2, 4, 8, 16 seconds and then every 30: seven tries in 40 seconds, and nothing is hammered.
    for (const name of ['cart', 'gated']) {
      expect(writesOf(release, name), name).toBeGreaterThanOrEqual(3);
      expect(writesOf(release, name), name).toBeLessThanOrEqual(8);
    }
    expect(release.gate.writes.filter(({ path }) => path.includes('/configmaps/svc-state')).length).toBeLessThan(40);
    expect(await titles(release)).toEqual(['Hibernation Complete - 2 workloads failed']);
    const lowered = writesOf(release, 'web');
    await allow();
    await open();
    await release.until('they go down as soon as they may', async () => {
      const { cart, gated } = await levels(release);
      return cart === 0 && gated === 0;
    });
    expect(writesOf(release, 'web')).toBe(lowered);
  });

  it('a raise that is refused at the start of a stand-down is tried again soon, whatever else happens', async () => {
    const release = releases.get('stand-down')!;
    await asleep(release, [{ name: 'cart', replicas: 3 }, { name: 'web' }]);
    const allow = await release.refuseChanges('cart', policyWords);
    expect(await postStandDown(release)).toBeUndefined();
    await untilLogged(release, 'A write keeps failing and is tried again');
    expect(await levels(release)).toEqual({ cart: 0, web: 1 });
    expect((await summaryOf(release))?.handbackDone).toBe(false);
    await allow();
    const allowedAt = release.now();
    await release.until('everything is handed back', async () => (await summaryOf(release))?.handbackDone);
    expect(release.now() - allowedAt).toBeLessThan(35_000);
    expect(await levels(release)).toEqual({ cart: 3, web: 1 });
  });

  it('a CronJob that may not be resumed makes no wake a success', async () => {
    const release = releases.get('cronjobs')!;
    await asleep(release, [{ name: 'web' }, { kind: 'CronJob', name: 'report' }, { kind: 'CronJob', name: 'weekly' }]);
    const allow = await release.refuseChanges('report', policyWords, 'CronJob');
    await release.configure(hours('on'));
    const entry = await untilWakeRecorded(release);
    expect(entry).toMatchObject({
      kind: 'wake-failed',
      title: 'Wake Complete - 1 workload failed',
      result: 'failed',
    });
    expect(entry.workloads_failed_detail).toHaveLength(1);
    expect(entry.workloads_failed_detail?.[0]).toMatch(
      new RegExp(`^CronJob ${release.namespace}/report: svc could not scale it up: .*${policyWords}`),
    );
    expect(await levels(release)).toEqual({ report: 'suspended', web: 1, weekly: 'running' });
    await allow();
    await release.until('it is resumed as soon as it may', async () => (await levels(release))['report'] === 'running');
  });

  it('a webhook whose backend is gone is named with the words of the cluster, and not hammered', async () => {
    const release = releases.get('webhook')!;
    await asleep(release, [{ name: 'gated', replicas: 2 }, { name: 'web' }]);
    const open = await askGoneWebhook(release.client, { namespace: release.namespace, name: 'gated' });
    const before = writesOf(release, 'gated');
    const startedAt = release.now();
    await release.configure(hours('on'));
    const entry = await untilWakeRecorded(release);
    const seconds = (release.now() - startedAt) / 1000;
    expect(entry.title).toBe('Wake Complete - 1 workload failed');
    expect(entry.workloads_failed_detail).toHaveLength(1);
    expect(entry.workloads_failed_detail?.[0]).toContain(
      `Deployment ${release.namespace}/gated: svc could not scale it up: `,
    );
    expect(entry.workloads_failed_detail?.[0]).toContain(goneWebhookWords);
    // Six in the first half minute, then one every 30 seconds.
    expect(writesOf(release, 'gated') - before).toBeGreaterThanOrEqual(4);
    expect(writesOf(release, 'gated') - before).toBeLessThanOrEqual(6 + Math.ceil(seconds / 30));
    await open();
    await release.until('it is raised as soon as it may', async () => (await levels(release))['gated'] === 2);
  });
});
