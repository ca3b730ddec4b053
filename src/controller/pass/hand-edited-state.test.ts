import { afterEach, describe, expect, it } from 'vitest';
import type { Manifest } from '../../../embedded-cluster/apply-objects.ts';
import type { WriteRecord } from '../../../embedded-cluster/faults.ts';
import { ControllerWorld, releaseNamespace } from '../../../test/support/controller-world.ts';
import { annotations, configMaps } from '../../domain/names.ts';

const hour = 3_600_000;
/** A monday noon; the cluster sleeps from 20:00 to 08:00 in Berlin, which is one hour ahead of UTC. */
const noon = Date.UTC(2026, 0, 5, 12);
const night = noon + 10 * hour;
const config = {
  targeting: { namespaces: { exclude: [{ pattern: 'kube-*' }, { exact: 'svc' }, { exact: 'vault' }] } },
  resourceRules: { neverScale: [{ namespace: 'shop', name: 'ledger', reason: 'never' }] },
};

type Data = Record<string, string>;

/** What no edit of the state may reach: another's zero, what runs, what is excluded in each of the ways there are. */
const untouchable = [
  workload('kube-system', 'coredns', 2),
  workload('kube-system', 'zeroed', 0),
  workload('vault', 'store', 1),
  workload('vault', 'emptied', 0),
  workload(releaseNamespace, 'svc-app', 1),
  workload('shop', 'ledger', 1),
  workload('shop', 'kept', 1, { [annotations.exclude]: 'true' }),
  workload('shop', 'parked', 0),
];

function workload(namespace: string, name: string, replicas: number, marks: Data = {}) {
  return { namespace, name, replicas, marks };
}

function manifest({ namespace, name, replicas, marks }: ReturnType<typeof workload>): Manifest {
  const labels = { app: name };
  const template = { metadata: { labels }, spec: { containers: [{ name: 'main', image: `${name}:1` }] } };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace, annotations: marks },
    spec: { replicas, selector: { matchLabels: labels }, template },
  } as Manifest;
}

let world: ControllerWorld;
afterEach(async () => {
  await world.stopController();
  world.cluster.stop();
});

interface Seen {
  readonly namespace: string;
  readonly name: string;
  readonly replicas: number;
}

async function start(at = noon): Promise<Seen[]> {
  world = new ControllerWorld({ startAt: at, config });
  const namespaces = ['shop', 'vault', 'kube-system'].map(
    (name) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } }) as Manifest,
  );
  world.cluster.apply([...namespaces, ...[...untouchable, workload('shop', 'cart', 3)].map(manifest)]);
  const seen: Seen[] = [];
  world.cluster.api.faults.onWrite((write: WriteRecord) => {
    if (!write.user.endsWith('svc-controller') || write.resource === 'configmaps' || write.resource === 'events')
      return;
    const replicas = (write.after['spec'] as { replicas?: number } | undefined)?.replicas ?? -1;
    seen.push({ namespace: write.namespace ?? '', name: write.name, replicas });
  });
  await world.startController();
  await world.clock.advance(2_000);
  return seen;
}

const uidOf = (namespace: string, name: string) =>
  String(world.cluster.store.get('deployments.apps', namespace, name)?.metadata.uid);

function edit(data: Data): void {
  world.cluster.apply([
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: configMaps.state, namespace: releaseNamespace },
      data,
    },
  ]);
}

/** Somebody takes our annotations off the workload that sleeps. */
async function removeMarks(): Promise<void> {
  const { metadata } = world.cluster.store.get('deployments.apps', 'shop', 'cart')!;
  const marks = Object.keys(metadata.annotations ?? {}).filter((key) => key.startsWith('svc.io/'));
  expect(marks).not.toEqual([]);
  await world.cluster.transport({ user: 'somebody', groups: ['system:masters'] }).send({
    method: 'PATCH',
    path: '/apis/apps/v1/namespaces/shop/deployments/cart',
    headers: { 'content-type': 'application/merge-patch+json' },
    body: JSON.stringify({ metadata: { annotations: Object.fromEntries(marks.map((key) => [key, null])) } }),
  });
}

/** Writes on anything but what the service scales: there must be none. */
const strayWrites = (seen: readonly Seen[]) =>
  seen.filter(({ namespace, name }) => `${namespace}/${name}` !== 'shop/cart');

const record = (namespace: string, name: string, replicas: number, uid = uidOf(namespace, name)) => ({
  kind: 'Deployment',
  namespace,
  name,
  uid,
  replicas,
  at: '2026-01-05T10:00:00Z',
});

/** The state at each of its writes through an evening, a night and a morning. */
async function statesOfADay(): Promise<readonly Data[]> {
  await start();
  const states = new Map<string, Data>();
  world.cluster.api.faults.onWrite(({ resource, name }) => {
    if (resource === 'configmaps' && name === configMaps.state)
      states.set(JSON.stringify(world.stateData()), world.stateData());
  });
  await world.clock.advance(24 * hour);
  return [...states.values()];
}

