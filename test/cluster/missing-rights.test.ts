import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lostCounts } from './crashes/record-before-act.ts';
import { clusterSpecs } from './crashes/untouched.ts';
import { type RealCluster, realCluster } from './harness/real-cluster.ts';
import { untilAllowed } from './release/allowed.ts';
import type { Right } from './release/chart-rights.ts';
import { type ControllerBundle, controllerBundle } from './release/controller-bundle.ts';
import { Release } from './release/release.ts';
import { hours, isSettled, levels } from './scenarios/acts.ts';
import { createWorkloads, type WorkloadParts } from './scenarios/workload-manifests.ts';

const workloads: readonly WorkloadParts[] = [
  { name: 'web', replicas: 3 },
  { kind: 'StatefulSet', name: 'db', replicas: 2 },
  { kind: 'CronJob', name: 'report' },
];
const up = { db: 2, report: 'running', web: 3 };
const down = { db: 0, report: 'suspended', web: 0 };

/**
 * Every right that a hibernation and a wake cannot do without, by resource and verb, and the way in which it is needed.
 * A pass follows each second, so that what was refused is tried again soon.
 */
const needed: readonly { right: string; towards: 'hibernated' | 'awake' }[] = [
  { right: 'deployments watch', towards: 'hibernated' },
  { right: 'pods watch', towards: 'awake' },
  { right: 'statefulsets watch', towards: 'hibernated' },
  { right: 'cronjobs watch', towards: 'awake' },
  { right: 'deployments patch', towards: 'hibernated' },
  { right: 'deployments patch', towards: 'awake' },
  { right: 'statefulsets patch', towards: 'hibernated' },
  { right: 'statefulsets patch', towards: 'awake' },
  { right: 'cronjobs patch', towards: 'hibernated' },
  { right: 'cronjobs patch', towards: 'awake' },
  { right: 'namespaces watch', towards: 'hibernated' },
  { right: 'horizontalpodautoscalers watch', towards: 'awake' },
  { right: 'scaledobjects watch', towards: 'hibernated' },
  { right: 'configmaps watch', towards: 'awake' },
  { right: 'configmaps get', towards: 'hibernated' },
  { right: 'configmaps patch', towards: 'awake' },
  { right: 'configmaps list', towards: 'hibernated' },
  { right: 'events create', towards: 'awake' },
];

let cluster: RealCluster;
let bundle: ControllerBundle;
let release: Release;
let before: Awaited<ReturnType<typeof clusterSpecs>>;
beforeAll(async () => {
  [cluster, bundle] = await Promise.all([realCluster(), controllerBundle()]);
  const config = { controller: { reconcileInterval: '1s' } };
  release = await Release.install(cluster, { bundle: bundle.file, config });
  await createWorkloads(release.client, release.namespace, workloads);
  await release.until('the cluster has taken them up', async () =>
    JSON.stringify(await specs()).includes('deployment.kubernetes.io/revision'),
  );
  before = await specs();
});
afterAll(async () => {
  await release?.close();
  await bundle?.remove();
  await cluster?.close();
});

const specs = () => clusterSpecs(release.client, release.releaseNamespace);

function rightsOf(name: string): readonly Right[] {
  return release.rights.all().filter(({ resource, verb }) => `${resource} ${verb}` === name);
}

async function revoke(rights: readonly Right[]): Promise<void> {
  await release.rights.revoke(...rights);
  for (const right of rights) await untilAllowed(release, right, false);
}

async function restore(rights: readonly Right[]): Promise<void> {
  await release.rights.restore(...rights);
  for (const right of rights) await untilAllowed(release, right, true);
}

function untilEverything(wanted: 'hibernated' | 'awake'): Promise<boolean> {
  const expected = JSON.stringify(wanted === 'awake' ? up : down);
  return release.until(`everything is ${wanted}`, async () => {
    return JSON.stringify(await levels(release)) === expected && (await isSettled(release, wanted));
  });
}

async function bring(wanted: 'hibernated' | 'awake'): Promise<void> {
  if (release.life?.alive !== true) await release.start();
  await release.configure(hours(wanted === 'awake' ? 'on' : 'off'));
  if (wanted === 'awake' && JSON.stringify(await levels(release)) === JSON.stringify(up)) return;
  await untilEverything(wanted);
}

describe('a controller without one of its rights', () => {
  it.each(needed)(
    '$right, on the way to $towards: says so, loses nothing, and goes on once it is back',
    async (row) => {
      const { right, towards } = row;
      const rights = rightsOf(right);
      expect(rights).not.toEqual([]);
      await bring(towards === 'awake' ? 'hibernated' : 'awake');
      await release.kill();
      await revoke(rights);
      const spoken = release.logs.length;
      await release.configure(hours(towards === 'awake' ? 'on' : 'off'));
      await release.start();
      const [resource, verb] = right.split(' ');
      await release.until("the log holds the cluster's own message", async () => {
        const lines = release.logs.slice(spoken).map((line) => JSON.stringify(line));
        return lines.some((line) => line.includes(`cannot ${verb} resource \\"${resource}\\"`));
      });
      expect(await lostCounts(release, workloads)).toEqual([]);
      await restore(rights);
      await untilEverything(towards);
      expect(release.life?.alive).toBe(true);
      if (towards === 'awake') expect(await specs()).toEqual(before);
    },
  );

  it('needs none of the others for a hibernation and a wake', async () => {
    const used = new Set(needed.map(({ right }) => right));
    const others = release.rights.all().filter(({ resource, verb }) => !used.has(`${resource} ${verb}`));
    const unused = others.filter(({ resource, verb }) => `${resource} ${verb}` !== 'configmaps create');
    await release.kill();
    await revoke(unused);
    await release.start();
    await bring('hibernated');
    await bring('awake');
    expect(await specs()).toEqual(before);
  });
});

describe('a controller that may list and not watch', () => {
  it('follows its configuration and hibernates all the same, at the pace of its lists, and takes its license for read', async () => {
    await bring('awake');
    await release.kill();
    const watches = release.rights.all().filter(({ verb }) => verb === 'watch');
    await revoke(watches);
    const spoken = release.logs.length;
    const said = () => release.logs.slice(spoken).map((line) => JSON.stringify(line));
    await release.start();
    await release.until('it has begun', async () => said().some((line) => line.includes('cannot watch resource')));
    await release.configure(hours('off'));
    await untilEverything('hibernated');
    expect(said().filter((line) => line.includes('License check: unverified'))).toEqual([]);
    await restore(watches);
    await bring('awake');
    expect(await specs()).toEqual(before);
  });
});

describe('a controller that may not create its state', () => {
  it('takes nothing down before it can be recorded', async () => {
    const fresh = await Release.install(cluster, {
      bundle: bundle.file,
      config: { controller: { reconcileInterval: '1s' }, ...hours('off') },
    });
    try {
      await createWorkloads(fresh.client, fresh.namespace, workloads);
      await release.kill();
      const create = fresh.rights.all().filter(({ resource, verb }) => `${resource} ${verb}` === 'configmaps create');
      await fresh.rights.revoke(...create);
      await fresh.start();
      await fresh.until("the log holds the cluster's own message", async () =>
        fresh.logs.some((line) => JSON.stringify(line).includes('cannot create resource \\"configmaps\\"')),
      );
      expect(await levels(fresh)).toEqual(up);
      await fresh.rights.restore(...create);
      await fresh.until('it hibernates', async () => isSettled(fresh, 'hibernated'));
      expect(await levels(fresh)).toEqual(down);
    } finally {
      await fresh.close();
    }
  });
});
