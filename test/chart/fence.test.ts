import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type RealCluster, realCluster } from '../cluster/harness/real-cluster.ts';
import type { ServiceAccountIdentity } from '../cluster/harness/service-account.ts';
import { type Answer, ask } from './harness/account-request.ts';
import { Release } from './harness/release.ts';
import { cronJob, deployment, statefulSet } from './harness/targets.ts';

const soon = { timeout: 20_000, interval: 50 };

let cluster: RealCluster;
let release: Release;
let shop: string;
let controller: ServiceAccountIdentity;

const workloads = () => ({
  Deployment: `/apis/apps/v1/namespaces/${shop}/deployments`,
  StatefulSet: `/apis/apps/v1/namespaces/${shop}/statefulsets`,
  CronJob: `/apis/batch/v1/namespaces/${shop}/cronjobs`,
});
type Kind = keyof ReturnType<typeof workloads>;
const manifests = { Deployment: deployment, StatefulSet: statefulSet, CronJob: cronJob };

beforeAll(async () => {
  // A policy with a ConfigMap for its parameter sees it only if no such policy was removed since the apiserver started.
  cluster = await realCluster({ restartable: true });
  await cluster.plane().restartApiserver();
  shop = await cluster.namespace('shop');
  release = await Release.install(cluster);
  for (const kind of Object.keys(manifests) as Kind[]) await asAdmin('POST', workloads()[kind], manifests[kind]);
  controller = await cluster.serviceAccount(release.namespace, 'svc-controller');
});

afterAll(async () => {
  await release?.uninstall('--no-hooks');
  await cluster?.close();
});

async function asAdmin(method: 'POST' | 'PATCH' | 'GET', path: string, body?: object): Promise<Answer> {
  const answer = await ask(cluster.admin, method, path, body);
  if (answer.status >= 400) throw new Error(`${method} ${path}: ${answer.message}`);
  return answer;
}

async function state(data: Readonly<Record<string, string | null>>): Promise<void> {
  const maps = `/api/v1/namespaces/${release.namespace}/configmaps`;
  const known = await ask(cluster.admin, 'GET', `${maps}/svc-state`);
  if (known.status === 404) await asAdmin('POST', maps, { metadata: { name: 'svc-state' }, data });
  else await asAdmin('PATCH', `${maps}/svc-state`, { data });
}

const path = (kind: Kind) =>
  `${workloads()[kind]}/${(manifests[kind] as { metadata: { name: string } }).metadata.name}`;
const down = (kind: Kind) => (kind === 'CronJob' ? { suspend: true } : { replicas: 0 });
const up = (kind: Kind) => (kind === 'CronJob' ? { suspend: false } : { replicas: 2 });

function lower(kind: Kind, epoch?: string): Promise<Answer> {
  const annotations = epoch === undefined ? {} : { 'svc.io/hibernated-epoch': epoch };
  return ask(controller, 'PATCH', path(kind), { metadata: { annotations }, spec: down(kind) });
}

async function raise(kind: Kind): Promise<Answer> {
  return ask(controller, 'PATCH', path(kind), {
    metadata: { annotations: { 'svc.io/hibernated-epoch': null } },
    spec: up(kind),
  });
}

const standDown = JSON.stringify({ admin: { actor: 'ann@example.org', at: '2026-01-05T19:00:00Z' } });

describe.each(Object.keys(manifests) as Kind[])('the fence around a %s, on the real apiserver', (kind) => {
  it('refuses a lowering of a life before the newest, and lets the newest do it', async () => {
    await state({ epoch: '5', stand_down: null });
    await vi.waitFor(async () => {
      const answer = await lower(kind, '4');
      // Before the policy is in force it goes through, and what is down already is not lowered again.
      if (answer.status === 200) await raise(kind);
      expect([answer.status, answer.message]).toEqual([422, expect.stringContaining('decided at 4, the newest is 5')]);
    }, soon);
    expect((await lower(kind)).status).toBe(422);
    expect((await lower(kind, 'none')).status).toBe(422);
    expect((await lower(kind, '5')).status).toBe(200);
    expect((await raise(kind)).status).toBe(200);
  });

  it('lets a life that is newer than what it knows yet do it: the state may be a moment behind', async () => {
    await state({ epoch: '5', stand_down: null });
    expect((await lower(kind, '6')).status).toBe(200);
    expect((await raise(kind)).status).toBe(200);
  });

  it('lets everything newer than a stand-down that it still sees through: what it sees may be long gone', async () => {
    await state({ epoch: '5', stand_down: standDown });
    await vi.waitFor(async () => {
      const answer = await lower(kind, '5');
      if (answer.status === 200) await raise(kind);
      expect(answer.status).toBe(422);
    }, soon);
    expect((await lower(kind, '6')).status).toBe(200);
    expect((await raise(kind)).status).toBe(200);
    await state({ stand_down: null });
  });

  it('is no obstacle while its number is spoilt', async () => {
    await state({ epoch: 'spoilt', stand_down: null });
    await vi.waitFor(async () => expect((await lower(kind, '1')).status).toBe(200), soon);
    expect((await raise(kind)).status).toBe(200);
  });

  it.each([
    ['an admin', standDown],
    ['the configuration', JSON.stringify({ configuration: { at: '2026-01-05T19:00:00Z' } })],
  ])('refuses every lowering, and no raising, while %s holds a stand-down', async (_, text) => {
    await state({ epoch: '5', stand_down: null });
    await vi.waitFor(async () => expect((await lower(kind, '5')).status).toBe(200), soon);
    await state({ stand_down: text });
    expect((await raise(kind)).status).toBe(200);
    await vi.waitFor(async () => {
      const answer = await lower(kind, '5');
      if (answer.status === 200) await raise(kind);
      expect([answer.status, answer.message]).toEqual([422, expect.stringContaining('svc is stood down')]);
    }, soon);
    await state({ stand_down: null });
  });
});

describe('the fence of a release that was removed and installed again', () => {
  it('refuses nothing that is newer than the state of the release before', async () => {
    await state({ epoch: '5', stand_down: standDown });
    await vi.waitFor(async () => {
      const answer = await lower('Deployment', '5');
      if (answer.status === 200) await raise('Deployment');
      expect(answer.status).toBe(422);
    }, soon);
    await release.uninstall('--no-hooks');
    // The apiserver lets go of the parameter a moment after its last policy.
    await vi.waitFor(async () => {
      const gone = await ask(cluster.admin, 'GET', '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies');
      expect(JSON.stringify(gone.body)).not.toContain('svc-fence');
    }, soon);
    await release.reinstall();
    controller = await cluster.serviceAccount(release.namespace, 'svc-controller');
    await state({ epoch: '6', stand_down: null });
    expect((await lower('Deployment', '6')).status).toBe(200);
    expect((await raise('Deployment')).status).toBe(200);
  });
});
