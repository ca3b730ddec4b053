import { describe, expect, it } from 'vitest';
import { ControllerWorld } from '../../../test/support/controller-world.ts';

const config = {
  operations: { dryRun: true },
  databases: { orders: { type: 'instance', identifier: 'orders', region: 'eu-central-1' } },
  serviceRedirection: { enabled: true, services: [{ namespace: 'shop', name: 'web' }] },
  externalDependencies: [{ cluster: 'hub', url: 'https://hub.example.com', secretRef: { name: 'wake', key: 'hmac' } }],
};
/** Monday, in Berlin. */
const noon = Date.UTC(2026, 0, 5, 11);
const night = Date.UTC(2026, 0, 5, 22);

describe('what a dry run says it would do', () => {
  it.each([
    ['by night', night, { databases: { stop: ['orders'], start: [] }, redirect: ['shop/web'], askHosts: [] }],
    ['by day', noon, { databases: { stop: [], start: [] }, redirect: [], askHosts: ['hub'] }],
  ])('names databases, services and hosts %s', async (_, startAt, expected) => {
    const world = new ControllerWorld({ startAt, config });
    await world.startController();
    await world.clock.advance(2_000);
    expect(world.frames.findLast(({ kind }) => kind === 'plan')?.payload).toMatchObject(expected);
    await world.stopController();
  });
});
