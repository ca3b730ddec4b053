import { describe, expect, it } from 'vitest';
import { standDownSummary } from '../../src/domain/stops/stand-down-state.ts';
import type { DatabaseCondition } from '../../src/ports/databases.ts';
import { manualHibernation } from '../../src/state/intents/manual-hibernation.ts';
import { resourceStates } from '../../src/state/resource-states.ts';
import { hibernateIntent, standDownIntent, wakeIntent } from './actors/state-intents.ts';
import { allDown, allUp, ann, hour, minute, OfficeWorld } from './office-world.ts';

const admin = { type: 'admin-stands-down', actor: ann, reason: 'a release' } as const;
const ends = { type: 'admin-ends', actor: ann } as const;

async function stoodDownAtNight(): Promise<OfficeWorld> {
  const world = await new OfficeWorld().at(20, 10);
  expect(world.levels()).toEqual(allDown);
  await standDownIntent(world, admin);
  await world.advance(5 * minute);
  return world;
}

describe('the transitions of a stand-down', () => {
  it('not stood down, an admin stands down: everything is handed back at once, and everybody is told', async () => {
    const world = await stoodDownAtNight();
    expect(world.levels()).toEqual(allUp);
    expect(standDownSummary(world.standDownState())).toEqual({
      source: 'admin',
      actor: ann,
      at: '2026-01-05T20:10:00.000Z',
      reason: 'a release',
      configuration: false,
      handbackDone: true,
    });
    expect(world.audited('Stood Down')).toMatchObject([{ kind: 'stand-down', actor: ann, reason: 'a release' }]);
    expect(world.events('svc')).toMatchObject([{ type: 'Warning', reason: 'StoodDown' }]);
    expect(world.cards()).toContain(`Stood Down by ${ann}`);
    expect(world.log.said('Stood down: ')).toHaveLength(1);
    expect(world.frames.filter(({ kind }) => kind === 'stand-down-update').length).toBeGreaterThan(0);
    expect(world.log.said('Handback finished: ')).toHaveLength(1);
  });

  it('not stood down, the configuration says enabled: false: the same, with the actor configuration', async () => {
    const world = await new OfficeWorld().at(20, 10);
    world.reconfigure({ global: { enabled: false } });
    await world.advance(5 * minute);
    expect(world.levels()).toEqual(allUp);
    expect(standDownSummary(world.standDownState())).toMatchObject({
      source: 'configuration',
      actor: 'configuration',
      configuration: true,
      handbackDone: true,
    });
    expect(world.audited('Stood Down')).toMatchObject([{ actor: 'configuration' }]);
    expect(world.cards()).toContain('Stood Down by configuration');
  });

  it('stood down by an admin, a second admin stand-down: refused, nothing changes', async () => {
    const world = await stoodDownAtNight();
    const before = world.stateData()['stand_down'];
    expect(await standDownIntent(world, admin)).toBe(false);
    expect(world.stateData()['stand_down']).toBe(before);
  });

  it('stood down by an admin, the admin ends it: told, and scaling resumes', async () => {
    const world = await stoodDownAtNight();
    await standDownIntent(world, ends);
    await world.advance(5 * minute);
    expect(world.audited('Stand-down Ended')).toMatchObject([{ kind: 'stand-down-ended', actor: ann }]);
    expect(world.events('svc').at(-1)).toEqual({
      type: 'Normal',
      reason: 'StandDownEnded',
      message: `Stand-down ended by ${ann}. Scaling resumes.`,
    });
    expect(world.cards()).toContain(`Stand-down Ended by ${ann}`);
    expect(world.log.said('Stand-down ended')).toHaveLength(1);
    expect(world.levels()).toEqual(allDown);
    expect(world.standDownState()).toEqual({ handbackDone: false, unannounced: [] });
  });

  it('stood down by both, the admin ends it: the configuration still holds, and nothing is scaled', async () => {
    const world = await stoodDownAtNight();
    world.reconfigure({ global: { enabled: false } });
    await world.advance(minute);
    await standDownIntent(world, ends);
    await world.advance(30 * minute);
    expect(standDownSummary(world.standDownState())).toMatchObject({ source: 'configuration', handbackDone: true });
    expect(world.events('svc').at(-1)?.message).toBe(
      `Stand-down ended by ${ann}. Scaling does not resume: the configuration still holds a stand-down.`,
    );
    expect(world.cards()).toContain(`Stand-down Ended by ${ann}`);
    expect(world.levels()).toEqual(allUp);
  });

  it('stood down by configuration alone, the admin ends it: refused', async () => {
    const world = await new OfficeWorld().at(12, 10);
    world.reconfigure({ global: { enabled: false } });
    await world.advance(minute);
    expect(await standDownIntent(world, ends)).toBe(false);
    expect(standDownSummary(world.standDownState())).toMatchObject({ source: 'configuration' });
  });

  it('stood down by configuration, enabled again: not stood down, scaling resumes', async () => {
    const world = await new OfficeWorld().at(20, 10);
    world.reconfigure({ global: { enabled: false } });
    await world.advance(5 * minute);
    world.reconfigure({ global: { enabled: true } });
    await world.advance(5 * minute);
    expect(world.audited('Stand-down Ended')).toMatchObject([{ actor: 'configuration' }]);
    expect(world.levels()).toEqual(allDown);
  });

  it('not stood down, the admin ends it: refused', async () => {
    const world = await new OfficeWorld().at(12, 10);
    expect(await standDownIntent(world, ends)).toBe(false);
    expect(world.audited('Stand-down Ended')).toEqual([]);
  });

  it('handback running, everything is back: handbackDone', async () => {
    const world = await new OfficeWorld().at(20, 10);
    world.faults.arm({ kind: 'status', status: 503, done: false }, 'writes', 4, 40);
    world.watchesAtFault(true);
    await standDownIntent(world, admin);
    await world.advance(1_000);
    expect(world.standDownState().handbackDone).toBe(false);
    world.faults.clear();
    await world.advance(5 * minute);
    expect(world.standDownState().handbackDone).toBe(true);
    expect(world.log.said('Handback finished: ')).toHaveLength(1);
    expect(world.levels()).toEqual(allUp);
  });
});

