import { describe, expect, it } from 'vitest';
import { nowhere } from '../../../embedded-cluster/kubelet/behaviour.ts';
import type { DatabaseCondition } from '../../../src/ports/databases.ts';
import { hibernateIntent, wakeIntent } from '../actors/state-intents.ts';
import { ann, hour, minute, OfficeWorld } from '../office-world.ts';
import { cart, slow, wakeOf } from './wake-scenario.ts';

const refused = 'Deployment shop/cart could not create its container (CreateContainerConfigError)';
const created = (after: number, more: Readonly<Record<string, string>> = {}) =>
  cart({ behaviour: { create: 'CreateContainerConfigError', 'create-recovers-after': String(after), ...more } });

describe('a write-off that is withdrawn, through the controller', () => {
  it.each([
    ['came up less than 1 minute after the service stopped waiting', created(930)],
    ['came up 1 minute after the service stopped waiting', created(1_000)],
    [
      'came up less than 1 minute after the service stopped waiting, and is not ready again',
      created(930, { 'unready-at': '30' }),
    ],
    ['came back up after the service stopped waiting', created(930, { 'unready-at': '30-60' })],
  ])('%s', async (ending, workload) => {
    const { entry, world } = await wakeOf([workload, slow(1_190)]);
    const sentence = `${refused}, ${ending}`;
    expect(entry).toMatchObject({
      title: 'Wake Complete',
      result: 'success',
      workloads_failed_detail: [],
      workloads_recovered: 1,
      workloads_recovered_detail: [sentence],
    });
    const card = world.notices.find(({ title }) => title === 'Wake Complete');
    expect(card).toMatchObject({ color: 'green', recoveries: [sentence], casualties: [] });
  });

  it('a container that the kubelet killed on its declared budget gets a grace, and its next attempt comes up', async () => {
    const { entry } = await wakeOf([
      cart({ startupProbe: { periodSeconds: 10, failureThreshold: 30 }, behaviour: { 'start-seconds': '3000,5' } }),
    ]);
    expect(entry).toMatchObject({
      result: 'success',
      workloads_recovered_detail: [
        'Deployment shop/cart did not finish starting within its declared 5 minutes, came up less than 1 minute after the restart',
      ],
    });
  });
});

describe('a recovery that does not last', () => {
  // Each attempt dies after a minute; only the third is ready before that: written off, up, and written off again at 390 s.
  const dying = cart({ behaviour: { 'start-seconds': '3000,3000,5,3000', 'crash-after-seconds': '60' } });
  const recoveries = async (world: OfficeWorld) => {
    const { values } = await world.process!.ports.metrics.recoveries.get();
    return values.reduce((sum, { value }) => sum + value, 0);
  };

  it('a second write-off takes the slot back: no recovery is recorded anywhere, and no grace is given', async () => {
    const { entry, world } = await wakeOf([dying, slow(420)]);
    const sentence = 'Deployment shop/cart restarted twice before it was ready';
    expect(world.log.said('A write-off was withdrawn')).toHaveLength(1);
    expect(entry).toMatchObject({
      title: 'Wake Complete - 1 workload failed',
      result: 'failed',
      workloads_failed_detail: [sentence],
      workloads_recovered: 0,
      workloads_recovered_detail: [],
    });
    expect(entry.durationMs).toBeLessThan(425_000);
    expect(world.events('default').map(({ message }) => message)).toContain('Wake Complete - 1 workload failed');
    expect(await recoveries(world)).toBe(0);
  });

  it('a recovery that lasts is counted once', async () => {
    const { world } = await wakeOf([created(930), slow(1_190)]);
    expect(await recoveries(world)).toBe(1);
  });
});

