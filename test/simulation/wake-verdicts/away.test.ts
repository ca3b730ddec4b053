import { describe, expect, it } from 'vitest';
import { minute, OfficeWorld } from '../office-world.ts';
import { cart } from './wake-scenario.ts';

describe('a controller that was away judges by what the pods say', () => {
  it.each([31, 40, 90])('from minute 5 to %i', async (back) => {
    const troubled = [
      cart({ name: 'stuck', behaviour: { 'never-ready': 'true' } }),
      cart({ name: 'pulling', behaviour: { 'pull-seconds': '9000' } }),
      cart({ name: 'web' }),
    ];
    const world = await new OfficeWorld({ workloads: troubled }).at(21);
    await world.at(32, 5);
    world.kill();
    await world.at(32, back);
    world.start();
    await world.advance(2 * minute);
    expect(world.audited('Wake Complete - 2 workloads failed')).toMatchObject([
      {
        workloads_failed_detail: [
          'Deployment shop/pulling was still pulling its image after 15 minutes',
          'Deployment shop/stuck did not finish starting within the default 10 minutes',
        ],
        details: { up: 1, still_starting: [] },
      },
    ]);
  });
});