describe('the rules of a handback', () => {
  it('gives every workload its recorded count; one at 0 stays at 0; owner-suspended CronJobs stay suspended', async () => {
    expect((await stoodDownAtNight()).levels()).toEqual(allUp);
  });

  it('starts the databases that the service stopped, and names them as pending until they are available', async () => {
    let condition: DatabaseCondition = 'available';
    const calls: string[] = [];
    const world = await new OfficeWorld({
      config: { databases: { orders: { type: 'instance', identifier: 'orders', region: 'eu-central-1' } } },
      databases: {
        read: async () => ({ condition }),
        stop: async () => {
          calls.push('stop');
          condition = 'stopped';
          return { outcome: 'done' };
        },
        start: async () => {
          calls.push('start');
          condition = 'starting';
          return { outcome: 'done' };
        },
      },
    }).at(20, 10);
    expect(calls).toEqual(['stop']);
    await standDownIntent(world, admin);
    await world.advance(2 * minute);
    const pending = world.log.said('Handback not finished, retrying on the next pass').at(-1);
    expect(pending).toMatchObject({ level: 'warn', fields: { pending: ['database orders'] } });
    expect(world.standDownState().handbackDone).toBe(false);
    condition = 'available';
    await world.advance(2 * minute);
    expect(world.standDownState().handbackDone).toBe(true);
    expect(calls.filter((call) => call === 'start').length).toBeGreaterThan(0);
  });

  it('clears a manual hibernation, which does not return when the stand-down ends by day', async () => {
    const world = await new OfficeWorld().at(12, 10);
    await hibernateIntent(world, ann);
    await world.advance(5 * minute);
    expect(world.levels()).toEqual(allDown);
    await standDownIntent(world, admin);
    await world.advance(5 * minute);
    expect(manualHibernation.decode(world.stateData()['manual_hibernation'])).toEqual({ ok: true, value: null });
    await standDownIntent(world, ends);
    await world.advance(30 * minute);
    expect(world.levels()).toEqual(allUp);
  });

  it('brings workloads up in wake order', async () => {
    const tier = (name: string) => ({ name, select: [{ namespace: 'shop', labels: { tier: name } }] });
    const world = await new OfficeWorld({ config: { wakeOrdering: { tiers: [tier('data'), tier('web')] } } }).at(
      20,
      10,
    );
    const raised: string[] = [];
    world.store.onAnyChange(({ resource, event }) => {
      if (
        /^(deployments|statefulsets)\.apps$/.test(resource) &&
        event.object.metadata.generation !== event.previous?.metadata.generation
      ) {
        raised.push(event.object.metadata.name);
      }
    });
    await standDownIntent(world, admin);
    await world.advance(5 * minute);
    expect(raised).toEqual(['db', 'cart']);
  });

  it('stops a hibernation that runs when it arrives', async () => {
    const tier = (name: string) => ({ name, timeout: '5m', select: [{ namespace: 'shop', labels: { tier: name } }] });
    const world = await new OfficeWorld({
      config: {
        databases: { orders: { type: 'instance', identifier: 'orders', region: 'eu-central-1' } },
        hibernateOrdering: { tiers: [{ ...tier('web'), databases: ['orders'] }, tier('data')] },
      },
      databases: {
        read: async () => ({ condition: 'stopping' }),
        stop: async () => ({ outcome: 'done' }),
        start: async () => ({ outcome: 'done' }),
      },
    }).at(20, 1);
    expect(world.level('Deployment shop/cart')).toBe(0);
    expect(world.level('StatefulSet shop/db')).toBe(2);
    await standDownIntent(world, admin);
    await world.advance(20 * minute);
    expect(world.levels()).toEqual(allUp);
    expect(world.audited('Hibernation Stopped')).toHaveLength(1);
  });

  it('retries a failing step on every pass and names what is pending', async () => {
    const world = await new OfficeWorld().at(20, 10);
    const refuse = world.cluster.api.faults.add({
      match: ({ verb, name }) => verb === 'patch' && name === 'cart',
      effect: { kind: 'fail', status: 403, message: 'admission webhook denied it' },
    });
    await standDownIntent(world, admin);
    await world.advance(40 * minute);
    const pending = world.log.said('Handback not finished, retrying on the next pass');
    expect(pending.at(-1)?.fields).toEqual({ pending: ['Deployment shop/cart'] });
    expect(pending.length).toBeGreaterThan(10);
    expect(world.audited('Wake Complete - 1 workload failed')).toMatchObject([
      {
        actor: `${ann} (stand-down)`,
        result: 'failed',
        workloads_failed_detail: ['Deployment shop/cart: svc could not scale it up: admission webhook denied it'],
      },
    ]);
    refuse();
    await world.advance(2 * minute);
    expect(world.levels()).toEqual(allUp);
    expect(world.standDownState().handbackDone).toBe(true);
  });

  it('is finished when the recorded counts are back: a workload that then does not start is for the wake to tell', async () => {
    const cart = { kind: 'Deployment', namespace: 'shop', name: 'cart', replicas: 2 } as const;
    const world = await new OfficeWorld({ workloads: [{ ...cart, behaviour: { 'never-ready': 'true' } }] }).at(20, 40);
    await standDownIntent(world, admin);
    await world.advance(minute);
    expect(world.level('Deployment shop/cart')).toBe(2);
    expect(world.standDownState().handbackDone).toBe(true);
    expect(world.log.said('Handback finished: ')).toHaveLength(1);
    expect(world.stateData()['transition']).toContain('"kind":"wake"');
    await world.advance(20 * minute);
    expect(world.audited('Wake Complete - 1 workload failed')).toMatchObject([
      { actor: `${ann} (stand-down)`, result: 'failed' },
    ]);
    expect(world.log.said('Handback finished: ')).toHaveLength(1);
    expect(world.standDownState().handbackDone).toBe(true);
  });

  it('leaves no record of what its owner had raised while the controller was away', async () => {
    const cart = { kind: 'Deployment', namespace: 'shop', name: 'cart', replicas: 2 } as const;
    const world = await new OfficeWorld({ workloads: [cart] }).at(20, 40);
    world.kill();
    world.owner('Deployment shop/cart', { spec: { replicas: 1 } });
    await standDownIntent(world, admin);
    world.start();
    await world.advance(minute);
    expect(world.level('Deployment shop/cart')).toBe(1);
    expect(JSON.stringify(world.workload('Deployment shop/cart').metadata.annotations)).not.toContain('svc.io');
    expect(world.standDownState().handbackDone).toBe(true);
    expect(resourceStates.decode(world.stateData()['resource_states'])).toEqual({ ok: true, value: [] });
  });

  it('appears as a wake initiated by the actor, then as Wake Complete', async () => {
    const world = await stoodDownAtNight();
    const card = world.notices.find(({ title }) => title === 'Wake Complete');
    expect(card?.facts).toContainEqual({ name: 'Initiated by', value: `${ann} (stand-down)` });
    expect(world.audited('Wake Complete')).toMatchObject([{ actor: `${ann} (stand-down)`, result: 'success' }]);
    const frames = world.frames.filter(({ kind }) => kind === 'transition').map(({ payload }) => payload);
    expect(frames).toContainEqual(
      expect.objectContaining({ kind: 'wake', trigger: { actor: `${ann} (stand-down)`, cause: 'stand-down' } }),
    );
  });

  it('opens no wake when nothing is hibernated', async () => {
    const world = await new OfficeWorld().at(12, 10);
    await standDownIntent(world, admin);
    await world.advance(5 * minute);
    expect(world.cards()).toEqual([`Stood Down by ${ann}`]);
    expect(world.frames.filter(({ kind }) => kind === 'transition')).toEqual([]);
    expect(world.standDownState().handbackDone).toBe(true);
  });

  it('runs in dry run too, and a controller that has just started waits for its first license check', async () => {
    const world = await new OfficeWorld().at(20, 10);
    world.kill();
    const isLicense = ({ path }: { readonly path: string }) => path.includes('svc-license');
    world.faults.armOn(isLicense, { kind: 'silence', done: false });
    world.watchesAtFault(true);
    world.reconfigure({ operations: { dryRun: true } });
    await standDownIntent(world, admin);
    world.start();
    // One that cannot be read counts as checked after three minutes.
    await world.advance(2 * minute);
    expect(world.levels()).toEqual(allDown);
    world.faults.clear();
    await world.advance(5 * minute);
    expect(world.levels()).toEqual(allUp);
  });
});

