import { randomBytes } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { deployment, Internet, Site } from '../../../test/support/external-wake-site.ts';
import type { WebRequest } from '../../ports/web-client.ts';

const hour = 3_600_000;
const minute = 60_000;
/** Midnight before monday, 16 November 2026, in UTC. */
const midnight = Date.UTC(2026, 10, 16);
const key = randomBytes(32).toString('base64');
const secretRef = { name: 'shared', key: 'hmac' };

const week = (hours: string) => ({
  timezone: 'UTC',
  schedule: Object.fromEntries(
    ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'].map((day) => [day, hours]),
  ),
});
const hostConfig = {
  workingHours: week('off'),
  externalWake: {
    enabled: true,
    localClusterName: 'host.example.com',
    clusters: [{ name: 'dependent.example.com', secretRef }],
  },
};
const dependentConfig = (hours: string, entry: object = {}) => ({
  workingHours: week(hours),
  externalDependencies: [{ cluster: 'host.example.com', url: 'https://host.example.com/', secretRef, ...entry }],
});

/** Requests take as long as they are told to. */
class SlowInternet extends Internet {
  delays: Readonly<Record<string, number>> = {};

  override async send(request: WebRequest) {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.clock.after(this.delays[request.method] ?? 0, resolve);
    await promise;
    return super.send(request);
  }
}

const sites: Site[] = [];
afterEach(async () => {
  for (const site of sites.splice(0)) await site.stop();
});

async function pair(dependent: object) {
  const internet = new SlowInternet(midnight + 5.7 * hour);
  const objects = [deployment('db', 'shop', 2), deployment('bank', 'bank', 1)];
  const hosting = new Site(internet, 'host.example.com', hostConfig, objects);
  const depending = new Site(internet, 'dependent.example.com', dependent as Record<string, unknown>, [
    deployment('web', 'front', 3),
  ]);
  for (const site of [hosting, depending]) {
    for (const name of ['hmac', 'hmac2']) site.keys.texts.set(`shared/${name}`, key);
    sites.push(site);
  }
  await hosting.start();
  await internet.advance(2 * minute);
  const until = (at: number) => internet.advance(at - internet.clock.now());
  return { internet, hosting, depending, until };
}

const awake = { 'shop/db': 2, 'bank/bank': 1 };
type Sessions = readonly { readonly id: string; readonly resources: readonly { readonly namespace: string }[] }[];
const sessions = (site: Site) => site.state('external_wake_sessions') as Sessions;

/** Every level that the host was at while time passed. */
async function lowest(internet: Internet, host: Site, ms: number): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (const until = internet.clock.now() + ms; internet.clock.now() < until; ) {
    await internet.advance(5_000);
    least = Math.min(least, host.levels()['shop/db'] ?? 0);
  }
  return least;
}

describe('a host does not sleep under an awake dependent', () => {
  it('whose entry gets another key or address: the session that it holds is not ended', async () => {
    const { internet, hosting, depending, until } = await pair(dependentConfig('06:00-20:00'));
    await depending.start();
    await until(midnight + 6.4 * hour);
    expect(hosting.levels()).toEqual(awake);
    const [held] = sessions(hosting);
    internet.delays = { POST: 50, DELETE: 50 };
    const sent = internet.requests.length;
    depending.configure(dependentConfig('06:00-20:00', { secretRef: { name: 'shared', key: 'hmac2' } }));
    expect(await lowest(internet, hosting, 3 * minute)).toBe(2);
    expect(internet.requests.slice(sent).map(({ method }) => method)).toEqual(['POST']);
    expect(sessions(hosting).map(({ id }) => id)).toEqual([held?.id]);
  });

  it.each([3_000, 15_000])('that is woken while the end of its session is on the way for %d ms', async (late) => {
    const { internet, hosting, depending, until } = await pair(dependentConfig('06:00-08:00'));
    await depending.start();
    await until(midnight + 7.9 * hour);
    internet.delays = { DELETE: late, POST: 50 };
    await until(midnight + 8 * hour + 1_000);
    depending.configure(dependentConfig('06:00-20:00'));
    await internet.advance(10 * minute);
    expect([hosting.levels(), depending.levels()]).toEqual([awake, { 'front/web': 3 }]);
    expect(sessions(hosting)).toHaveLength(1);
    await until(midnight + 20.2 * hour);
    expect([hosting.levels()['shop/db'], sessions(hosting)]).toEqual([0, []]);
  });

  it('and what was asked for a moment ago, then no longer, does not stay up', async () => {
    const named = (namespace: string) => dependentConfig('on', { resources: [{ namespace }] });
    const { internet, hosting, depending } = await pair(named('bank'));
    internet.delays = { POST: 2_000, DELETE: 2_000 };
    await depending.start();
    await internet.advance(1_000);
    depending.configure(named('shop'));
    await internet.advance(10 * minute);
    expect(sessions(hosting).map(({ resources }) => resources[0]?.namespace)).toEqual(['shop']);
    expect(hosting.levels()).toEqual({ 'shop/db': 2, 'bank/bank': 0 });
  });
});
