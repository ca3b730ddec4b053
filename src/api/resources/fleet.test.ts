import { afterEach, describe, expect, it } from 'vitest';
import { ApiWorld, type ApiWorldOptions, adminAddress, deployment } from '../../../test/support/api-world.ts';

let world: ApiWorld;
afterEach(() => world.stop());

async function fleet(options: ApiWorldOptions) {
  world = await ApiWorld.start(options);
  const token = await world.token(adminAddress);
  await world.pass(60_000);
  return (await world.call('fleet', {}, token)).json();
}

const objects = [
  deployment('shop', 'web', 2),
  deployment('shop', 'cart', 1),
  deployment('shop', 'off', 0),
  deployment('shop', 'kept', 1, { annotations: { 'svc.io/exclude': 'true' } }),
  deployment('data', 'never', 1),
  deployment('kube-system', 'dns', 1),
];
const config = { resourceRules: { neverScale: [{ namespace: 'data' }] }, insights: { enabled: true } };

describe('the fleet', () => {
  it('is told by what sleeps and what keeps the rest up, the whole and each namespace', async () => {
    const { total, namespaces } = await fleet({ objects, config });
    const none = { excluded: 0, neverScaled: 0, ownedByOthers: 0, raisedByOwners: 0, downByOwners: 0, sleeps: 0 };
    expect(total).toEqual({ ...none, workloads: 6, sleeps: 2, excluded: 2, neverScaled: 1, downByOwners: 1 });
    expect(namespaces).toEqual([
      { namespace: 'shop', ...none, workloads: 4, sleeps: 2, excluded: 1, downByOwners: 1 },
      { namespace: 'data', ...none, workloads: 1, neverScaled: 1 },
      { namespace: 'kube-system', ...none, workloads: 1, excluded: 1 },
    ]);
  });

  it('comes with the coming week by the formulas of what was measured, before any night', async () => {
    const { projection } = await fleet({
      objects: [deployment('shop', 'web', 2)],
      config: { insights: { enabled: true, defaultCPUCores: 0.5 } },
    });
    // Monday to friday 08:00 to 20:00: twelve hours of sleep on five days, all of two days.
    expect(projection.plannedAsleepHours).toBe(5 * 12 + 2 * 24);
    expect(projection.asleepHours).toBe(0);
    expect(projection.days).toHaveLength(7);
    expect(projection.totals.saved.coreHours).toBe(0);
    expect(projection.totals.planned.coreHours).toBe(108);
  });

  it('has no projection while insights are off', async () => {
    expect((await fleet({ objects, config: { insights: { enabled: false } } })).projection).toBeNull();
  });
});
