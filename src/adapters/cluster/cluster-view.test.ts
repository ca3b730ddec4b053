import { expect, it } from 'vitest';
import { embeddedClient } from '../../../test/support/embedded-client.ts';
import { kindTable } from '../../domain/kinds/kind-table.ts';
import { silentLogger } from '../../platform/silent-logger.ts';
import type { ClusterChange } from '../../ports/cluster.ts';
import { resources } from '../kubernetes/client/resource-type.ts';
import { projections } from '../kubernetes/projection/projections.ts';
import { KubernetesClusterView } from './cluster-view.ts';

type Cluster = Awaited<ReturnType<typeof embeddedClient>>;

const ref = { kind: 'Deployment', namespace: 'shop', name: 'web' } as const;
const spec = {
  replicas: 3,
  selector: { matchLabels: { app: 'web' } },
  template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'main', image: 'a:1' }] } },
};

async function startedView(
  { client, clock, random }: Pick<Cluster, 'client' | 'clock' | 'random'>,
  onRestored = () => {},
) {
  const view = new KubernetesClusterView({
    client,
    projections: projections(() => kindTable([])),
    onRestored,
    clock,
    random,
    logger: silentLogger,
  });
  const started = view.start();
  await clock.advance(1_000);
  await started;
  return view;
}

it('a CronJob that runs has another status; only another spec or metadata gives it another shape', async () => {
  const { client, clock, random, store } = await embeddedClient('shop');
  await client.create(resources.cronJobs, 'shop', {
    metadata: { name: 'report' },
    spec: {
      schedule: '0 3 * * *',
      jobTemplate: {
        spec: { template: { spec: { containers: [{ name: 'main', image: 'a:1' }], restartPolicy: 'Never' } } },
      },
    },
  });
  const view = await startedView({ client, clock, random });
  const heard: ClusterChange[] = [];
  view.onChange((change) => heard.push(change));
  const write = async (change: object) => {
    const report = store.get('cronjobs.batch', 'shop', 'report');
    if (report === undefined) throw new Error('the CronJob is gone');
    store.update('cronjobs.batch', { ...report, ...change });
    await clock.advance(10);
  };

  await write({ status: { lastScheduleTime: '2026-01-05T03:00:00Z' } });
  expect(heard).toEqual(['status']);
  const spec = { ...(store.get('cronjobs.batch', 'shop', 'report')?.['spec'] as object), suspend: true };
  await write({ spec });
  const metadata = store.get('cronjobs.batch', 'shop', 'report')?.metadata;
  await write({ metadata: { ...metadata, annotations: { team: 'a' } } });
  expect(heard).toEqual(['status', 'shape', 'shape']);
  expect(view.workload({ kind: 'CronJob', namespace: 'shop', name: 'report' })).toMatchObject({
    suspended: true,
    annotations: { team: 'a' },
  });
  view.stop();
});

it('the answer to a write stands in for the event that it leads to, and is let go then', async () => {
  const { client, clock, random, store } = await embeddedClient('shop');
  await client.create(resources.deployments, 'shop', { metadata: { name: 'web' }, spec });
  const view = await startedView({ client, clock, random });
  const scaled = (replicas: number) =>
    client.patch(resources.deployments, ref, { type: 'merge', body: { spec: { replicas } } });

  // The embedded cluster tells a watch before it answers: what it will say is noted before it is asked.
  const before = view.workload(ref);
  if (before === undefined) throw new Error('the Deployment is not there');
  const answer = { ...before, replicas: 0, resourceVersion: String(Number(store.version) + 1) };
  view.noteAnswer(answer);
  expect(view.workload(ref)).toBe(answer);
  await scaled(0);
  await clock.advance(10);
  expect(store.get('deployments.apps', 'shop', 'web')?.metadata.resourceVersion).toBe(answer.resourceVersion);
  expect(view.workload(ref)).toBe(answer);

  await scaled(2);
  await clock.advance(10);
  expect(view.workload(ref)).toMatchObject({ replicas: 2 });

  store.delete('deployments.apps', 'shop', 'web');
  await clock.advance(10);
  view.noteAnswer(answer);
  await client.create(resources.deployments, 'shop', { metadata: { name: 'web' }, spec });
  await clock.advance(10);
  expect(view.workload(ref)).toMatchObject({ replicas: 3 });
  view.stop();
});

it('an answer from before the cluster was restored from a backup hides nothing of it, and who asked hears of that', async () => {
  const { client, clock, random, store, api } = await embeddedClient('shop');
  await client.create(resources.deployments, 'shop', { metadata: { name: 'web' }, spec });
  const backup = store.backup();
  let restored = 0;
  const view = await startedView({ client, clock, random }, () => restored++);
  const lowered = { type: 'merge', body: { spec: { replicas: 1 } } } as const;
  await client.patch(resources.deployments, ref, lowered);
  await clock.advance(10);
  const before = view.workload(ref);
  if (before === undefined) throw new Error('the Deployment is not there');
  const answer = { ...before, replicas: 0, resourceVersion: String(Number(store.version) + 100) };
  view.noteAnswer(answer);
  expect(view.workload(ref)).toMatchObject({ replicas: 0 });
  for (const { stream } of api.faults.openWatches()) stream.fail(new Error('read ECONNRESET'));
  store.restore(backup);
  await clock.advance(60_000);
  expect(view.workload(ref)).toMatchObject({ replicas: 3 });
  expect(restored).toBeGreaterThan(0);
  view.stop();
});

it('an answer about a kind that was switched off hides nothing once it is on again', async () => {
  const { client, clock, random } = await embeddedClient('shop');
  await client.create(resources.deployments, 'shop', { metadata: { name: 'web' }, spec });
  const view = await startedView({ client, clock, random });
  const before = view.workload(ref);
  if (before === undefined) throw new Error('the Deployment is not there');
  const answer = { ...before, replicas: 0, resourceVersion: '1000000' };
  view.noteAnswer(answer);
  expect(view.workload(ref)).toMatchObject({ replicas: 0 });

  const all = kindTable([]);
  view.watchKinds({ ...all, on: all.on.filter((kind) => kind !== 'Deployment') });
  expect(view.workload(ref)).toBeUndefined();
  view.watchKinds(all);
  await clock.advance(1_000);
  expect(view.workload(ref)).toMatchObject({ replicas: 3 });
  view.stop();
});

it('renewed, asks for everything that it watches again, pods included', async () => {
  const { client, clock, random, api } = await embeddedClient('shop');
  const asked: string[] = [];
  api.faults.onRequest(({ resource, verb }) => {
    if (verb === 'watch' || verb === 'list') asked.push(resource);
  });
  const view = await startedView({ client, clock, random });
  void view.watchPods(true);
  await clock.advance(1_000);
  const watched = new Set(asked.splice(0));
  expect(watched).toContain('pods');
  view.renew();
  expect([view.renewing(), view.synced()]).toEqual([true, true]);
  await clock.advance(1_000);
  expect([view.renewing(), new Set(asked)]).toEqual([false, watched]);
  view.stop();
});
