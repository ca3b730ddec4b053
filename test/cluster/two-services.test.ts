import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/platform/system-clock.ts';
import { sleep } from '../../src/ports/clock.ts';
import { type RealCluster, realCluster } from './harness/real-cluster.ts';
import { hours } from './scenarios/acts.ts';
import { createWorkloads } from './scenarios/workload-manifests.ts';
import { Service } from './services/service.ts';

// Two releases in two namespaces of one real cluster, each with workloads of its own, that know each other by address and
// shared keys alone. Each needs the other, so that each of them is host and dependent.

interface Session {
  readonly cluster: string;
  readonly expiresAt: string;
}

const newKey = () => randomBytes(32).toString('base64');
const keys = { left: newKey(), right: newKey(), many: newKey() };
const asleep = { 'open/db': 0, 'open/web': 0, 'shut/vault': 0 };
const awake = { 'open/db': 2, 'open/web': 1, 'shut/vault': 1 };
/** What another cluster may wake. */
const opened = { ...awake, 'shut/vault': 0 };

let cluster: RealCluster;
let left: Service;
let right: Service;

beforeAll(async () => {
  cluster = await realCluster();
});
afterAll(() => cluster?.close());

beforeEach(async () => {
  left = await Service.install(cluster, 'left');
  right = await Service.install(cluster, 'right');
  for (const [service, other] of [
    [left, right],
    [right, left],
  ] as const) {
    await service.mountKey('peers', other.name, keys[other.name as 'left' | 'right']);
    await service.mountKey('peers', 'many', keys.many);
    await service.mountKey('hosts', other.name, keys[service.name as 'left' | 'right']);
    await service.configure({
      ...hours('off'),
      targeting: { namespaces: { exclude: strangersTo(other) } },
      externalWake: hosting(service, other),
      externalDependencies: [needs(other)],
    });
    await createWorkloads(cluster.admin.client, service.namespaces.open, [
      { name: 'db', replicas: 2 },
      { name: 'web', replicas: 1 },
    ]);
    await createWorkloads(cluster.admin.client, service.namespaces.shut, [{ name: 'vault', replicas: 1 }]);
  }
  await Promise.all([left.start(), right.start()]);
  await Promise.all([untilLevels(left, asleep), untilLevels(right, asleep)]);
  // Signatures count in seconds: one of the second in which the process began might be older than the process.
  for (const service of [left, right]) {
    await service.until('it takes what is signed now', async () => {
      return (await service.ask('many', keys.many, {}, 'DELETE')).status === 200;
    });
  }
});
afterEach(async () => {
  await left?.close();
  await right?.close();
});

/** Namespaces that are somebody else's, whichever tests ran before on the same cluster. */
function strangersTo(other: Service) {
  const patterns = ['kube-*', 'default', 'svc-*', 'team-*', 'test-*', `${other.name}-*`];
  return patterns.map((pattern) => ({ pattern }));
}

function hosting(service: Service, other: Service, more: object = {}) {
  return {
    enabled: true,
    localClusterName: service.name,
    clusters: [
      { name: other.name, secretRef: { name: 'peers', key: other.name } },
      { name: 'many', secretRef: { name: 'peers', key: 'many' } },
    ],
    excludedNamespaces: ['*-shut-*'],
    quotas: { maxWakeDuration: '12s' },
    ...more,
  };
}

function needs(other: Service, more: object = {}) {
  return { cluster: other.name, url: other.url, secretRef: { name: 'hosts', key: other.name }, ...more };
}

const untilLevels = (service: Service, wanted: object) =>
  service.until(`the workloads of ${service.name} are at ${JSON.stringify(wanted)}`, async () => {
    return JSON.stringify(await service.levels()) === JSON.stringify(wanted);
  });
const sessions = async (service: Service) => (await service.state<readonly Session[]>('external_wake_sessions')) ?? [];
const wake = async (service: Service) => {
  expect((await service.call('POST', '/wake/up', { duration: '4h' })).status).toBe(200);
};
const resume = async (service: Service) => {
  expect((await service.call('POST', '/schedule/resume')).status).toBe(200);
};

