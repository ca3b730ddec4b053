import { afterEach, describe, expect, it } from 'vitest';
import {
  ApiWorld,
  type ApiWorldOptions,
  adminAddress,
  deployment,
  releaseNamespace,
} from '../../../test/support/api-world.ts';
import { workloadManifest } from '../../../test/support/builders/manifests.ts';
import type { AuditEntry } from '../../domain/audit/entry.ts';
import { entryLine } from '../../domain/audit/stored-entry.ts';

let world: ApiWorld;
let token: string;
afterEach(() => world.stop());

async function start(options: ApiWorldOptions = {}): Promise<void> {
  world = await ApiWorld.start(options);
  token = await world.token(adminAddress);
  await world.pass(60_000);
}

const cart = { namespace: 'shop', kind: 'Deployment', name: 'cart' };
const ask = (params = cart) => world.call('workload', { params }, token);
const retry = (params = cart) => world.call('retryWorkload', { params }, token);

/** A Deployment whose image cannot be pulled. */
const unpulled = (name: string) =>
  workloadManifest({ kind: 'Deployment', namespace: 'shop', name, replicas: 1, behaviour: { pull: 'fail' } });

const eventOf = (name: string, kind: string, object: string, reason: string, at: string) => ({
  apiVersion: 'v1',
  kind: 'Event',
  metadata: { namespace: 'shop', name },
  involvedObject: { kind, namespace: 'shop', name: object },
  type: 'Warning',
  reason,
  message: `${reason} happened`,
  count: 3,
  lastTimestamp: at,
});

function writeAudit(entry: AuditEntry): void {
  const metadata = { name: 'svc-audit-0', namespace: releaseNamespace, labels: { 'svc.io/audit': 'true' } };
  world.cluster.apply([{ apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { entries: `${entryLine(entry)}\n` } }]);
}

describe('the page of a workload', () => {
  it('says why it is not up now: pods with what they wait for, the last events, the tier', async () => {
    await start({
      objects: [
        unpulled('cart'),
        deployment('shop', 'cart-2', 1),
        eventOf('a', 'Deployment', 'cart', 'ScalingReplicaSet', '2026-01-05T10:00:00Z'),
        eventOf('b', 'ReplicaSet', 'cart-abc', 'FailedCreate', '2026-01-05T10:01:00Z'),
        eventOf('c', 'ReplicaSet', 'cart-2-abc', 'FailedCreate', '2026-01-05T10:02:00Z'),
        eventOf('d', 'Deployment', 'other', 'ScalingReplicaSet', '2026-01-05T10:03:00Z'),
      ],
      config: { wakeOrdering: { tiers: [{ name: 'front', select: [{ namespace: 'shop', name: 'cart' }] }] } },
    });
    const answer = (await ask()).json();
    expect(answer).toMatchObject({
      wanted: 'up',
      resource: { state: 'starting', replicas: 1, readyReplicas: 0 },
      tiers: { wake: 'front', hibernate: 'everything else' },
      past: { items: [], more: false },
      retry: { possible: true },
    });
    expect(answer.pods.items).toHaveLength(1);
    expect(answer.pods.items[0]).toMatchObject({
      ready: false,
      trouble: expect.stringMatching(/^Container \S+ waits: (ErrImagePull|ImagePullBackOff), /),
      containers: [{ state: 'waiting', ready: false, restarts: 0 }],
    });
    expect(answer.events.items.map(({ about }: { about: string }) => about)).toEqual([
      'ReplicaSet cart-abc',
      'Deployment cart',
    ]);
  });

  it('asks for one bounded page of each, and for nothing by name of others', async () => {
    await start({ objects: [unpulled('cart')] });
    const asked: string[] = [];
    world.cluster.api.faults.onRequest(({ resource }, { path }) => {
      if (resource === 'pods' || resource === 'events') asked.push(decodeURIComponent(path));
    });
    const [pod] = (await ask()).json().pods.items;
    const events = '/api/v1/namespaces/shop/events?fieldSelector=';
    expect(asked.toSorted()).toEqual([
      `${events}involvedObject.kind=Deployment,involvedObject.name=cart&limit=100`,
      `${events}involvedObject.kind=Pod,involvedObject.name=${pod.name}&limit=100`,
      `${events}involvedObject.kind=ReplicaSet&limit=100`,
      '/api/v1/namespaces/shop/pods?labelSelector=app=cart&limit=50',
    ]);
  });

  it('stands where pods and events may not be read', async () => {
    await start({ objects: [unpulled('cart')] });
    world.cluster.api.faults.add({
      match: ({ resource }) => resource === 'pods' || resource === 'events',
      effect: { kind: 'fail', status: 403 },
    });
    const answer = (await ask()).json();
    expect(answer.resource.state).toBe('starting');
    expect(answer.pods).toMatchObject({ items: [], problem: expect.stringContaining('403') });
    expect(answer.events).toMatchObject({ items: [], problem: expect.stringContaining('403') });
  });

  it('has the verdicts of past wakes', async () => {
    await start({ objects: [deployment('shop', 'cart', 1)] });
    const entry = {
      id: 'wake-1-ended',
      at: Date.parse('2026-01-05T07:15:00Z'),
      kind: 'wake-failed',
      title: 'Wake Complete - 1 workload failed',
      actor: 'schedule',
      workloads_failed_detail: ['Deployment shop/cart could not be read'],
    };
    writeAudit(entry);
    expect((await ask()).json().past.items).toEqual([
      {
        id: 'wake-1-ended',
        at: '2026-01-05T07:15:00.000Z',
        kind: 'wake',
        title: 'Wake Complete - 1 workload failed',
        actor: 'schedule',
        verdict: 'failed',
        sentence: 'Deployment shop/cart could not be read',
      },
    ]);
  });

  it('is for admins, of workloads that exist', async () => {
    await start({ objects: [deployment('shop', 'cart', 1)] });
    expect((await world.call('workload', { params: cart })).statusCode).toBe(401);
    expect((await ask({ ...cart, name: 'none' })).json().code).toBe('not_found');
    expect((await ask({ ...cart, kind: 'Pod' })).json().code).toBe('invalid_request');
  });

  it('is looked at so many times a minute and no more', async () => {
    await start({ objects: [deployment('shop', 'cart', 1)] });
    const codes: number[] = [];
    for (let count = 0; count < 61; count++) codes.push((await ask()).statusCode);
    expect([codes.slice(0, 60).every((code) => code === 200), codes[60]]).toEqual([true, 429]);
  });
});

