import { randomBytes } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { deployment, Internet, Site } from '../../../test/support/external-wake-site.ts';

const hour = 3_600_000;
const minute = 60_000;
/** Midnight before monday, 16 November 2026, in UTC, which both schedules speak. */
const midnight = Date.UTC(2026, 10, 16);
const key = randomBytes(32).toString('base64');
const secretRef = { name: 'shared', key: 'hmac' };

const week = (hours: string) => ({
  timezone: 'UTC',
  schedule: Object.fromEntries(
    ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'].map((day) => [day, hours]),
  ),
});
const hostConfig = (more: object = {}) => ({
  workingHours: week('06:30-07:00'),
  externalWake: {
    enabled: true,
    localClusterName: 'host.example.com',
    clusters: [{ name: 'dependent.example.com', secretRef }],
    ...more,
  },
});
const dependentConfig = (more: object = {}) => ({
  workingHours: week('06:00-08:00'),
  externalDependencies: [{ cluster: 'host.example.com', url: 'https://host.example.com/', secretRef }],
  ...more,
});

const sites: Site[] = [];
afterEach(async () => {
  for (const site of sites.splice(0)) await site.stop();
});

/** Two clusters in the night before monday, both asleep, the dependent due to wake at six. */
async function night(host: object = hostConfig(), dependent: object = dependentConfig()) {
  const internet = new Internet(midnight + 5.7 * hour);
  const hosting = new Site(internet, 'host.example.com', host as Record<string, unknown>, [
    deployment('db', 'shop', 2),
    deployment('bank', 'bank', 1),
  ]);
  const depending = new Site(internet, 'dependent.example.com', dependent as Record<string, unknown>, [
    deployment('web', 'front', 3),
  ]);
  for (const site of [hosting, depending]) {
    site.keys.texts.set('shared/hmac', key);
    sites.push(await site.start());
  }
  await internet.advance(10 * minute);
  return { internet, hosting, depending };
}

const asleep = { 'shop/db': 0, 'bank/bank': 0 };
const awake = { 'shop/db': 2, 'bank/bank': 1 };
const until = (internet: Internet, at: number) => internet.advance(at - internet.clock.now());