describe('two services on one cluster', () => {
  it.each([
    ['left', 'right'],
    ['right', 'left'],
  ])('%s wakes %s, keeps it awake over many renewals, and lets it sleep again', async (first, _second) => {
    const [dependent, host] = first === 'left' ? [left, right] : [right, left];
    await wake(dependent);
    await untilLevels(dependent, awake);
    await untilLevels(host, opened);
    expect(await sessions(host)).toMatchObject([{ cluster: dependent.name, resources: [] }]);

    const [{ expiresAt: begun } = { expiresAt: '' }] = await sessions(host);
    await host.until('it was renewed past two whole sessions', async () => {
      const [session] = await sessions(host);
      expect(session?.cluster).toBe(dependent.name);
      return Date.parse(session?.expiresAt ?? '') > Date.parse(begun) + 24_000;
    });
    expect(await host.levels()).toEqual(opened);
    // The host needs the dependent too, which is awake by itself: nobody keeps it so.
    expect(await sessions(dependent)).toEqual([]);

    await resume(dependent);
    await Promise.all([untilLevels(dependent, asleep), untilLevels(host, asleep)]);
    expect(await sessions(host)).toEqual([]);
    const titles = (await host.audit()).filter((title) => title.startsWith('External Wake'));
    expect(new Set(titles)).toEqual(new Set(['External Wake Started', 'External Wake Renewed', 'External Wake Ended']));
    expect(titles.filter((title) => title === 'External Wake Started')).toHaveLength(1);
    expect(titles.at(-1)).toBe('External Wake Ended');
  });

  it('wakes what is named and nothing else, and never an excluded namespace', async () => {
    const resources = [{ namespace: left.namespaces.open, type: 'Deployment', name: 'db' }];
    await right.configure({ externalDependencies: [needs(left, { resources })] });
    await wake(right);
    await untilLevels(right, awake);
    await untilLevels(left, { ...asleep, 'open/db': 2 });
    const excluded = await left.ask('right', keys.right, { resources: [{ namespace: left.namespaces.shut }] });
    expect(excluded).toMatchObject({
      status: 403,
      body: { code: 'forbidden', message: `Namespace ${left.namespaces.shut} is never woken by another cluster.` },
    });
    expect((await left.ask('right', keys.left, {})).status).toBe(401);
    expect((await left.ask('stranger', keys.right, {})).status).toBe(401);
    expect((await left.ask('right', keys.right, { host: 'right' })).body['message']).toBe(
      'host is "right", but this cluster is "left".',
    );
    await resume(right);
    await untilLevels(left, asleep);
  });

  it('keeps a session over restarts of both processes of the host, and lets it run out when its cluster is gone', async () => {
    await wake(left);
    await untilLevels(right, opened);
    await right.stopController();
    await right.stopApi();
    await right.start();
    expect(await right.levels()).toEqual(opened);
    await right.until('it was renewed after the restart', async () => {
      const [session] = await sessions(right);
      return Date.parse(session?.expiresAt ?? '') > systemClock.now() + 8_000;
    });
    await left.stopController();
    await untilLevels(right, asleep);
    expect((await right.audit()).filter((title) => title === 'External Wake Expired')).toHaveLength(1);
  });

  it('a host that is stood down answers, nothing of it is down, and it goes to sleep when neither holds any more', async () => {
    expect((await right.call('POST', '/stand-down', { reason: 'release' })).status).toBe(200);
    await untilLevels(right, awake);
    await wake(left);
    await untilLevels(left, awake);
    await right.until('it has the session', async () => (await sessions(right))[0]?.cluster === 'left');
    // With the stand-down over the session alone keeps it up.
    expect((await right.call('DELETE', '/stand-down')).status).toBe(200);
    await right.until('it goes by its sessions again', async () => {
      const { body } = await right.call('GET', '/hibernation/status');
      return body['standDown'] === null && JSON.stringify(body).includes('external_wake');
    });
    await sleep(systemClock, 3_000);
    expect(await right.levels()).toMatchObject({ 'open/db': 2, 'open/web': 1 });
    await resume(left);
    await untilLevels(right, asleep);
  });

  it('a dependent that is stood down asks nobody: its session runs out, and it asks again afterwards', async () => {
    await wake(left);
    await untilLevels(right, opened);
    expect((await left.call('POST', '/stand-down')).status).toBe(200);
    await untilLevels(right, asleep);
    expect(await sessions(right)).toEqual([]);
    expect((await right.audit()).filter((title) => title === 'External Wake Expired')).toHaveLength(1);
    // Longer than it would take to ask again.
    await sleep(systemClock, 7_000);
    expect(await sessions(right)).toEqual([]);
    expect(await left.levels()).toEqual(awake);
    expect((await left.call('DELETE', '/stand-down')).status).toBe(200);
    await untilLevels(left, asleep);
    await wake(left);
    await untilLevels(right, opened);
  });

  it('quotas hold on both sides under two hundred requests in parallel on each', async () => {
    const quotas = { maxWakeDuration: '1h' };
    await left.configure({ externalWake: hosting(left, right, { quotas }) });
    await right.configure({ externalWake: hosting(right, left, { quotas }) });
    const settings = (service: Service) => service.call('GET', '/external-wake/sessions');
    for (const service of [left, right]) {
      await service.until('the quotas are in force', async () => {
        const { body } = await settings(service);
        return (body['quotas'] as { maxWakeDuration?: string } | undefined)?.maxWakeDuration === '1h';
      });
    }
    // No two ask for the same, so that none is a renewal.
    const ask = (service: Service, index: number) =>
      service.ask('many', keys.many, { resources: [{ namespace: service.namespaces.open, name: `w${index}` }] });
    const both = [left, right].flatMap((service) => Array.from({ length: 200 }, (_, index) => ask(service, index)));
    const answers = await Promise.all(both);
    for (const [service, own] of [
      [left, answers.slice(0, 200)],
      [right, answers.slice(200)],
    ] as const) {
      const counts = Map.groupBy(own, ({ status, body }) => `${status} ${body['code'] ?? 'ok'}`);
      const told = [...counts].map(([outcome, list]) => [outcome, list.length]);
      expect(Object.fromEntries(told)).toEqual({ '200 ok': 5, '429 quota_exceeded': 195 });
      expect(await sessions(service)).toHaveLength(5);
      expect((await service.ask('many', keys.many, {}, 'DELETE')).body).toEqual({ ended: 5 });
    }
    // Fifteen are left of the twenty an hour, five at a time.
    const later: number[] = [];
    for (let round = 0; round < 4; round++) {
      const answers = await Promise.all(Array.from({ length: 50 }, (_, index) => ask(left, round * 50 + index)));
      later.push(answers.filter(({ status }) => status === 200).length);
      await left.ask('many', keys.many, {}, 'DELETE');
    }
    expect(later).toEqual([5, 5, 5, 0]);
  });
});