describe('trying one workload again', () => {
  const intent = () => JSON.parse(world.stateData()?.['wake_retries'] ?? '[]');

  it('is an intent for the controller, with an entry in the audit log', async () => {
    await start({ objects: [unpulled('cart')] });
    const answer = await retry();
    expect(answer.json()).toEqual({
      message:
        'It asks for 1 replica already: it is waited for anew, with a verdict of its own. Its pods are not restarted.',
    });
    expect(intent()).toMatchObject([{ kind: 'Deployment', namespace: 'shop', name: 'cart', by: adminAddress }]);
    const { entries } = (await world.call('audit', {}, token)).json();
    expect(entries).toMatchObject([
      { kind: 'wake-requested', actor: adminAddress, details: { resources: ['Deployment shop/cart'] } },
    ]);
    await retry();
    expect(intent()).toHaveLength(1);
  });

  it.each<[string, Partial<ApiWorldOptions>, string]>([
    ['is up', { objects: [deployment('shop', 'cart', 1)] }, 'It is up.'],
    ['is down by its owner', { objects: [deployment('shop', 'cart', 0)] }, 'Its owner has it at 0 replicas.'],
    [
      'is left alone',
      { objects: [unpulled('cart')], config: { targeting: { namespaces: { exclude: [{ exact: 'shop' }] } } } },
      'The service leaves it alone: Namespace shop is excluded by name.',
    ],
    [
      'would not be touched',
      { objects: [unpulled('cart')], config: { operations: { dryRun: true } } },
      'Dry run is on: no workload is changed.',
    ],
    [
      'should sleep',
      { objects: [unpulled('cart')], config: { workingHours: { schedule: { monday: 'off' } } } },
      'It is not wanted up now.',
    ],
  ])('is refused for one that %s', async (_, options, words) => {
    await start(options);
    const { statusCode, json } = await retry();
    expect([statusCode, json().code]).toEqual([409, 'nothing_to_wake']);
    expect(json().message).toContain(words);
    expect(intent()).toEqual([]);
  });

  it('is refused while the service is stood down', async () => {
    await start({ objects: [unpulled('cart')] });
    await world.call('standDown', { body: {} }, token);
    expect((await retry()).json().code).toBe('stood_down');
  });

  it('leaves the cluster awake on every screen', async () => {
    await start({ objects: [unpulled('cart')] });
    const wake = { id: 'w', startedAt: 0, failOpenMs: 0, tiers: [], writeOffs: {} };
    const part = [{ namespace: 'shop', type: 'Deployment', name: 'cart' }];
    world.setState({
      transition: JSON.stringify({
        version: 1,
        kind: 'wake',
        id: 'w',
        startedAt: '2026-01-05T11:00:00Z',
        trigger: { actor: 'ada', cause: 'retry' },
        payload: { wake, refused: {}, part, retry: true },
      }),
    });
    await world.pass();
    const status = (await world.call('hibernationStatus', {}, token)).json();
    expect([status.state, status.active, status.transition.cause]).toEqual(['awake', false, 'retry']);
    expect((await ask()).json().retry).toEqual({
      possible: false,
      text: 'A wake or hibernation runs now; try again when it has ended.',
    });
  });
});
