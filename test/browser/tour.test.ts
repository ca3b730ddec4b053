import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demoConfig } from '../../demo/fleet/demo-config.ts';
import { demoObjects } from '../../demo/fleet/demo-objects.ts';
import { launchBrowser, signIn, type View, Watched } from './browser.ts';
import { adminAddress, Stack } from './stack.ts';

let stack: Stack;
let browser: Browser;
let watched: Watched;

const databases = {
  orders: { type: 'instance', identifier: 'orders-1', region: 'eu-central-1' },
  search: { type: 'cluster', identifier: 'search-1', region: 'eu-west-1' },
};

beforeAll(async () => {
  const config = {
    ...demoConfig(),
    notifications: { enabled: true, channels: { email: { enabled: true, recipients: [{ address: adminAddress }] } } },
  };
  stack = await Stack.start({ objects: demoObjects(1), config });
  browser = await launchBrowser();
  watched = await Watched.open(browser, stack.url);
  await signIn(watched, stack, adminAddress);
  await aNap();
  // Known to the pages, not to the controller: there is no cloud behind them.
  stack.setState('database_states', databaseStates);
  stack.configure({ databases });
});

afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

const databaseStates = JSON.stringify({
  orders: { status: 'available', stoppedByUs: false, at: '2026-11-03T10:00:00.000Z' },
});

/** Half an hour of sleep, so that every page has something to tell. */
async function aNap(): Promise<void> {
  const { page } = watched;
  await page.goto(`${stack.url}/#/control?act=hibernate`);
  await page.getByRole('dialog').getByRole('button', { name: 'Trigger Manual Hibernation' }).click();
  const sentence = async (begins: string) =>
    (await page.getByTestId('status-sentence').textContent())?.startsWith(begins) === true;
  await page.goto(`${stack.url}/#/`);
  await stack.fastUntil(() => sentence('Hibernated'), 120);
  const wakeAt = stack.clock.now() + 30 * 60_000;
  await stack.fastUntil(() => stack.clock.now() >= wakeAt, 900);
  await page.goto(`${stack.url}/#/control?act=wake`);
  await page.getByRole('dialog').getByRole('button', { name: 'Wake Up Resources' }).click();
  await page.goto(`${stack.url}/#/`);
  await stack.fastUntil(() => sentence('Awake'), 240);
}

const pages: readonly (readonly [name: string, path: string, heading: string, says: string])[] = [
  ['overview', '/', 'Overview', 'Wake Complete'],
  ['control', '/control', 'Manual Control', 'Trigger Manual Hibernation'],
  ['transition', '/wake', 'Transition', 'Critical path'],
  ['resources', '/resources', 'Resources', 'workloads of'],
  ['tonight', '/tonight', 'Tonight', 'frontends'],
  ['calendar', '/calendar', 'Calendar', 'November 2026'],
  ['insights', '/insights', 'Insights', 'Core-hours saved'],
  ['activity', '/activity', 'Activity', 'Hibernation Complete'],
  ['external-wake', '/external-wake', 'External Wake', 'No cluster keeps this one awake'],
  ['databases', '/databases', 'Databases and Satellites', 'cluster search-1 in eu-west-1'],
  ['notifications', '/notifications', 'Notifications', 'delivered'],
  ['license', '/license', 'License', 'Licensed'],
  ['settings', '/settings', 'Settings', 'hibernateOrdering'],
  ['account', '/account', 'Account and Passkeys', adminAddress],
];

const views: readonly View[] = [
  { name: 'light', dark: false, width: 1280, height: 900 },
  { name: 'dark', dark: true, width: 1280, height: 900 },
  { name: 'narrow-dark', dark: true, width: 320, height: 700 },
  { name: 'narrow', dark: false, width: 320, height: 700 },
];

describe('every page, light and dark, wide and on a phone', () => {
  it.each(pages)('%s', async (name, path, heading, says) => {
    const { page } = watched;
    await watched.look(views[0]!);
    await page.goto(`${stack.url}/#${path}`);
    await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
    await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
    await page.locator('main').getByText(says).filter({ visible: true }).first().waitFor();
    for (const view of views) {
      await watched.look(view);
      expect([view.name, await watched.axe()]).toEqual([view.name, []]);
      await watched.shot(`page-${name}-${view.name}`, { whole: !view.dark });
      // A phone scrolls down, never sideways.
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect([view.name, overflow]).toEqual([view.name, expect.toSatisfy((pixels: number) => pixels <= 0)]);
    }
    expect(watched.problems).toEqual([]);
  });
});

describe('a page with something to tell', () => {
  const open = async (path: string) => {
    await watched.look(views[0]!);
    await watched.page.goto(`${stack.url}/#${path}`);
  };

  it('of insights has figures, and the formula behind each', async () => {
    await open('/insights');
    const { page } = watched;
    // The buttons that choose a picture, and the pictures, have the same names.
    const label = (name: string) => `//main//*[not(self::button)][normalize-space(text())="${name}"]`;
    const figure = async (name: string) =>
      (await page.locator(`xpath=${label(name)}/following-sibling::p`).textContent()) ?? '';
    expect(Number.parseFloat(await figure('Hours asleep'))).toBeGreaterThan(0.4);
    for (const name of ['Core-hours saved', 'Memory saved', 'Energy saved (estimate)', 'CO2e avoided (estimate)']) {
      expect([name, Number.parseFloat(await figure(name))]).toEqual([name, expect.any(Number)]);
      expect([name, Number.parseFloat(await figure(name)) > 0]).toEqual([name, true]);
    }
    await page.getByRole('button', { name: 'How is this computed?' }).click();
    await page.locator('main dl dt').first().waitFor();
    await watched.shot('insights-formulas');
    expect(await watched.axe()).toEqual([]);
  });

  it('of notifications sends a test message, and says where it went', async () => {
    await open('/notifications');
    const { page } = watched;
    const before = stack.inbox.last(adminAddress);
    await page.getByRole('button', { name: 'Test e-mail' }).click();
    await page
      .getByRole('alert')
      .filter({ hasText: /sent|test/i })
      .first()
      .waitFor();
    expect(stack.inbox.last(adminAddress)).not.toBe(before);
    await watched.shot('notification-test');
    expect(await watched.axe()).toEqual([]);
    watched.expectProblem(/status of 404 .*notifications\/test/);
    await page.getByRole('button', { name: 'Test chat' }).click();
    await page.getByText(/channels\.teams\.enabled/).waitFor();
    expect(watched.problems).toEqual([]);
  });

  it('of databases tells what is known of each, and who answers for a redirected service', async () => {
    await open('/databases');
    const row = (name: string) => watched.page.getByRole('row').filter({ hasText: name });
    await row('orders').getByText('available', { exact: true }).waitFor();
    await row('orders').getByText('Tue 3 Nov 2026, 11:00 (Europe/Berlin)').waitFor();
    await row('search').getByText('not seen yet', { exact: true }).waitFor();
    await row('shop/storefront').getByText('Its own pods', { exact: true }).waitFor();
  });
});