describe('two services', () => {
  it('sleep and wake together: the host wakes with its dependent, stays up as long, and may sleep when it does', async () => {
    const { internet, hosting, depending } = await night();
    expect([hosting.levels(), depending.levels()]).toEqual([asleep, { 'front/web': 0 }]);
    await until(internet, midnight + 6 * hour + 5 * minute);
    expect([hosting.levels(), depending.levels()]).toEqual([awake, { 'front/web': 3 }]);
    expect(hosting.cards()).toContain('External Wake Started');
    expect(hosting.state('external_wake_sessions')).toMatchObject([
      { cluster: 'dependent.example.com', resources: [] },
    ]);
    await until(internet, midnight + 7.9 * hour);
    expect(hosting.levels()).toEqual(awake);
    await until(internet, midnight + 8 * hour + 10 * minute);
    expect([hosting.levels(), depending.levels()]).toEqual([asleep, { 'front/web': 0 }]);
    expect(hosting.state('external_wake_sessions')).toEqual([]);
    expect(hosting.cards()).not.toContain('External Wake Expired');
    expect(internet.requests.filter(({ status }) => status !== 200)).toEqual([]);
  });

  it('a wake waits until its host is up, and says so in the order of things', async () => {
    const { internet, hosting, depending } = await night();
    await until(internet, midnight + 6 * hour + 5 * minute);
    const woke = (site: Site) => site.notices.find(({ title }) => title === 'Wake Complete')!.at;
    const began = depending.notices.find(({ title }) => title === 'Waking Up Resources')!.at;
    expect(began).toBeLessThan(woke(hosting));
    expect(woke(depending)).toBeGreaterThan(woke(hosting));
    expect(depending.cards().filter((title) => title === 'Waking Up Resources')).toHaveLength(1);
  });

  it('a session is renewed before it runs out, however short it may be, and stays one session', async () => {
    const { internet, hosting } = await night(hostConfig({ quotas: { maxWakeDuration: '20m' } }));
    await until(internet, midnight + 6 * hour + 5 * minute);
    for (let at = 6 * 60 + 5; at < 8 * 60; at += 5) {
      await until(internet, midnight + at * minute);
      expect(hosting.levels(), `at ${at}`).toEqual(awake);
    }
    expect(hosting.cards().filter((title) => title.startsWith('External Wake'))).toEqual([
      'External Wake Started',
      ...hosting.cards().filter((title) => title === 'External Wake Renewed'),
    ]);
    expect(hosting.cards().filter((title) => title === 'External Wake Renewed').length).toBeGreaterThan(8);
  });

  it('only what is named wakes, and never an excluded namespace', async () => {
    const named = [
      { cluster: 'host.example.com', url: 'https://host.example.com', secretRef, resources: [{ namespace: 'shop' }] },
    ];
    const first = await night(hostConfig(), dependentConfig({ externalDependencies: named }));
    await until(first.internet, midnight + 6 * hour + 5 * minute);
    expect(first.hosting.levels()).toEqual({ 'shop/db': 2, 'bank/bank': 0 });

    const second = await night(hostConfig({ excludedNamespaces: ['ba*'] }));
    await until(second.internet, midnight + 6 * hour + 5 * minute);
    expect([second.hosting.levels(), second.depending.levels()]).toEqual([
      { 'shop/db': 2, 'bank/bank': 0 },
      { 'front/web': 3 },
    ]);
  });

  it('what was named and did not come up is not ready, however its wake ended, and is not asked after in a hurry', async () => {
    const resources = [{ namespace: 'shop', name: 'db' }];
    const dependencies = [{ cluster: 'host.example.com', url: 'https://host.example.com/', secretRef, resources }];
    const config = dependentConfig({ workingHours: week('06:00-20:00'), externalDependencies: dependencies });
    const { internet, hosting } = await night({ ...hostConfig(), workingHours: week('off') }, config);
    const db = hosting.cluster.store.get('deployments.apps', 'shop', 'db')!;
    const spec = db['spec'] as { readonly template: { readonly metadata: object } };
    const annotations = { 'sim.svc.io/crash-after-seconds': '5', 'sim.svc.io/start-seconds': '60' };
    const metadata = { ...spec.template.metadata, annotations };
    hosting.cluster.store.update('deployments.apps', {
      ...db,
      spec: { ...spec, template: { ...spec.template, metadata } },
    });
    await until(internet, midnight + 6 * hour);
    const answers: boolean[] = [];
    const send = internet.send.bind(internet);
    internet.send = async (request) => {
      const answer = await send(request);
      if (request.method === 'POST') answers.push((JSON.parse(answer.text) as { ready: boolean }).ready);
      return answer;
    };
    await internet.advance(20 * minute);
    expect(hosting.cards()).toContain('Wake Complete - 1 workload failed');
    expect(new Set(answers)).toEqual(new Set([false]));
    expect(answers.length).toBeLessThan(90);
  });

  it('a dependent that is stood down sends nothing, and its session runs out and is reported', async () => {
    const { internet, hosting, depending } = await night(hostConfig({ quotas: { maxWakeDuration: '30m' } }));
    await until(internet, midnight + 7.1 * hour);
    depending.configure({ ...dependentConfig(), global: { enabled: false } });
    await internet.advance(10_000);
    const sent = internet.requests.length;
    await until(internet, midnight + 7.8 * hour);
    expect(internet.requests).toHaveLength(sent);
    expect(hosting.levels()).toEqual(asleep);
    expect(hosting.cards().filter((title) => title === 'External Wake Expired')).toHaveLength(1);
    expect(hosting.state('external_wake_sessions')).toEqual([]);
    depending.configure(dependentConfig());
    await internet.advance(5 * minute);
    expect(internet.requests.length).toBeGreaterThan(sent);
  });

  it('a host that is stood down answers, and the wake succeeds', async () => {
    const { internet, hosting, depending } = await night({ ...hostConfig(), global: { enabled: false } });
    expect(hosting.levels()).toEqual(awake);
    await until(internet, midnight + 6 * hour + 5 * minute);
    expect(internet.requests.map(({ method, status }) => [method, status])).toContainEqual(['POST', 200]);
    expect(depending.levels()).toEqual({ 'front/web': 3 });
  });

  it('a dependent in dry run sends nothing', async () => {
    const { internet } = await night(hostConfig(), dependentConfig({ operations: { dryRun: true } }));
    await until(internet, midnight + 7 * hour);
    expect(internet.requests).toEqual([]);
  });

  it('a host that is not there holds the wake up for the barrier time-out, is reported, and is asked again', async () => {
    const { internet, hosting, depending } = await night();
    internet.dead.add('host.example.com');
    await until(internet, midnight + 6 * hour + 4 * minute);
    expect(depending.levels()).toEqual({ 'front/web': 0 });
    await until(internet, midnight + 6 * hour + 7 * minute);
    expect(depending.levels()).toEqual({ 'front/web': 3 });
    expect(depending.notices.find(({ key: event }) => event === 'wakeBarrierTimeout')?.text).toBe(
      'The wake begins after 5m without waiting for hosting cluster host.example.com',
    );
    expect(depending.cards()).toContain('Hosting Cluster Does Not Wake');
    internet.dead.clear();
    await until(internet, midnight + 6 * hour + 15 * minute);
    expect(hosting.levels()).toEqual(awake);
  });

  describe('while a wake waits for a host that is not there', () => {
    const waiting = (site: Site) =>
      (site.state('transition') as { payload: { hosts?: unknown } } | null)?.payload.hosts;
    const dark = async () => {
      const world = await night();
      world.internet.dead.add('host.example.com');
      await until(world.internet, midnight + 6 * hour + 2 * minute);
      return world;
    };

    it('the transition says for whom, until when and why, and nothing is raised', async () => {
      const { internet, depending } = await dark();
      expect(waiting(depending)).toEqual([
        {
          cluster: 'host.example.com',
          until: midnight + 6 * hour + 5 * minute,
          why: expect.stringContaining('ECONNREFUSED'),
        },
      ]);
      expect(depending.levels()).toEqual({ 'front/web': 0 });
      await until(internet, midnight + 6 * hour + 6 * minute);
      expect([waiting(depending), depending.levels()]).toEqual([undefined, { 'front/web': 3 }]);
      await until(internet, midnight + 6 * hour + 10 * minute);
      expect(depending.cards().filter((title) => title.startsWith('Wak'))).toEqual([
        'Waking Up Resources',
        'Wake Barrier Timeout',
        'Wake Complete',
      ]);
    });

    it('a controller that is restarted waits no longer than the one before it would have', async () => {
      const { internet, depending } = await dark();
      await internet.settle(depending.controller.stop());
      await depending.startController();
      await until(internet, midnight + 6 * hour + 6 * minute);
      expect(depending.levels()).toEqual({ 'front/web': 3 });
      expect(depending.cards().filter((title) => title === 'Waking Up Resources')).toHaveLength(1);
    });

    it('a wake that is no longer wanted is withdrawn, and the cluster sleeps on', async () => {
      const { internet, depending } = await dark();
      depending.configure(dependentConfig({ workingHours: week('07:00-08:00') }));
      await internet.advance(10_000);
      expect([depending.state('transition'), depending.levels()]).toEqual([null, { 'front/web': 0 }]);
      await internet.advance(10 * minute);
      expect(depending.cards().filter((title) => title.startsWith('Hibernat'))).toEqual(['Hibernation Complete']);
    });
  });

  it('a host that is not the one that is meant refuses, and says who it is', async () => {
    const { internet, hosting, depending } = await night(hostConfig({ localClusterName: 'other' }));
    await until(internet, midnight + 6 * hour + 2 * minute);
    expect([hosting.levels(), depending.levels()]).toEqual([asleep, { 'front/web': 3 }]);
    expect(hosting.state('external_wake_sessions')).toBeNull();
    expect(depending.notices.find(({ key: event }) => event === 'externalDependencyUnreachable')?.text).toBe(
      'it answered 400: host is "host.example.com", but this cluster is "other".',
    );
  });

  it('a host that refuses is not waited for', async () => {
    const { internet, depending } = await night({ ...hostConfig(), externalWake: { enabled: false } });
    await until(internet, midnight + 6 * hour + 2 * minute);
    expect(depending.levels()).toEqual({ 'front/web': 3 });
    expect(depending.notices.find(({ key: event }) => event === 'externalDependencyUnreachable')?.text).toMatch(
      /^it answered 40[14]/,
    );
  });
});
