import { afterEach, describe, expect, it } from 'vitest';
import { ControllerWorld, controllerIdentity } from '../../../test/support/controller-world.ts';
import { oddServices } from '../../../test/support/odd-services.ts';
import { PausableProcess } from '../../../test/support/pausable-process.ts';
import { isHandedBack, standDown, writeStateKey } from '../../../test/support/worlds/stood-down.ts';
import type { Transport, TransportRequest } from '../../ports/transport.ts';

const minute = 60_000;
const hour = 60 * minute;
/** A monday, 19:59 in Berlin. */
const beforeNight = Date.UTC(2026, 0, 5, 18, 59);
const named = (names: readonly string[]) => ({
  serviceRedirection: { enabled: true, services: names.map((name) => ({ namespace: 'shop', name })) },
});
const config = named(['web', 'by-template']);

let world: ControllerWorld;
afterEach(() => world.stopController());

const redirected = () =>
  [...world.cluster.store.list('services')]
    .filter(({ metadata }) => metadata.labels?.['svc.io/redirected'] === 'true')
    .map(({ metadata }) => metadata.name);
const satellites = () =>
  [...world.cluster.store.list('deployments.apps')]
    .map(({ metadata }) => metadata.name)
    .filter((name) => name.startsWith('svc-satellite'));

function isRedirect({ method, path }: TransportRequest): boolean {
  return method === 'PATCH' && path.includes('/services/');
}

function wakeForTheNight(): void {
  const at = new Date(world.clock.now()).toISOString().replace(/\.\d+/, '');
  const until = new Date(world.clock.now() + 20 * hour).toISOString().replace(/\.\d+/, '');
  writeStateKey(world, 'wake_override', { by: 'ann@example.org', at, until });
}

function prepare(): Transport {
  world = new ControllerWorld({ startAt: beforeNight, config, redirects: true });
  world.cluster.apply(oddServices);
  return world.cluster.transport(controllerIdentity);
}

const meanwhile = [
  ['a stand-down', () => standDown(world)],
  ['somebody who wakes the cluster', wakeForTheNight],
] as const;

describe.each(meanwhile)('a redirect that lands after %s', (_, change) => {
  it('is taken back where the process that sent it has died', async () => {
    const inner = prepare();
    let sent = 0;
    const dying: Transport = {
      async send(request) {
        if (!isRedirect(request)) return inner.send(request);
        world.clock.after(20_000, () => void inner.send(request));
        if (++sent === 1) {
          world.killController();
          change();
        }
        throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
      },
    };
    await world.startController(dying);
    for (let tries = 0; tries < 600 && sent === 0; tries++) await world.clock.advance(200);
    expect(sent).toBeGreaterThan(0);
    await world.startController();
    await world.clock.advance(5 * minute);
    expect([redirected(), satellites()]).toEqual([[], []]);
  });

  it('is taken back by the process that was paused between the fence and the sending', async () => {
    prepare();
    const late = new PausableProcess(world.clock, world.cluster.transport(controllerIdentity));
    let sent = 0;
    const pausing: Transport = {
      send(request) {
        if (isRedirect(request) && ++sent === 1) late.pause();
        return late.transport.send(request);
      },
    };
    await world.startController(pausing, late.clock);
    await world.clock.advance(2 * minute);
    expect(sent).toBeGreaterThan(0);
    change();
    await world.startController();
    await world.clock.advance(5 * minute);
    expect(redirected()).toEqual([]);
    late.continue();
    await world.clock.advance(5 * minute);
    expect(redirected()).toEqual([]);
  });
});

it('a redirect that is on its way as the pass is overtaken is known to the handback', async () => {
  const names = Array.from({ length: 8 }, (_, index) => `s-${index}`);
  world = new ControllerWorld({
    startAt: beforeNight,
    config: { controller: { maxConcurrentOperations: 2 }, ...named(names) },
    redirects: true,
  });
  const web = oddServices.find(({ kind, metadata }) => kind === 'Service' && metadata.name === 'web')!;
  world.cluster.apply([
    ...oddServices.filter(({ kind }) => kind !== 'Service'),
    ...names.map((name) => ({ ...web, metadata: { namespace: 'shop', name } })),
  ]);
  const inner = world.cluster.transport(controllerIdentity);
  let sent = 0;
  const slow: Transport = {
    async send(request) {
      if (!isRedirect(request)) return inner.send(request);
      const ms = ++sent === 1 ? 12_000 : 1_500;
      if (sent === 1) world.clock.after(1_000, () => standDown(world));
      await new Promise<void>((resolve) => world.clock.after(ms, resolve));
      return inner.send(request);
    },
  };
  world.cluster.api.faults.add({
    match: ({ verb, resource }) => verb === 'watch' && resource === 'configmaps',
    effect: { kind: 'watch', mode: 'silent' },
  });
  await world.startController(slow);
  await world.clock.advance(hour);
  expect([sent > 0, redirected(), isHandedBack(world)]).toEqual([true, [], true]);
});
