import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Killed, killPoints, throughKills } from './crashes/lives.ts';
import { lostCounts } from './crashes/record-before-act.ts';
import { asleep, thirtyWorkloads, tieredConfig } from './crashes/thirty-workloads.ts';
import { clusterSpecs } from './crashes/untouched.ts';
import { type RealCluster, realCluster } from './harness/real-cluster.ts';
import { type ControllerBundle, controllerBundle } from './release/controller-bundle.ts';
import { Release } from './release/release.ts';
import {
  auditOf,
  deleteStandDown,
  hours,
  isSettled,
  levels,
  postStandDown,
  summaryOf,
  untilAwake,
  untilHibernated,
} from './scenarios/acts.ts';
import { createWorkloads } from './scenarios/workload-manifests.ts';

let cluster: RealCluster;
let bundle: ControllerBundle;
let release: Release;
let before: Awaited<ReturnType<typeof clusterSpecs>>;
beforeAll(async () => {
  [cluster, bundle] = await Promise.all([realCluster({ restartable: true }), controllerBundle()]);
  release = await Release.install(cluster, { bundle: bundle.file, timeoutMs: 120_000 });
  await createWorkloads(release.client, release.namespace, thirtyWorkloads);
  await release.configure(tieredConfig(release.namespace));
  await untilRolledOut();
  before = await specs();
});
afterAll(async () => {
  await release?.close();
  await bundle?.remove();
  await cluster?.close();
});

const points = killPoints();
const killed: Killed[] = [];

const specs = () => clusterSpecs(release.client, release.releaseNamespace);

/** The deployment controller adds its annotation when it has seen the object. */
function untilRolledOut(): Promise<boolean> {
  return release.until('the cluster has taken up every workload', async () => {
    const all = Object.entries(await specs()).filter(([key]) => key.startsWith(`deployments ${release.namespace}/`));
    return all.every(([, object]) => JSON.stringify(object).includes('deployment.kubernetes.io/revision'));
  });
}

async function sendTo(wanted: 'awake' | 'hibernated'): Promise<void> {
  const deaths = await throughKills(release, wanted, points, async () => {
    expect(await lostCounts(release, thirtyWorkloads)).toEqual([]);
  });
  killed.push(...deaths);
  expect(deaths.length).toBeGreaterThanOrEqual(10);
}

async function expectEverythingBack(): Promise<void> {
  await release.kill();
  expect(await specs()).toEqual(before);
}

describe('a controller that is killed again and again', () => {
  it('hibernates all of them, whatever write it died of', async () => {
    await release.configure(hours('off'));
    await sendTo('hibernated');
    expect(await levels(release)).toEqual(asleep(thirtyWorkloads));
  });

  it('wakes all of them to their own counts and leaves everything else as it was', async () => {
    await release.configure(hours('on'));
    await sendTo('awake');
    await expectEverythingBack();
  });

  it('hands all of them back in a stand-down and leaves everything else as it was', async () => {
    await release.configure(hours('off'));
    await release.start();
    await untilHibernated(release);
    await release.kill();
    expect(await postStandDown(release)).toBeUndefined();
    await sendTo('awake');
    await release.until('the handback is finished', async () => (await summaryOf(release))?.handbackDone);
    await expectEverythingBack();
  });

  it('was killed at 50 points or more, of every kind of write and in every moment of one', () => {
    expect(killed.length).toBeGreaterThanOrEqual(50);
    const kinds = new Set(
      killed.map(({ at }) => /\/(deployments|statefulsets|cronjobs|configmaps)(\/|$)/.exec(at)?.[1]),
    );
    expect([...kinds].toSorted()).toEqual(
      expect.arrayContaining(['configmaps', 'cronjobs', 'deployments', 'statefulsets']),
    );
    expect(new Set(killed.map(({ point }) => point.moment))).toEqual(new Set(['asked', 'done', 'answered']));
  });

  it('left one audit entry for each thing that happened', async () => {
    const titles = async () => (await auditOf(release)).map(({ title, actor }) => `${title}: ${actor}`);
    // A handback ends when the counts are back; its wake, with its verdicts, a little later: in the life after this death.
    await release.start();
    await release.until('the wake of the handback has ended', async () => (await titles()).length >= 5);
    expect(await titles()).toEqual([
      'Hibernation Complete: schedule',
      'Wake Complete: schedule',
      'Hibernation Complete: schedule',
      'Stood Down: ann@example.com',
      'Wake Complete: ann@example.com (stand-down)',
    ]);
  });
});

describe('an apiserver that crashes in the middle of a wake', () => {
  it('is waited for, and everything comes back', async () => {
    await release.start();
    expect(await deleteStandDown(release)).toBeUndefined();
    await release.until('everything sleeps', async () => {
      return (await isSettled(release, 'hibernated')) && (await summaryOf(release)) === null;
    });
    const patches = release.gate.writes.length;
    await release.configure(hours('on'));
    await release.until('the wake is on its way', async () => release.gate.writes.length >= patches + 8);
    await cluster.plane().restartApiserver();
    await untilAwake(release);
    expect(release.life?.alive).toBe(true);
    const entry = await release.until('the wake is recorded', async () => {
      const last = (await auditOf(release)).at(-1);
      return last?.kind.startsWith('wake') && last;
    });
    expect(entry).toMatchObject({ title: 'Wake Complete', result: 'success' });
    await expectEverythingBack();
  });
});
