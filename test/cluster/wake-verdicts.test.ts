import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CustomObject, type ResourceType, resources } from '../../src/adapters/kubernetes/client/resource-type.ts';
import type { AuditEntry } from '../../src/domain/audit/entry.ts';
import { workloadKey } from '../../src/domain/workload.ts';
import { type RealCluster, realCluster } from './harness/real-cluster.ts';
import { untilAllowed } from './release/allowed.ts';
import { type ControllerBundle, programBundle } from './release/controller-bundle.ts';
import { Release } from './release/release.ts';
import {
  ann,
  auditOf,
  eventsOf,
  hours,
  levels,
  untilAwake,
  untilHibernated,
  untilLogged,
  wakeByHand,
} from './scenarios/acts.ts';
import { createWorkloads, type WorkloadParts } from './scenarios/workload-manifests.ts';
import { settleTimeout } from './verdicts/short-figures.ts';
import { troubled } from './verdicts/troubled-workloads.ts';

const quotas: ResourceType<CustomObject> = {
  group: '',
  version: 'v1',
  plural: 'resourcequotas',
  kind: 'ResourceQuota',
  namespaced: true,
};

let cluster: RealCluster;
let bundle: ControllerBundle;
beforeAll(async () => {
  const entry = fileURLToPath(new URL('./verdicts/controller-entry.ts', import.meta.url));
  [cluster, bundle] = await Promise.all([realCluster(), programBundle(entry)]);
});
afterAll(async () => {
  await bundle?.remove();
  await cluster?.close();
});

function install(): Promise<Release> {
  const config = { controller: { workloadSettleTimeout: settleTimeout } };
  return Release.install(cluster, { bundle: bundle.file, config, timeoutMs: 120_000 });
}

/** Puts them to sleep with a schedule of no working hours. */
async function asleep(release: Release, workloads: readonly WorkloadParts[]): Promise<void> {
  await createWorkloads(release.client, release.namespace, workloads);
  await release.configure(hours('off'));
  await release.start();
  await untilHibernated(release);
}

function untilWakeRecorded(release: Release): Promise<AuditEntry> {
  return release.until('a wake is recorded', async () =>
    (await auditOf(release)).find(({ kind }) => kind === 'wake' || kind === 'wake-failed'),
  );
}

describe('a wake in which most things go wrong', () => {
  let release: Release;
  let entry: AuditEntry;
  let crowded: string;
  let allow: () => Promise<void>;
  beforeAll(async () => {
    release = await install();
    crowded = await cluster.namespace('crowded');
    await release.client.create(quotas, crowded, { metadata: { name: 'none' }, spec: { hard: { pods: '0' } } });
    await createWorkloads(release.client, crowded, [{ name: 'no-room', replicas: 2 }]);
    await asleep(release, [...troubled.map(({ workload }) => workload), { name: 'frozen' }]);
    allow = await release.refuseChanges('frozen', 'frozen for the release');
    await release.configure(hours('on'));
    entry = await untilWakeRecorded(release);
  });
  afterAll(async () => {
    await allow?.();
    await release?.close();
    await cluster.admin.client.delete(resources.deployments, { namespace: crowded, name: 'no-room' });
  });

  const keyOf = ({ kind = 'Deployment', name }: WorkloadParts) => {
    return workloadKey({ kind, namespace: release.namespace, name });
  };
  const sentence = (parts: WorkloadParts, words: string) =>
    `${keyOf(parts)}${words.startsWith(':') ? '' : ' '}${words}`;
  const said = (parts: WorkloadParts) => {
    const all = [...(entry.workloads_failed_detail ?? []), ...(entry.workloads_recovered_detail ?? [])];
    return all.filter((line) => line.startsWith(`${keyOf(parts)} `) || line.startsWith(`${keyOf(parts)}:`));
  };

  it.each(troubled)('$does', ({ workload, failed, recovered }) => {
    expect(entry.workloads_failed_detail?.includes(sentence(workload, failed ?? '?'))).toBe(failed !== undefined);
    expect(entry.workloads_recovered_detail?.includes(sentence(workload, recovered ?? '?'))).toBe(
      recovered !== undefined,
    );
    expect(said(workload)).toHaveLength(failed === undefined && recovered === undefined ? 0 : 1);
  });

  it('a quota leaves no room for its pods', () => {
    expect(entry.workloads_failed_detail).toContain(
      `Deployment ${crowded}/no-room had not started every replica after 8 seconds`,
    );
  });

  it('the cluster refuses the scale-up, in its own words', () => {
    const [line] = said({ name: 'frozen' });
    expect(line).toMatch(/^Deployment \S+\/frozen: svc could not scale it up: .*frozen for the release$/);
  });

  it('is recorded as failed, with every casualty and every recovery counted', () => {
    const failed = troubled.filter((one) => one.failed !== undefined).length + 2;
    const recovered = troubled.filter((one) => one.recovered !== undefined).length;
    expect(entry).toMatchObject({
      kind: 'wake-failed',
      title: `Wake Complete - ${failed} workloads failed`,
      result: 'failed',
      workloads_recovered: recovered,
    });
    expect(entry.workloads_failed_detail).toHaveLength(failed);
    expect(entry.workloads_recovered_detail).toHaveLength(recovered);
  });

  it('is told by an event with the recoveries counted', async () => {
    const event = await release.until('the event is there', async () =>
      (await eventsOf(release)).find(({ reason }) => reason === 'WakeFailed'),
    );
    expect(event).toMatchObject({ namespace: 'default', type: 'Warning' });
    expect(event.message).toContain('2 workloads recovered');
  });

  it('counts each recovery by its reason', async () => {
    // What is recorded is counted a little later: a process that stops in between has counted nothing.
    await untilLogged(release, 'Wake finished');
    await release.life?.stop();
    const { text } = await untilLogged(release, 'Metrics');
    expect(text).toContain('svc_workload_recoveries_total{reason="restarted_twice"} 1');
    expect(text).toContain('svc_workload_recoveries_total{reason="still_pulling"} 1');
  });
});

