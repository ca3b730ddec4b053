import { describe, expect, it } from 'vitest';
import { wakeIntent } from '../actors/state-intents.ts';
import { WriteRules } from '../invariants/write-rules.ts';
import { allDown, allUp, ann, hour, minute, OfficeWorld } from '../office-world.ts';
import { controllerUser } from '../world/sim-world.ts';

const ours = (world: OfficeWorld) => world.cluster.api.faults.openWatches(({ user }) => user === controllerUser);

describe('traps in time', () => {
  it('a license that stops the service while its books cannot be decoded is told once', async () => {
    const world = await new OfficeWorld().at(13);
    const state = world.store.get('configmaps', 'svc', 'svc-state')!;
    world.store.update('configmaps', { ...state, data: { ...world.stateData(), license_check: '{broken' } });
    world.setLicense({ found: 'text', text: 'not a license' });
    await world.advance(10 * minute);
    expect(world.audited('License Stopped Scaling')).toHaveLength(1);
    expect(world.stateData()['license_check']).toBe('{broken');
  });

  it('the weekday is that of the time zone: Monday 08:00 in Auckland is Sunday in UTC', async () => {
    const world = new OfficeWorld({ config: { workingHours: { timezone: 'Pacific/Auckland' } } });
    await world.at(24 * 6 + 18, 30);
    expect(world.levels()).toEqual(allDown);
    await world.at(24 * 6 + 19, 30);
    expect(new Date(world.clock.now()).getUTCDay()).toBe(0);
    expect(world.levels()).toEqual(allUp);
  });

  it('a missed edge while the controller was down is caught up with, and said so', async () => {
    const world = await new OfficeWorld().at(19);
    world.kill();
    await world.at(22);
    world.start();
    await world.advance(minute);
    expect(world.levels()).toEqual(allDown);
    world.kill();
    await world.at(34);
    world.start();
    await world.advance(minute);
    expect(world.levels()).toEqual(allUp);
    expect(world.audited('Wake Complete').at(-1)).toMatchObject({ actor: 'schedule', trigger: 'catch-up' });
    expect(world.audited('Caught Up After Downtime')).toHaveLength(1);
    expect(world.cards().filter((title) => title === 'Catch-up')).toHaveLength(1);
  });

  it('a pass slower than the edge it serves: what is wanted is looked at again', async () => {
    const world = await new OfficeWorld({
      config: { workingHours: { timezone: 'UTC', schedule: { monday: '08:00-20:00,20:02-23:00' } } },
    }).at(19, 59);
    world.faults.arm({ kind: 'delay', ms: 25_000 }, 'writes', 1, 12);
    await world.at(20, 20);
    expect(world.levels()).toEqual(allUp);
  });

  it('a clock that was set back: the second wake of the same millisecond is told as well', async () => {
    const world = await new OfficeWorld().at(32, 1);
    expect(world.audited('Wake Complete')).toHaveLength(1);
    world.clock.jumpWallClock(-2 * hour);
    world.start();
    await world.advance(minute);
    expect(world.levels()).toEqual(allDown);
    await world.at(32, 1);
    const wakes = world.audited('Wake Complete');
    expect(wakes).toHaveLength(2);
    expect(wakes.every(({ id }) => id.startsWith(`wake-${Date.UTC(2026, 0, 6, 8)}-`))).toBe(true);
  });

  it('a clock jump lowers nothing inside a live override', async () => {
    const world = await new OfficeWorld().at(19);
    await wakeIntent(world, ann, 8 * hour);
    for (const jump of [3 * hour, -5 * hour, 4 * hour]) {
      world.clock.jumpWallClock(jump);
      await world.advance(20 * minute);
      expect(world.levels()).toEqual(allUp);
    }
  });

  it.each([
    ['spring forward', Date.UTC(2026, 2, 29, 12)],
    ['fall back', Date.UTC(2026, 9, 25, 12)],
  ])('each edge counts once over a change of the clocks: %s', async (_, sundayNoon) => {
    const on = '00:30-03:30';
    const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
    const schedule = Object.fromEntries(days.map((day) => [day, on]));
    const world = new OfficeWorld({ config: { workingHours: { timezone: 'Europe/Berlin', schedule } } });
    world.clock.jumpWallClock(sundayNoon - 36 * hour - world.clock.now());
    world.start();
    await world.advance(48 * hour);
    expect(world.audited('Hibernation Complete')).toHaveLength(2);
    expect(world.audited('Wake Complete')).toHaveLength(2);
  });
});

