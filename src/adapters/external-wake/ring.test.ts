import { randomBytes } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { deployment, Internet, Site } from '../../../test/support/external-wake-site.ts';

const minute = 60_000;
const hour = 60 * minute;
const midnight = Date.UTC(2026, 10, 16);
const key = randomBytes(32).toString('base64');
const secretRef = { name: 'shared', key: 'hmac' };

const week = (hours: string) => ({
  timezone: 'UTC',
  schedule: Object.fromEntries(
    ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'].map((day) => [day, hours]),
  ),
});

const sites: Site[] = [];
afterEach(async () => {
  for (const site of sites.splice(0)) await site.stop();
});

/** Clusters of which each needs the next, and the last the first; with the working hours of each. */
async function ring(...hours: string[]) {
  const internet = new Internet(midnight + 5.5 * hour);
  const name = (index: number) => `c${(index + hours.length) % hours.length}.example.com`;
  const all = hours.map(
    (own, index) =>
      new Site(
        internet,
        name(index),
        {
          workingHours: week(own),
          externalWake: {
            enabled: true,
            localClusterName: name(index),
            clusters: [{ name: name(index - 1), secretRef }],
          },
          externalDependencies: [{ cluster: name(index + 1), url: `https://${name(index + 1)}`, secretRef }],
        },
        [deployment('web', 'front', 1)],
      ),
  );
  for (const site of all) {
    site.keys.texts.set('shared/hmac', key);
    sites.push(await site.start());
  }
  await internet.advance(10 * minute);
  return {
    levels: () => all.map((site) => site.levels()['front/web']),
    until: (hoursOfDay: number) => internet.advance(midnight + hoursOfDay * hour - internet.clock.now()),
    sites: all,
  };
}

describe('clusters that need each other', () => {
  it.each([
    ['two', ['06:00-08:00', 'off']],
    ['three', ['06:00-08:00', 'off', 'off']],
  ])(
    '%s: all wake with the one that has a reason, none waits for itself, and all sleep when it has none',
    async (_, hours) => {
      const { levels, until } = await ring(...hours);
      expect(levels()).toEqual(hours.map(() => 0));
      await until(6 + 2 / 60);
      expect(levels()).toEqual(hours.map(() => 1));
      await until(7.95);
      expect(levels()).toEqual(hours.map(() => 1));
      await until(8.1);
      expect(levels()).toEqual(hours.map(() => 0));
    },
  );

  it('wake at the same time without waiting for one another', async () => {
    const { levels, until } = await ring('06:00-08:00', '06:00-08:00');
    await until(6 + 2 / 60);
    expect(levels()).toEqual([1, 1]);
  });

  it('stay awake as long as one of them has a reason, and not longer', async () => {
    const { levels, until, sites: all } = await ring('06:00-07:00', '06:30-08:00', 'off');
    await until(7.9);
    expect(levels()).toEqual([1, 1, 1]);
    expect(all[0]!.cards().filter((title) => title === 'External Wake Started')).toHaveLength(1);
    await until(8.1);
    expect(levels()).toEqual([0, 0, 0]);
  });
});
