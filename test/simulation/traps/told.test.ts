import { describe, expect, it } from 'vitest';
import type { Manifest } from '../../../embedded-cluster/apply-objects.ts';
import type { KubeObject } from '../../../embedded-cluster/object-store.ts';
import type { WorkloadParts } from '../../support/builders/manifests.ts';
import { ann, minute, OfficeWorld } from '../office-world.ts';

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

/** The same object, made anew: another uid, and everything else as it was written down. */
function fromBackup({
  apiVersion,
  kind,
  metadata: { name, namespace, labels, annotations },
  spec,
}: KubeObject): Manifest {
  return { apiVersion, kind, metadata: { name, namespace, labels, annotations }, spec } as Manifest;
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
        title: 'Hibernation Complete',
        color: 'amber',
        text: `Raised by somebody else meanwhile, and left up: ${cart}`,
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