describe('a wake that loses its right to read pods on the way', () => {
  let release: Release;
  beforeAll(async () => {
    release = await install();
  });
  afterAll(async () => {
    await release?.close();
  });

  it('raises and counts what its own status calls ready; what does not come up could not be read', async () => {
    const select = (name: string) => [{ namespace: release.namespace, name }];
    const tiers = [{ name: 'first', timeout: '60s', select: select('first') }];
    await release.configure({ wakeOrdering: { tiers } });
    const pulling = { name: 'pulling', behaviour: { 'pull-seconds': '600' } };
    await asleep(release, [{ name: 'first', replicas: 2, behaviour: { 'start-seconds': '12' } }, pulling]);
    await release.configure(hours('on'));
    await release.until('the wake is on its way', async () => (await levels(release))['first'] === 2);
    const [watchPods] = release.rights.all().filter(({ resource, verb }) => `${resource} ${verb}` === 'pods watch');
    await release.rights.revoke(watchPods!);
    await untilAllowed(release, watchPods!, false);
    release.gate.cut();
    const entry = await untilWakeRecorded(release);
    expect(entry).toMatchObject({
      title: 'Wake Complete - 1 workload failed',
      result: 'failed',
      workloads_failed_detail: [`Deployment ${release.namespace}/pulling could not be read`],
      details: { up: 1 },
    });
    expect(await levels(release)).toEqual({ first: 2, pulling: 1 });
    expect(release.logs).toContainEqual(expect.objectContaining({ level: 'warn', msg: 'Pods cannot be read' }));
  });
});

describe('a wake that ends before an answer', () => {
  /** Walked past after a second, and up after five. */
  const walkedPast = { barrier: '1s', startSeconds: '5' };
  /** Neither walked past nor up while anybody looks, however busy the machine is. */
  const waitedFor = { barrier: '10m', startSeconds: '600' };
  const stillStarting = (entry: AuditEntry) => entry.details?.['still_starting'];

  async function withSlow(
    { barrier, startSeconds }: typeof walkedPast,
    play: (release: Release) => Promise<void>,
  ): Promise<void> {
    const release = await install();
    const slow: WorkloadParts = { name: 'slow', behaviour: { 'start-seconds': startSeconds } };
    try {
      const ordering = {
        tiers: [{ name: 'first', timeout: barrier, select: [{ namespace: release.namespace, name: 'slow' }] }],
      };
      await release.configure({ wakeOrdering: ordering });
      await asleep(release, [slow, { name: 'web', replicas: 2 }]);
      await play(release);
    } finally {
      await release.close();
    }
  }

  it('walks past a tier at its barrier, and says so', async () => {
    await withSlow(walkedPast, async (release) => {
      await release.configure(hours('on'));
      const entry = await untilWakeRecorded(release);
      expect(entry).toMatchObject({ title: 'Wake Complete', result: 'incomplete', completeness: 'incomplete' });
      expect(stillStarting(entry)).toEqual([`Deployment ${release.namespace}/slow: walked_past`]);
      const barrier = await release.until('the barrier event is there', async () =>
        (await eventsOf(release)).find(({ reason }) => reason === 'WakeBarrierTimeout'),
      );
      expect(barrier.message).toBe(
        `Tier first was released after 1s without waiting for Deployment ${release.namespace}/slow`,
      );
    });
  });

  it('is superseded by a hibernation', async () => {
    await withSlow(waitedFor, async (release) => {
      await release.configure(hours('on'));
      await release.until('the wake is on its way', async () => (await levels(release))['slow'] === 1);
      await release.configure(hours('off'));
      const entry = await untilWakeRecorded(release);
      expect(entry).toMatchObject({ title: 'Wake Complete', completeness: 'incomplete' });
      expect(stillStarting(entry)).toEqual(
        ['slow', 'web'].map((name) => `Deployment ${release.namespace}/${name}: superseded`),
      );
      await untilHibernated(release);
      expect(await levels(release)).toEqual({ slow: 0, web: 0 });
    });
  });

  it('is not observed when the controller comes back to a cluster that heads elsewhere', async () => {
    await withSlow(waitedFor, async (release) => {
      await release.configure(hours('on'));
      await release.until('the wake is on its way', async () => (await levels(release))['slow'] === 1);
      await release.kill();
      await release.configure(hours('off'));
      await release.start();
      const entry = await untilWakeRecorded(release);
      expect(stillStarting(entry)).toEqual(
        ['slow', 'web'].map((name) => `Deployment ${release.namespace}/${name}: not_observed`),
      );
      await untilHibernated(release);
    });
  });

  it('changes nothing while the cluster already runs, and leaves one entry that says so', async () => {
    await withSlow(walkedPast, async (release) => {
      await release.configure(hours('on'));
      await untilWakeRecorded(release);
      await untilAwake(release);
      const before = (await auditOf(release)).length;
      await wakeByHand(release, 3_600_000);
      const entry = await release.until('the renewal is recorded', async () =>
        (await auditOf(release)).find(({ title }) => title === 'Wake Made No Changes'),
      );
      expect(entry).toMatchObject({ actor: ann });
      expect(entry.durationMs).toBeUndefined();
      expect((await auditOf(release)).length).toBe(before + 1);
    });
  });
});