describe('a wake that ends before there is an answer', () => {
  const pulling = { 'pull-seconds': '3000' };

  it('walked_past: a tier was released without waiting for its group, and everybody is told', async () => {
    const tier = (name: string) => ({ name, timeout: '2m', select: [{ namespace: 'shop', labels: { tier: name } }] });
    const { entry, world } = await wakeOf(
      [cart({ labels: { tier: 'data' }, behaviour: pulling }), cart({ name: 'web', labels: { tier: 'web' } })],
      { wakeOrdering: { tiers: [tier('data'), tier('web')] } },
    );
    expect(entry).toMatchObject({
      title: 'Wake Complete',
      completeness: 'incomplete',
      workloads_failed_detail: [],
      details: { up: 1, still_starting: ['Deployment shop/cart: walked_past'] },
    });
    const text = 'Tier data was released after 2m without waiting for Deployment shop/cart';
    expect(world.notices.find(({ title }) => title === 'Wake Barrier Timeout')).toMatchObject({ text });
    expect(world.events('default')).toContainEqual({ type: 'Warning', reason: 'WakeBarrierTimeout', message: text });
  });

  it('superseded: a hibernation started during the wake', async () => {
    const world = await new OfficeWorld({ workloads: [cart({ behaviour: pulling })] }).at(21);
    await world.at(32, 3);
    await hibernateIntent(world, ann);
    await world.advance(minute);
    expect(world.audited('Wake Complete')).toMatchObject([
      { completeness: 'incomplete', details: { still_starting: ['Deployment shop/cart: superseded'] } },
    ]);
    expect(world.level('Deployment shop/cart')).toBe(0);
  });

  it('not_observed: the controller restarted and the cluster no longer headed there', async () => {
    const world = await new OfficeWorld({ workloads: [cart({ behaviour: pulling })] }).at(21);
    await world.at(32, 3);
    world.kill();
    await hibernateIntent(world, ann);
    world.start();
    await world.advance(minute);
    expect(world.audited('Wake Complete')).toMatchObject([
      { completeness: 'incomplete', details: { still_starting: ['Deployment shop/cart: not_observed'] } },
    ]);
  });

  it('not_observed: what its own status calls ready came up', async () => {
    const world = await new OfficeWorld({ workloads: [cart({ behaviour: pulling }), cart({ name: 'web' })] }).at(21);
    await world.at(32, 3);
    world.kill();
    await hibernateIntent(world, ann);
    world.start();
    await world.advance(minute);
    expect(world.audited('Wake Complete')).toMatchObject([
      { details: { up: 1, still_starting: ['Deployment shop/cart: not_observed'] } },
    ]);
  });

  it('fail_open: a replica was lost late, and the limit of the whole wake ran out', async () => {
    const world = await new OfficeWorld({ workloads: [cart({}), slow(1_190)] }).at(21);
    await world.at(32, 16);
    const { template } = world.workload('Deployment shop/cart')['spec'] as { template: { spec: object } };
    const moved = { ...template, spec: { ...template.spec, nodeSelector: nowhere } };
    world.owner('Deployment shop/cart', { spec: { strategy: { type: 'Recreate' }, template: moved } });
    await world.advance(hour);
    const [entry] = world.audited('Wake Complete');
    expect(entry).toMatchObject({
      completeness: 'incomplete',
      details: { still_starting: ['Deployment shop/cart: fail_open'] },
    });
    // The highest ceiling in the cluster (15 and 20 minutes) and two minutes.
    expect(entry!.durationMs).toBe(37 * minute);
  });
});

describe('a wake that changes nothing', () => {
  it('moves the expiry, and says Wake Made No Changes once, without card or duration', async () => {
    const world = await new OfficeWorld().at(13);
    const cards = world.notices.length;
    await wakeIntent(world, ann, 2 * hour);
    await world.advance(minute);
    world.start();
    await world.advance(10 * minute);
    const entries = world.audited('Wake Made No Changes');
    expect(entries).toMatchObject([{ actor: ann, details: { until: '2026-01-05T15:00:00.000Z' } }]);
    expect(entries[0]?.durationMs).toBeUndefined();
    expect(world.notices.length).toBe(cards);
    await wakeIntent(world, ann, 4 * hour);
    await world.advance(minute);
    expect(world.audited('Wake Made No Changes')).toHaveLength(2);
  });

  it('is none when a database has to be started and waited for, even though no replica changes', async () => {
    let condition: DatabaseCondition = 'available';
    const done = async () => ({ outcome: 'done' as const });
    const world = await new OfficeWorld({
      workloads: [],
      config: { databases: { orders: { type: 'instance', identifier: 'orders', region: 'eu-central-1' } } },
      databases: {
        read: async () => ({ condition }),
        stop: () => {
          condition = 'stopped';
          return done();
        },
        start: () => {
          condition = 'starting';
          return done();
        },
      },
    }).at(22);
    expect(condition).toBe('stopped');
    await wakeIntent(world, ann, 2 * hour);
    await world.advance(4 * minute);
    condition = 'available';
    await world.advance(2 * minute);
    expect(world.audited('Wake Made No Changes')).toEqual([]);
    const [entry] = world.audited('Wake Complete');
    expect(entry).toMatchObject({ actor: ann, result: 'success' });
    expect(entry!.durationMs).toBeGreaterThanOrEqual(4 * minute);
    expect(world.cards()).toContain('Wake Complete');
  });
});