describe('traps in the network', () => {
  it('a watch that ends silently is noticed, and the edge is served', async () => {
    const world = await new OfficeWorld().at(19, 30);
    for (const { stream } of ours(world)) stream.mute();
    world.watchesAtFault(true);
    await world.at(20, 10);
    expect(world.levels()).toEqual(allDown);
    for (const { stream } of ours(world)) stream.mute();
    world.owner('Deployment shop/cart', { spec: { replicas: 4 } });
    await world.at(32, 10);
    expect(world.level('Deployment shop/cart')).toBe(4);
  });

  it('410 as a status and inside a stream: the list is read again', async () => {
    const world = await new OfficeWorld().at(19, 30);
    world.kill();
    world.store.compact();
    world.start();
    await world.advance(minute);
    for (const { stream } of ours(world)) stream.end();
    world.store.compact();
    world.watchesAtFault(true);
    await world.at(20, 10);
    expect(world.levels()).toEqual(allDown);
  });

  it('watches never stop for good after errors: an apiserver that is gone for hours comes back', async () => {
    const world = await new OfficeWorld().at(19);
    world.watchesAtFault(true);
    world.faults.outage = true;
    for (const { stream } of ours(world)) stream.fail(Object.assign(new Error('reset'), { code: 'ECONNRESET' }));
    await world.at(23);
    world.faults.outage = false;
    await world.advance(5 * minute);
    expect(world.levels()).toEqual(allDown);
  });

  it('Retry-After is honoured, and no request is repeated in a hot loop', async () => {
    const world = await new OfficeWorld().at(19, 59);
    const at: number[] = [];
    world.cluster.api.faults.onRequest(({ verb, user }) => {
      if (user === controllerUser && verb === 'patch') at.push(world.clock.now());
    });
    world.faults.arm({ kind: 'status', status: 429, done: false, retryAfterSeconds: 20 }, 'writes', 3, 2);
    await world.at(20, 10);
    expect(world.levels()).toEqual(allDown);
    expect(at.length).toBeLessThan(30);
  });

  it('a state above the limit of the apiserver stops hibernating, never waking', async () => {
    const world = await new OfficeWorld().at(20, 10);
    const state = world.store.get('configmaps', 'svc', 'svc-state')!;
    const held = Object.values(state['data'] as Record<string, string>).join('').length;
    const data = { ...(state['data'] as object), ballast: 'x'.repeat(1_048_576 - held - 150) };
    world.store.update('configmaps', { ...state, data });
    await world.at(33);
    expect(world.levels()).toEqual(allUp);
    await world.at(24 + 21);
    expect(world.level('Deployment shop/cart')).toBe(3);
    expect(world.cards()).toContain('State ConfigMap Full');
  });

  it.each(['resource_states', 'wake_override', 'stand_down', 'transition', 'phase'])(
    'an undecodable %s is not empty: nothing is scaled and nothing overwritten until it is repaired',
    async (key) => {
      const world = await new OfficeWorld().at(19, 30);
      const state = world.store.get('configmaps', 'svc', 'svc-state')!;
      world.store.update('configmaps', { ...state, data: { ...(state['data'] as object), [key]: '{broken' } });
      await world.at(22);
      expect(world.levels()).toEqual(allUp);
      expect(world.stateData()[key]).toBe('{broken');
      const broken = world.store.get('configmaps', 'svc', 'svc-state')!;
      const { [key]: _, ...rest } = broken['data'] as Record<string, string>;
      world.store.update('configmaps', { ...broken, data: rest });
      await world.advance(2 * minute);
      expect(world.levels()).toEqual(allDown);
    },
  );

  it('a license that is lost while the audit log takes nothing: everything is handed back all the same', async () => {
    const world = await new OfficeWorld().at(22);
    const refuse = world.cluster.api.faults.add({
      match: ({ name, verb }) => verb === 'patch' && name.startsWith('svc-audit-'),
      effect: { kind: 'fail', status: 403, message: 'quota' },
    });
    world.setLicense({ found: 'text', text: 'not a license' });
    await world.advance(10 * minute);
    expect(world.levels()).toEqual(allUp);
    refuse();
    await world.advance(2 * hour);
    expect(world.audited('License Stopped Scaling')).toHaveLength(1);
  });

  it('a write of a paused controller that lands late is refused: it names the version it was decided on', async () => {
    const world = await new OfficeWorld().at(19, 59);
    const { resourceVersion } = world.workload('Deployment shop/cart').metadata;
    await world.at(32, 10);
    const landed = await world.cluster.transport({ user: controllerUser, groups: ['system:masters'] }).send({
      method: 'PATCH',
      path: '/apis/apps/v1/namespaces/shop/deployments/cart',
      headers: { 'content-type': 'application/merge-patch+json' },
      body: JSON.stringify({ metadata: { resourceVersion }, spec: { replicas: 0 } }),
    });
    expect(landed.status).toBe(409);
    expect(world.levels()).toEqual(allUp);
  });

  it('events stand where the apiserver takes them: of a stand-down in the release namespace, others in default', async () => {
    const world = await new OfficeWorld().at(20, 10);
    expect(world.events('default').map(({ reason }) => reason)).toEqual(['HibernationComplete']);
  });
});

describe('quiet', () => {
  it('a converged cluster gets no write in a whole day but one of the license, asleep and awake', async () => {
    const world = await new OfficeWorld().at(24 * 5 + 1);
    const rules = new WriteRules(world, {
      lastActionAt: () => 0,
      slackMs: () => 2_000,
      scope: () => ({ neverScale: [] }),
    });
    await world.at(24 * 6 + 1);
    expect(rules.writes).toBeLessThanOrEqual(1);
    expect(rules.workloadWrites).toBe(0);
  });

  it('dry run writes nothing over an edge', async () => {
    const world = await new OfficeWorld({ config: { operations: { dryRun: true } } }).at(19);
    const before = world.stateData();
    await world.at(34);
    expect(world.levels()).toEqual(allUp);
    expect(world.stateData()).toEqual(before);
    expect(world.log.said('Dry run: nothing is changed').length).toBeGreaterThan(0);
  });
});