describe('attack 23: a svc-state that somebody edited by hand', () => {
  it('with records of what the service must not touch leads to no write on any of it, by day and by night', async () => {
    for (const at of [noon, night]) {
      const seen = await start(at);
      for (const replicas of [0, 1, 7, 100_000]) {
        const records = untouchable.map(({ namespace, name }) => record(namespace, name, replicas));
        edit({ resource_states: JSON.stringify(records) });
        await world.clock.advance(26 * hour);
        expect([at, replicas, strayWrites(seen)]).toEqual([at, replicas, []]);
      }
      for (const { namespace, name, replicas } of untouchable) {
        expect([name, world.replicas(namespace, name)]).toEqual([name, replicas]);
      }
      await world.stopController();
    }
    await world.startController();
  });

  it('with 100,000 replicas raises nothing to it: the annotation counts, and without one a person has to look', async () => {
    const seen = await start();
    await world.clock.advance(10 * hour);
    expect(world.replicas('shop', 'cart')).toBe(0);
    edit({ ...world.stateData(), resource_states: JSON.stringify([record('shop', 'cart', 100_000)]) });
    await world.clock.advance(14 * hour);
    expect(world.replicas('shop', 'cart')).toBe(3);
    await world.clock.advance(10 * hour);
    expect(world.replicas('shop', 'cart')).toBe(0);
    await removeMarks();
    edit({ ...world.stateData(), resource_states: JSON.stringify([record('shop', 'cart', 100_000)]) });
    await world.clock.advance(16 * hour);
    expect(Math.max(...seen.map(({ replicas }) => replicas))).toBe(3);
    expect(world.replicas('shop', 'cart')).toBe(0);
  });

  it('with a foreign uid is a record of another object: only the annotation brings the workload back', async () => {
    const seen = await start();
    await world.clock.advance(10 * hour);
    const foreign = record('shop', 'cart', 9, '00000000-0000-0000-0000-000000000000');
    edit({ ...world.stateData(), resource_states: JSON.stringify([foreign]) });
    await world.clock.advance(16 * hour);
    expect(new Set(seen.map(({ replicas }) => replicas))).toEqual(new Set([0, 3]));
    expect(world.replicas('shop', 'cart')).toBe(3);
    await world.clock.advance(8 * hour);
    await removeMarks();
    edit({ ...world.stateData(), resource_states: JSON.stringify([foreign]) });
    await world.clock.advance(16 * hour);
    expect(world.replicas('shop', 'cart')).toBe(0);
    expect(new Set(seen.map(({ replicas }) => replicas))).toEqual(new Set([0, 3]));
  });

  it('in the middle of anything, with the names in every key exchanged, touches nothing else', async () => {
    const states = await statesOfADay();
    const recorded = uidOf('shop', 'cart');
    expect(states.some((state) => state['resource_states']?.includes(recorded))).toBe(true);
    await world.stopController();
    expect(states.some(({ transition }) => transition?.includes('hibernation'))).toBe(true);
    expect(states.some(({ transition }) => transition?.includes('"wake"'))).toBe(true);
    expect(states.length).toBeGreaterThan(6);
    for (const state of states) {
      for (const at of [noon, night]) {
        const seen = await start(at);
        await world.stopController();
        const cart = uidOf('shop', 'cart');
        for (const { namespace, name } of untouchable.slice(0, 4)) {
          const swapped = Object.entries(state).map(([key, text]) => [
            key,
            text
              .replaceAll('"namespace":"shop"', `"namespace":"${namespace}"`)
              .replaceAll('"cart"', `"${name}"`)
              .replaceAll('shop/cart', `${namespace}/${name}`)
              .replaceAll(recorded, uidOf(namespace, name)),
          ]);
          edit(Object.fromEntries(swapped));
          await world.startController();
          await world.clock.advance(3 * hour);
          await world.stopController();
          expect([at, `${namespace}/${name}`, state, strayWrites(seen)]).toEqual([
            at,
            `${namespace}/${name}`,
            state,
            [],
          ]);
        }
        expect(uidOf('shop', 'cart')).toBe(cart);
        expect(seen.every(({ replicas }) => replicas === 0 || replicas === 3)).toBe(true);
      }
    }
    await world.startController();
  });

  it('that asks for a hibernation of what it names by hand takes down nothing that is excluded', async () => {
    const seen = await start(night);
    const names = untouchable.map(({ namespace, name }) => `Deployment ${namespace}/${name}`);
    const payload = {
      kind: 'hibernation',
      tierStartedAt: night,
      tiersDone: [],
      tiersTimedOut: [],
      respected: [],
      failed: {},
      only: names,
    };
    const trigger = { actor: 'somebody', cause: 'drift' };
    const running = { version: 1, kind: 'hibernation', id: 'h', startedAt: '2026-01-05T21:00:00Z', trigger, payload };
    edit({ transition: JSON.stringify(running) });
    await world.clock.advance(2 * hour);
    expect(strayWrites(seen)).toEqual([]);
    for (const { namespace, name, replicas } of untouchable) {
      expect([name, world.replicas(namespace, name)]).toEqual([name, replicas]);
    }
  });
});