describe('when the license lets the service act again', () => {
  it('the schedule alone decides: a wake from before the stop does not come back', async () => {
    const world = await new OfficeWorld().at(21);
    await wakeIntent(world, ann, 8 * hour);
    await world.advance(5 * minute);
    expect(world.levels()).toEqual(allUp);
    world.setLicense({ found: 'text', text: 'not a license' });
    await world.advance(hour);
    world.setLicense({ found: 'nothing' });
    await world.advance(5 * minute);
    expect(world.levels()).toEqual(allDown);
  });
});

describe('while stood down and after', () => {
  it('nothing hibernates on schedule, and a restart changes nothing', async () => {
    const world = await new OfficeWorld().at(12, 10);
    await standDownIntent(world, admin);
    await world.at(22);
    world.start();
    await world.at(24 + 23);
    expect(world.levels()).toEqual(allUp);
    expect(world.audited('Stood Down')).toHaveLength(1);
    expect(standDownSummary(world.standDownState())).toMatchObject({ source: 'admin', handbackDone: true });
  });

  it('a restart in the middle of the handback goes on with it', async () => {
    const world = await new OfficeWorld().at(20, 10);
    world.faults.arm({ kind: 'crash', done: true }, 'writes', 6);
    await standDownIntent(world, admin);
    await world.advance(minute);
    expect(world.alive).toBe(false);
    world.start();
    await world.advance(10 * minute);
    expect(world.levels()).toEqual(allUp);
    expect(world.standDownState().handbackDone).toBe(true);
    expect(world.audited('Stood Down')).toHaveLength(1);
  });

  it('the last cause ends inside a window: hibernated at once, in the name of who ended it', async () => {
    const world = await stoodDownAtNight();
    await standDownIntent(world, ends);
    await world.advance(minute);
    expect(world.levels()).toEqual(allDown);
    expect(world.audited('Hibernation Complete').at(-1)).toMatchObject({ actor: `${ann} (stand-down ended)` });
  });

  it('the last cause ends outside a window: the cluster stays up', async () => {
    const world = await new OfficeWorld().at(12, 10);
    await standDownIntent(world, admin);
    await world.advance(minute);
    await standDownIntent(world, ends);
    await world.at(19, 50);
    expect(world.levels()).toEqual(allUp);
    expect(world.audited('Hibernation Complete')).toEqual([]);
  });

  it('an unlicensed verdict still holds when the stand-down ends: nothing is scaled', async () => {
    const world = await stoodDownAtNight();
    world.setLicense({ found: 'text', text: 'not a license' });
    await standDownIntent(world, ends);
    await world.advance(30 * minute);
    expect(world.levels()).toEqual(allUp);
    expect(world.events('svc').at(-1)?.message).toBe(
      `Stand-down ended by ${ann}. Scaling does not resume: the license does not let the service act.`,
    );
    world.setLicense({ found: 'nothing' });
    await world.advance(minute);
    expect(world.levels()).toEqual(allDown);
  });
});
