import { describe, expect, it } from 'vitest';
import type { Manifest } from '../../../embedded-cluster/apply-objects.ts';
import type { KubeObject } from '../../../embedded-cluster/object-store.ts';
import { annotations } from '../../../src/domain/names.ts';
import { isReplicaRecord } from '../../../src/domain/record/record.ts';
import type { WriteOutcome } from '../../../src/ports/cluster.ts';
import type { DatabaseCondition } from '../../../src/ports/databases.ts';
import type { TransportRequest } from '../../../src/ports/transport.ts';
import { resourceStates } from '../../../src/state/resource-states.ts';
import type { WorkloadParts } from '../../support/builders/manifests.ts';
import { allUp, ann, minute, OfficeWorld } from '../office-world.ts';
import type { RequestFault } from '../world/faulty-transport.ts';
import { releaseNamespace } from '../world/shipped-controller.ts';

const cart = 'Deployment shop/cart';
const slow: WorkloadParts = {
  kind: 'Deployment',
  namespace: 'shop',
  name: 'slow',
  replicas: 1,
  pod: { terminationGracePeriodSeconds: 3_600 },
  behaviour: { 'terminate-seconds': '120' },
};
const quick = (name: string): WorkloadParts => ({ kind: 'Deployment', namespace: 'shop', name, replicas: 3 });
const ordered = {
  hibernateOrdering: {
    tiers: [
      { name: 'apps', timeout: '5m', select: ['cart', 'slow'].map((name) => ({ namespace: 'shop', name })) },
      { name: 'data', timeout: '5m', select: [{ namespace: 'shop', name: 'db' }] },
    ],
  },
};

const refused: RequestFault = {
  kind: 'status',
  status: 403,
  done: false,
  message: 'denied by the policy of the house',
};
const isRaiseOfCart = ({ method, path, body = '' }: TransportRequest) =>
  method === 'PATCH' && /\/deployments\/cart(\?|$)/.test(path) && !body.includes('"replicas":0');

/** The same object, made anew: another uid, and everything else as it was written down. */
function fromBackup({
  apiVersion,
  kind,
  metadata: { name, namespace, labels, annotations },
  spec,
}: KubeObject): Manifest {
  return { apiVersion, kind, metadata: { name, namespace, labels, annotations }, spec } as Manifest;
}

/** Somebody's slip: no count is left that could be, neither in the record nor on the workload. */
function spoilCount(world: OfficeWorld, name: string): void {
  const state = world.store.get('configmaps', releaseNamespace, 'svc-state')!;
  const data = state['data'] as Record<string, string>;
  const records = resourceStates.decode(data['resource_states']);
  if (!records.ok) throw new Error(records.message);
  const changed = records.value.map((one) =>
    isReplicaRecord(one) && one.name === name ? { ...one, replicas: 300_000 } : one,
  );
  world.store.update('configmaps', { ...state, data: { ...data, resource_states: resourceStates.encode(changed)! } });
  world.owner(`Deployment shop/${name}`, { annotations: { [annotations.hibernatedReplicas]: 'three' } });
}

describe('told as it was', () => {
  it('a hibernation of which GitOps raises something while it runs is not plainly complete, and names it', async () => {
    const world = await new OfficeWorld({ workloads: [quick('cart'), slow, quick('db')], config: ordered }).at(20);
    await world.advance(20_000);
    world.owner(cart, { spec: { replicas: 3 } });
    await world.at(20, 30);
    expect(world.level(cart)).toBe(3);
    expect(world.notices).toMatchObject([
      {
        title: 'Unexpected Replica Change',
        text: `${cart} is raised by kubectl-edit to what it was before it slept: 3 replicas`,
      },
      {
        title: 'Hibernation Complete',
        color: 'amber',
        text: `Left up, for somebody raised it or what applies it meanwhile: ${cart}`,
      },
    ]);
    expect(world.audited('Hibernation Complete')).toMatchObject([
      { result: 'incomplete', details: { left_up: [cart] } },
    ]);
  });

  it('a workload that comes from a backup of the night, at zero with our mark, is not raised on a guess, and told', async () => {
    const world = await new OfficeWorld().at(23);
    const object = world.workload(cart);
    world.store.delete('deployments.apps', 'shop', 'cart');
    await world.advance(minute);
    world.cluster.apply([fromBackup(object)]);
    await world.at(33);
    expect(world.level(cart)).toBe(0);
    const told = 'Workloads are at zero with a mark that was written to another object; they are not raised';
    expect(world.log.said(told)).toMatchObject([{ level: 'warn', fields: { workloads: [cart] } }]);
    expect(world.notices).toContainEqual(
      expect.objectContaining({ key: 'stateMismatch', text: expect.stringContaining(cart) }),
    );
  });

  it('a wake that runs when an admin stands down ends in the name of the stand-down', async () => {
    const starting = { ...slow, behaviour: { 'start-seconds': '240' } };
    const world = new OfficeWorld({ workloads: [quick('cart'), starting] });
    void world.api;
    await world.at(32, 1);
    expect((await world.api.asAdmin('standDown', { body: { reason: 'a release' } })).status).toBe(200);
    await world.advance(20 * minute);
    const actor = `${ann} (stand-down)`;
    expect(world.audited('Wake Complete')).toMatchObject([{ actor, trigger: 'stand-down' }]);
    const card = world.notices.find(({ title }) => title === 'Wake Complete');
    expect(card?.facts).toContainEqual({ name: 'Initiated by', value: actor });
  });
});

