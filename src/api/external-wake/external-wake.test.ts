import { afterEach, describe, expect, it } from 'vitest';
import { ApiWorld, type ApiWorldOptions } from '../../../test/support/api-world.ts';
import { workloadManifest } from '../../../test/support/builders/manifests.ts';

let world: ApiWorld;
afterEach(() => world.stop());

async function start(options: ApiWorldOptions = {}): Promise<void> {
  world = await ApiWorld.start({
    config: { externalWake: { enabled: true, localClusterName: 'here', quotas: { maxWakesPerHour: 2 } } },
    features: { externalWake: { verify: async () => ({ ok: true, cluster: 'dependent' }) } },
    objects: [workloadManifest({ kind: 'Deployment', namespace: 'shop', name: 'web', replicas: 1 })],
    ...options,
  });
}

const ask = async (...names: readonly string[]) => {
  const resources = names.map((name) => ({ namespace: 'shop', type: 'Deployment', name }));
  return world.call('externalWake', { body: { resources } });
};

describe('the quota of wakes in an hour', () => {
  it('counts sessions that have ended, over a restart too', async () => {
    await start();
    for (let turn = 0; turn < 2; turn++) {
      expect((await world.call('externalWake')).statusCode).toBe(200);
      await world.call('endExternalWake');
    }
    await world.restart();
    const third = await world.call('externalWake');
    expect([third.statusCode, third.json().details]).toEqual([429, { quota: 'maxWakesPerHour' }]);
  });
});

describe('the end of a session', () => {
  it('that is named leaves the others of the same cluster', async () => {
    await start();
    const first = (await world.call('externalWake')).json();
    await ask('web');
    const query = { session: first.session.id };
    expect((await world.call('endExternalWake', { query })).json()).toEqual({ ended: 1 });
    expect(JSON.parse(world.stateData()?.['external_wake_sessions'] ?? '[]')).toHaveLength(1);
  });
});

describe('a request on the account of a cluster without a name', () => {
  it('is refused, and makes no state that nobody can read', async () => {
    await start();
    expect((await world.call('externalWake', { body: { origins: [''] } })).statusCode).toBe(400);
    expect((await world.call('endExternalWake')).statusCode).toBe(200);
  });
});

describe('a request for named resources', () => {
  it('is ready when all of them are there and none is down', async () => {
    await start();
    // Its pod has not started yet.
    expect((await ask('web')).json()).toMatchObject({ ready: false });
    await world.clock.advance(60_000);
    expect((await ask('web')).json()).toMatchObject({ ready: true });
  });

  it('is not ready for a name that there is nothing of, and says which', async () => {
    await start();
    expect((await ask('web', 'wbe')).json()).toMatchObject({ ready: false, notFound: ['Deployment shop/wbe'] });
  });
});
