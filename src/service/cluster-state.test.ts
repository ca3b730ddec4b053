import { afterEach, describe, expect, it } from 'vitest';
import { deployment } from '../../test/support/api-world.ts';
import { HouseWorld } from '../../test/support/house-world.ts';

let house: HouseWorld;
afterEach(() => house.stop());

const at = '2026-01-05T19:00:00.000Z';
const asleep = JSON.stringify({ phase: 'hibernated', since: at });
const records = JSON.stringify([{ kind: 'Deployment', namespace: 'shop', name: 'cart', uid: 'u1', replicas: 2, at }]);
const transition = (kind: string, payload: object) =>
  JSON.stringify({
    version: 1,
    kind,
    id: 't1',
    startedAt: at,
    trigger: { actor: 'schedule', cause: 'working_hours' },
    payload: { kind, ...payload },
  });
const hibernation = { tierStartedAt: Date.parse(at), tiersDone: [], tiersTimedOut: [], respected: [], failed: {} };

/** In a dry run the controller leaves the state as it is. */
describe('where the cluster is', () => {
  it.each<[string, Readonly<Record<string, string>>, string]>([
    ['asleep', { phase: asleep, resource_states: records }, 'hibernated'],
    ['asleep by its records alone', { resource_states: records }, 'hibernated'],
    [
      'asleep, and a hibernation runs',
      { phase: asleep, transition: transition('hibernation', hibernation) },
      'hibernating',
    ],
    ['never hibernated', {}, 'awake'],
  ])('is the same for the api and for the metric: %s', async (_, state, expected) => {
    house = await HouseWorld.start({
      startAt: Date.UTC(2026, 0, 5, 22),
      objects: [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } }, deployment('shop', 'cart')],
      config: { operations: { dryRun: true } },
      state,
    });
    await house.clock.advance(60_000);
    expect((await house.ask('hibernationStatus')).state).toBe(expected);
    expect(await house.figure('svc_cluster_hibernated')).toBe(expected === 'hibernated' ? 1 : 0);
  });
});