describe('a record with a count that no workload has', () => {
  const why = 'its record has 300000 replicas, which no workload has';

  it('keeps a handback open by name, and nobody else down; raised by its owner, it is finished', async () => {
    const world = new OfficeWorld();
    void world.api;
    await world.at(22);
    spoilCount(world, 'cart');
    expect((await world.api.asAdmin('standDown', { body: { reason: 'a release' } })).status).toBe(200);
    await world.advance(30 * minute);
    expect(world.levels()).toEqual({ ...allUp, [cart]: 0 });
    expect(world.standDownState().handbackDone).toBe(false);
    const open = world.log.said('Handback not finished, retrying on the next pass');
    expect(open.at(-1)).toMatchObject({ fields: { pending: [`${cart}: ${why}`] } });
    expect(open.length).toBeLessThanOrEqual(31);
    expect(world.log.said('Handback finished: everything that was scaled down is back')).toEqual([]);
    world.owner(cart, { spec: { replicas: 4 } });
    await world.advance(minute);
    expect([world.level(cart), world.standDownState().handbackDone]).toEqual([4, true]);
  });

  it('makes no wake a success, and is told in the night, while it can be set right', async () => {
    const world = await new OfficeWorld().at(22);
    spoilCount(world, 'cart');
    await world.at(23);
    const told = world.notices.filter(({ key }) => key === 'stateMismatch').map(({ text }) => text);
    expect(told).toEqual([`Recorded with a count that no workload has, and not raised: ${cart} (300000)`]);
    await world.at(33);
    expect(world.levels()).toEqual({ ...allUp, [cart]: 0 });
    expect(world.audited('Wake Complete - 1 workload failed')).toMatchObject([
      { workloads_failed_detail: [`${cart}: svc could not scale it up: ${why}`] },
    ]);
    expect(world.audited('Wake Complete')).toEqual([]);
  });

  it('that is set right in the morning is raised', async () => {
    const world = await new OfficeWorld().at(22);
    spoilCount(world, 'cart');
    await world.at(33);
    world.owner(cart, { annotations: { [annotations.hibernatedReplicas]: '3' } });
    await world.advance(5 * minute);
    expect(world.levels()).toEqual(allUp);
  });
});

describe('a wake that is asked for while something is left down', () => {
  const askAt = async (world: OfficeWorld, hours: number) => {
    await world.at(hours);
    expect((await world.api.asAdmin('wakeUp', { body: { duration: '2h' } })).status).toBe(200);
  };

  const wakesBy = (world: OfficeWorld, who: string) =>
    world.audit().filter(({ kind, actor }) => /^wake(-failed|-no-changes)?$/.test(kind) && actor === who);

  it('is one of its own that raises the workload, with a true entry in the name of who asked', async () => {
    const world = new OfficeWorld();
    void world.api;
    await world.at(31);
    const end = world.faults.hold('policy', isRaiseOfCart, refused);
    await askAt(world, 34);
    expect(world.audited('Wake Complete - 1 workload failed')).toMatchObject([{ actor: 'schedule' }]);
    await world.advance(2_000);
    end();
    await world.advance(10 * minute);
    expect(world.level(cart)).toBe(3);
    expect(wakesBy(world, ann)).toMatchObject([{ title: 'Wake Complete', result: 'success', details: { up: 1 } }]);
  });

  it('tells of a database that it started', async () => {
    let condition: DatabaseCondition = 'available';
    let starts: WriteOutcome = { outcome: 'refused', status: 400, message: 'no capacity' };
    const world = new OfficeWorld({
      config: { databases: { orders: { type: 'instance', identifier: 'orders', region: 'eu-central-1' } } },
      databases: {
        read: async () => ({ condition }),
        stop: async () => {
          condition = 'stopped';
          return { outcome: 'done' };
        },
        start: async () => {
          if (starts.outcome === 'done') condition = 'available';
          return starts;
        },
      },
    });
    void world.api;
    await world.at(34);
    expect(condition).toBe('stopped');
    starts = { outcome: 'done' };
    await askAt(world, 34);
    await world.advance(20 * minute);
    expect(condition).toBe('available');
    expect(wakesBy(world, ann)).toMatchObject([{ title: 'Wake Complete', result: 'success' }]);
    expect(world.audited('Database Started')).toMatchObject([{ actor: ann }]);
  });
});
