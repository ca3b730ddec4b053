import { expect, it } from 'vitest';
import { hibernateIntent } from '../actors/state-intents.ts';
import { allDown, allUp, ann, minute, OfficeWorld } from '../office-world.ts';
import { isWrite } from '../world/faulty-transport.ts';

const second = 1_000;
/** Long after everything else has been listed. */
const lateMs = 20 * second;

/** Starts a controller whose license is the last that it learns of; returns what it writes from then on beside its books. */
function startWithLateLicense(world: OfficeWorld): readonly string[] {
  world.faults.hold('late', ({ path }) => path.includes('svc-license'), { kind: 'delay', ms: lateMs });
  const writes: string[] = [];
  world.faults.onRequest = (request) => {
    if (isWrite(request) && !request.path.includes('/configmaps/')) writes.push(`${request.method} ${request.path}`);
  };
  world.start();
  return writes;
}

/** The controller dies as soon as something of the cluster has become so. */
async function dieWhen(world: OfficeWorld, became: () => boolean): Promise<void> {
  const unlisten = world.store.onAnyChange(() => {
    if (!became()) return;
    unlisten();
    world.kill();
  });
  await world.advance(minute);
  expect(world.alive).toBe(false);
}

it('a hibernation is gone on with once the license is known, and not taken back before', async () => {
  const world = await new OfficeWorld().at(13);
  await hibernateIntent(world, ann);
  await dieWhen(world, () => world.level('Deployment shop/cart') === 0);

  const writes = startWithLateLicense(world);
  const before = world.levels();
  await world.advance(lateMs - second);
  expect([writes, world.levels()]).toEqual([[], before]);
  await world.advance(5 * minute);
  expect(world.levels()).toEqual(allDown);
  expect(world.audit().map(({ title }) => title)).toEqual(['Hibernation Complete']);
  world.kill();
});

it('a wake that nobody wants any more is left as one that nobody saw, and not gone on with before', async () => {
  const world = await new OfficeWorld().at(31, 59);
  expect(world.levels()).toEqual(allDown);
  await world.advance(minute - second);
  await dieWhen(world, () => world.level('Deployment shop/cart') === 3);
  const before = world.levels();
  const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'];
  const schedule = Object.fromEntries(days.map((day) => [day, 'off']));
  world.reconfigure({ workingHours: { timezone: 'UTC', schedule } });

  const writes = startWithLateLicense(world);
  await world.advance(lateMs - second);
  expect([writes, world.levels()]).toEqual([[], before]);
  expect(before).not.toEqual(allUp);
  await world.advance(5 * minute);
  expect(world.levels()).toEqual(allDown);
  const { details } = world.audited('Wake Complete').at(-1) ?? {};
  expect(details?.['still_starting']).toEqual(['CronJob shop/report: not_observed']);
  world.kill();
});

it('an edge that was missed is told as one, however late the license', async () => {
  const world = await new OfficeWorld().at(31, 59);
  world.kill();
  await world.advance(10 * minute);
  startWithLateLicense(world);
  await world.advance(5 * minute);
  expect(world.levels()).toEqual(allUp);
  expect(world.audited('Wake Complete').at(-1)).toMatchObject({ actor: 'schedule', trigger: 'catch-up' });
  world.kill();
});
