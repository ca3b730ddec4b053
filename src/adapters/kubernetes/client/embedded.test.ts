import { describe, expect, it } from 'vitest';
import { EmbeddedCluster } from '../../../../embedded-cluster/embedded-cluster.ts';
import { seededRandom } from '../../../../embedded-cluster/seeded-random.ts';
import { VirtualClock } from '../../../../embedded-cluster/time/virtual-clock.ts';
import { kindTable } from '../../../domain/kinds/kind-table.ts';
import { silentLogger } from '../../../platform/silent-logger.ts';
import { Reflector } from '../cache/reflector.ts';
import { projections } from '../projection/projections.ts';
import { isConflict, isNotFound, NoAnswer } from './errors.ts';
import { KubeClient } from './kube-client.ts';
import { resources } from './resource-type.ts';
import { TokenBucket } from './token-bucket.ts';

// The client on the embedded cluster, in process and on a virtual clock.

function setUp() {
  const clock = new VirtualClock(Date.parse('2026-01-05T06:00:00Z'));
  const random = seededRandom(3);
  const cluster = new EmbeddedCluster({ clock, random });
  const client = new KubeClient({
    transport: cluster.transport(),
    clock,
    random,
    limiter: new TokenBucket(clock, { qps: 150, burst: 200 }),
    userAgent: 'svc-controller/0.12.44',
    fieldManager: 'svc-controller',
    logger: silentLogger,
    requestTimeoutMs: 30_000,
  });
  cluster.start();
  return { clock, random, cluster, client };
}

async function run<T>(clock: VirtualClock, promise: Promise<T>): Promise<T> {
  let done = false;
  const end = () => {
    done = true;
  };
  promise.then(end, end);
  await clock.advanceUntil(() => done, 600_000);
  return promise;
}

const deployment = (name: string, replicas = 2) => ({
  apiVersion: 'apps/v1' as const,
  kind: 'Deployment' as const,
  metadata: { name, namespace: 'shop', labels: { app: name } },
  spec: {
    replicas,
    selector: { matchLabels: { app: name } },
    template: { metadata: { labels: { app: name } }, spec: { containers: [{ name: 'main', image: 'nginx' }] } },
  },
});
const cart = { namespace: 'shop', name: 'cart' };

describe('the client on the embedded cluster', () => {
  it('creates, reads, scales under a version, is refused under an old one, and deletes', async () => {
    const { clock, client } = setUp();
    await run(clock, client.create(resources.namespaces, undefined, { metadata: { name: 'shop' } }));
    const created = await run(clock, client.create(resources.deployments, 'shop', deployment('cart')));
    await clock.advance(5_000);
    const patch = (resourceVersion: string | undefined) =>
      run(
        clock,
        client.patch(resources.deployments, cart, {
          type: 'merge',
          body: { metadata: { resourceVersion }, spec: { replicas: 0 } },
        }),
      );
    const conflict = await patch(created.metadata?.resourceVersion).catch((error) => error);
    expect(isConflict(conflict)).toBe(true);
    const current = await run(clock, client.get(resources.deployments, cart));
    expect(current.status?.readyReplicas).toBe(2);
    expect((await patch(current.metadata?.resourceVersion)).spec?.replicas).toBe(0);
    const foreign = client.delete(resources.deployments, cart, { preconditions: { uid: 'someone-else' } });
    expect(isConflict(await run(clock, foreign).catch((error) => error))).toBe(true);
    await run(clock, client.delete(resources.deployments, cart));
    await clock.advance(5_000);
    expect(isNotFound(await run(clock, client.get(resources.deployments, cart)).catch((error) => error))).toBe(true);
  });

  it('lists more than 500 by pages', async () => {
    const { clock, cluster, client } = setUp();
    cluster.apply(Array.from({ length: 730 }, (_, i) => deployment(`d${i}`, 0)));
    const list = await run(
      clock,
      client.list(resources.deployments, { project: projections(() => kindTable([])).workload.of('Deployment') }),
    );
    expect(list.items.length).toBe(730);
    expect(new Set(list.items.map(({ name }) => name)).size).toBe(730);
  });

  it.each([
    ['streaming', true],
    ['paged', false],
  ])(
    'keeps a reflector true to the cluster through broken and silent watches, with a %s list',
    async (_, streamingList) => {
      const { clock, random, cluster, client } = setUp();
      cluster.apply([deployment('cart'), deployment('search')]);
      const options = { client, clock, random, logger: silentLogger, streamingList };
      const pods = new Reflector({
        answered: undefined,
        ...options,
        type: resources.pods,
        project: projections(() => kindTable([])).pod,
      }).start();
      await run(clock, pods.synced);
      cluster.api.faults.add({
        match: ({ verb }) => verb === 'watch',
        effect: { kind: 'watch', mode: 'silent', afterMs: 20_000 },
        times: 1,
      });
      cluster.api.faults.add({
        match: ({ verb }) => verb === 'watch',
        effect: { kind: 'watch', mode: 'break', afterMs: 30_000 },
        times: 2,
      });
      for (let round = 0; round < 10; round++) {
        await run(
          clock,
          client.patch(resources.deployments, cart, { type: 'merge', body: { spec: { replicas: round % 4 } } }),
        );
        await clock.advance(170_000);
      }
      await clock.advance(400_000);
      const truth = await run(clock, client.list(resources.pods, { project: projections(() => kindTable([])).pod }));
      const byName = (a: { name: string }, b: { name: string }) => a.name.localeCompare(b.name);
      expect([...pods.objects.values()].sort(byName)).toEqual([...truth.items].sort(byName));
      expect(pods.objects.size).toBe(3);
      pods.stop();
    },
  );

  it('leaves a dropped write ambiguous, and it was performed all the same', async () => {
    const { clock, cluster, client } = setUp();
    cluster.apply([deployment('cart')]);
    cluster.api.faults.add({
      match: ({ verb }) => verb === 'patch',
      effect: { kind: 'drop', when: 'after' },
      times: 1,
    });
    const write = client.patch(resources.deployments, cart, { type: 'merge', body: { spec: { replicas: 0 } } });
    const error = await run(clock, write).catch((caught) => caught);
    expect(error).toBeInstanceOf(NoAnswer);
    expect(error.mayHaveReachedServer).toBe(true);
    expect((await run(clock, client.get(resources.deployments, cart))).spec?.replicas).toBe(0);
  });

  it('waits as a 429 asks, for a write too', async () => {
    const { clock, cluster, client } = setUp();
    cluster.apply([deployment('cart')]);
    cluster.api.faults.add({
      match: ({ verb }) => verb === 'patch',
      effect: { kind: 'fail', status: 429, retryAfterSeconds: 3 },
      times: 1,
    });
    const before = clock.monotonic();
    await run(clock, client.patch(resources.deployments, cart, { type: 'merge', body: { spec: { replicas: 5 } } }));
    expect(clock.monotonic() - before).toBe(3_000);
  });
});
