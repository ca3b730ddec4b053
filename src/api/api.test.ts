import { afterEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { ApiWorld, adminAddress, deployment, userAddress } from '../../test/support/api-world.ts';

let world: ApiWorld | undefined;
afterEach(async () => {
  await world?.stop();
  world = undefined;
});

describe('the main line', () => {
  it('signs in by mail, shows the status, hibernates, wakes, stands down and ends it', async () => {
    world = await ApiWorld.start({ objects: [deployment('shop', 'cart'), deployment('shop', 'web')] });
    const token = await world.token(adminAddress);
    const status = await world.call('hibernationStatus', {}, token);
    expect(status.statusCode).toBe(200);
    expect(status.json()).toMatchObject({ active: false, state: 'awake', standDown: null, clusterName: 'test' });

    const triggered = await world.call('triggerHibernation', {}, token);
    expect(triggered.json()).toMatchObject({ manualHibernation: { by: adminAddress } });
    expect(JSON.parse(world.stateData()?.['manual_hibernation'] ?? '')).toMatchObject({ by: adminAddress });

    const woken = await world.call('wakeUp', { body: { duration: '2h' } }, token);
    expect(woken.json()).toMatchObject({ renewal: true, wakeOverride: { by: adminAddress } });

    const stood = await world.call('standDown', { body: { reason: 'release 4.2' } }, token);
    expect(stood.json()).toMatchObject({
      standDown: {
        source: 'admin',
        actor: adminAddress,
        reason: 'release 4.2',
        configuration: false,
        handbackDone: false,
      },
    });
    const refused = await world.call('wakeUp', {}, token);
    expect(refused.statusCode).toBe(409);
    expect(refused.json()).toMatchObject({ code: 'stood_down', details: { causes: ['stand_down'] } });

    expect((await world.call('endStandDown', {}, token)).json()).toEqual({ standDown: null });
  });

  it('lists resources for admins, and refuses everybody else', async () => {
    world = await ApiWorld.start({ objects: [deployment('shop', 'cart'), deployment('kube-system', 'dns')] });
    const token = await world.token(adminAddress);
    await world.pass(60_000);
    const listed = await world.call('resources', {}, token);
    expect(listed.json()).toMatchObject({ total: 1, items: [{ kind: 'Deployment', namespace: 'shop', name: 'cart' }] });
    expect((await world.call('resources')).statusCode).toBe(401);
    expect((await world.call('resources', {}, await world.token(userAddress))).statusCode).toBe(403);
  });
});

describe('the document', () => {
  it('is served, and is the same in YAML readers', async () => {
    world = await ApiWorld.start();
    const document = (await world.call('openapi')).json();
    expect(document.openapi).toBe('3.1.0');
    expect(parse(JSON.stringify(document))).toEqual(document);
  });
});
