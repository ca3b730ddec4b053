import { expect, it } from 'vitest';
import { seededRandom } from '../../../embedded-cluster/seeded-random.ts';
import { silentLogger } from '../../../src/platform/silent-logger.ts';
import type { TransportRequest } from '../../../src/ports/transport.ts';
import { asShipped } from '../../support/as-shipped.ts';
import { hibernateIntent, standDownIntent } from '../actors/state-intents.ts';
import { putState } from '../actors/trouble.ts';
import { allDown, allUp, ann, hour, minute, OfficeWorld } from '../office-world.ts';
import { isWrite } from '../world/faulty-transport.ts';
import { ShippedApi } from '../world/shipped-api.ts';
import { apiUser } from '../world/sim-world.ts';

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

const refused = { kind: 'status', status: 403, done: false } as const;
const ofLicense = ({ path }: TransportRequest) => path.includes('svc-license');
const ofState = ({ path }: TransportRequest) => path.includes('fieldSelector') && path.includes('svc-state');
const ofParts = ({ path }: TransportRequest) => path.includes('labelSelector') && path.includes('/configmaps');

/** A controller of the night before dies, and the next one may not read the license. */
async function withoutLicense(): Promise<OfficeWorld> {
  const world = await new OfficeWorld().at(20, 10);
  expect(world.levels()).toEqual(allDown);
  world.kill();
  world.faults.hold('refused', ofLicense, refused);
  world.start();
  return world;
}

it('a license that cannot be read at a start holds up no stand-down', async () => {
  const world = await withoutLicense();
  await world.advance(minute);
  await standDownIntent(world, { type: 'admin-stands-down', actor: ann });
  await world.advance(5 * minute);
  expect([world.levels(), world.standDownState().handbackDone]).toEqual([allUp, true]);
  world.kill();
});

it('a license that cannot be read at a start, and was good, lets the cluster wake in the morning', async () => {
  const world = await withoutLicense();
  await world.at(32, 30);
  expect(world.levels()).toEqual(allUp);
  world.kill();
});

it.each([
  ['the state', ofState],
  ['its parts', ofParts],
])(
  'where there is no license, and nobody may watch %s, what is due is done as soon as that is known',
  async (_, match) => {
    const world = await new OfficeWorld().at(20, 10);
    world.kill();
    await world.at(32, 30);
    world.faults.hold('refused', match, refused);
    startWithLateLicense(world);
    await world.advance(lateMs + 10 * second);
    expect(world.levels()).toMatchObject({ 'Deployment shop/cart': 3 });
    world.kill();
  },
);

it('a stand-down that ended while nobody ran is told to have ended once it is known whether scaling resumes', async () => {
  const world = await new OfficeWorld().at(20, 10);
  world.reconfigure({ global: { enabled: false } });
  await world.advance(5 * minute);
  world.kill();
  world.reconfigure({ global: { enabled: true } });
  world.setLicense({ found: 'text', text: 'not a license' });
  startWithLateLicense(world);
  await world.advance(lateMs - second);
  const ends = () => world.events('svc').filter(({ reason }) => reason === 'StandDownEnded');
  expect(ends()).toEqual([]);
  await world.advance(5 * minute);
  expect(ends().map(({ message }) => message)).toEqual([expect.not.stringContaining('Scaling resumes')]);
  world.kill();
});

it('an edge that was missed is told as one after a key that nobody could decode, too', async () => {
  const world = await new OfficeWorld().at(31, 59);
  world.kill();
  await world.advance(10 * minute);
  putState(world, (data) => {
    data['wake_override'] = '{nonsense';
  });
  world.start();
  await world.advance(5 * minute);
  expect(world.levels()).toEqual(allDown);
  putState(world, (data) => {
    data['wake_override'] = '';
  });
  await world.advance(10 * minute);
  expect(world.audited('Wake Complete').at(-1)).toMatchObject({ trigger: 'catch-up' });
  world.kill();
});

it.each([
  ['the license', ofLicense],
  ['the state', ofState],
  ['its parts', ofParts],
])('an api that starts and may not watch %s takes a stand-down half a minute later', async (_, match) => {
  const world = await new OfficeWorld().at(20, 10);
  world.watchesAtFault(true);
  const api = new ShippedApi({
    transport: world.cluster.transport({ user: apiUser, groups: [] }),
    faults: { faultOf: (request) => (match(request) ? refused : undefined), crash() {} },
    latency: () => 0,
    clock: world.clock,
    watchClock: world.clock,
    random: seededRandom(9),
    logger: silentLogger,
    partSizes: undefined,
    onRestored: asShipped.restored,
  });
  await world.advance(minute);
  expect((await api.asAdmin('standDown', { body: { reason: 'a release' } })).status).toBe(200);
  api.kill();
  world.kill();
});

it('a service without a license stays stopped where a new process cannot read that', async () => {
  const world = await new OfficeWorld().at(13);
  world.setLicense({ found: 'text', text: 'not a license' });
  await world.at(20, 10);
  expect(world.levels()).toEqual(allUp);
  world.faults.hold('refused', ofLicense, refused);
  world.start();
  await world.advance(hour);
  expect(world.levels()).toEqual(allUp);
  world.kill();
});

it.each([25, 240])('a new service that may not look for its license for %i s acts once it may', async (seconds) => {
  const world = new OfficeWorld();
  await world.advance(8 * hour + minute);
  world.watchesAtFault(true);
  const release = world.faults.hold('refused', ofLicense, refused);
  world.start();
  await world.advance(seconds * second);
  expect(world.levels()).toEqual(allUp);
  release();
  await world.advance(minute);
  expect(world.levels()).toEqual(allDown);
  world.kill();
});

it.each([
  ['', 0],
  [', at an apiserver that answered nobody for five minutes before', 5],
])('a cluster whose books are lost sleeps on while its license cannot be read for a minute%s', async (_, minutes) => {
  const world = await new OfficeWorld().at(20, 10);
  world.kill();
  world.watchesAtFault(true);
  world.store.delete('configmaps', 'svc', 'svc-state');
  const release = world.faults.hold('refused', ofLicense, refused);
  world.start();
  const answers = world.faults.hold('away', ({ path }) => !path.includes('svc-config'), refused);
  await world.advance(minutes * minute);
  answers();
  await world.advance(minute);
  release();
  await world.advance(10 * minute);
  expect(world.levels()).toEqual(allDown);
  expect(world.audited('Wake Complete')).toEqual([]);
  world.kill();
});

it('a license that was not to be read for weeks counts as soon as it may be read again', async () => {
  const world = await new OfficeWorld().at(13);
  const release = world.faults.hold('refused', ofLicense, refused);
  for (const { stream } of world.cluster.api.faults.openWatches()) stream.end();
  await world.advance(16 * day);
  world.watchesAtFault(true);
  await world.advance(hour);
  const acts = async () => (await world.process!.ports.metrics.licenseActs.get()).values.map(({ value }) => value);
  expect(await acts()).toEqual([0]);
  release();
  await world.advance(minute);
  expect(await acts()).toEqual([1]);
  world.kill();
});

const day = 24 * hour;
it('a license that cannot be read for two weeks after it was good ends as everywhere: everything comes back', async () => {
  const world = await withoutLicense();
  await world.advance(15 * day);
  expect(world.levels()).toEqual(allUp);
  world.kill();
});
