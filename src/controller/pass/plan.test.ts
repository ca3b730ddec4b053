import { describe, expect, it } from 'vitest';
import { ControllerWorld } from '../../../test/support/controller-world.ts';
import { leftOutServices, oddConfig, oddServices, redirectedServices } from '../../../test/support/odd-services.ts';

const config = {
  operations: { dryRun: true },
  databases: { orders: { type: 'instance', identifier: 'orders', region: 'eu-central-1' } },
  ...oddConfig,
  externalDependencies: [{ cluster: 'hub', url: 'https://hub.example.com', secretRef: { name: 'wake', key: 'hmac' } }],
};
/** Monday, in Berlin. */
const noon = Date.UTC(2026, 0, 5, 11);
const night = Date.UTC(2026, 0, 5, 22);

describe('what a dry run says it would do', () => {
  it.each([
    [
      'by night',
      night,
      {
        databases: { stop: ['orders'], start: [] },
        redirect: redirectedServices,
        notRedirected: leftOutServices,
        askHosts: [],
      },
    ],
    ['by day', noon, { databases: { stop: [], start: [] }, redirect: [], notRedirected: [], askHosts: ['hub'] }],
  ])('names databases, services and hosts %s', async (_, startAt, expected) => {
    const world = new ControllerWorld({ startAt, config, redirects: true });
    world.cluster.apply(oddServices);
    await world.startController();
    await world.clock.advance(2_000);
    expect(world.frames.findLast(({ kind }) => kind === 'plan')?.payload).toMatchObject(expected);
    await world.stopController();
  });
});
