import { describe, expect, it } from 'vitest';
import { hour, OfficeWorld } from '../office-world.ts';
import { cart, slow, wakeOf } from './wake-scenario.ts';

const green = { title: 'Wake Complete', result: 'success', workloads_failed_detail: [], workloads_recovered: 0 };

describe('a verdict is about this wake, through the controller', () => {
  it('ready for 11 minutes and unready for the rest: it has answered', async () => {
    const { entry } = await wakeOf([cart({ behaviour: { 'unready-at': '660' } }), slow(1_190)]);
    expect(entry).toMatchObject({ ...green, details: { up: 2, still_starting: [] } });
  });

  it('one restart after 11 minutes: alike', async () => {
    const behaviour = { 'start-seconds': '5,3000', 'crash-after-seconds': '660', 'crash-times': '1' };
    const { entry } = await wakeOf([cart({ behaviour }), slow(1_190)]);
    expect(entry).toMatchObject({ ...green, details: { up: 2, still_starting: [] } });
  });

  it('replicas that an autoscaler adds at 14:40 are not the wake’s to wait for', async () => {
    const world = await new OfficeWorld({ workloads: [cart({ behaviour: { 'pull-seconds': '60' } }), slow(1_190)] }).at(
      21,
    );
    await world.at(32, 14);
    await world.advance(40_000);
    world.owner('Deployment shop/cart', { spec: { replicas: 3 } });
    await world.advance(hour);
    expect(world.audited('Wake Complete')).toMatchObject([{ ...green, details: { up: 2, still_starting: [] } }]);
  });
});
