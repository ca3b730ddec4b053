import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demoConfig } from '../../src/embedded/demo/demo-config.ts';
import { demoObjects } from '../../src/embedded/demo/demo-objects.ts';
import { launchBrowser, signIn, Watched } from './browser.ts';
import { adminAddress, Stack } from './stack.ts';

let stack: Stack;
let browser: Browser;

beforeAll(async () => {
  const config = {
    ...demoConfig(),
    notifications: { enabled: true, channels: { email: { enabled: true, recipients: [{ address: adminAddress }] } } },
  };
  stack = await Stack.start({ objects: demoObjects(1), config });
  stack.clock.pace(60);
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

const pages: readonly (readonly [name: string, path: string, heading: string])[] = [
  ['overview', '/', 'Overview'],
  ['control', '/control', 'Manual Control'],
  ['transition', '/wake', 'Transition'],
  ['resources', '/resources', 'Resources'],
  ['tonight', '/tonight', 'Tonight'],
  ['calendar', '/calendar', 'Calendar'],
  ['insights', '/insights', 'Insights'],
  ['activity', '/activity', 'Activity'],
  ['external-wake', '/external-wake', 'External Wake'],
  ['databases', '/databases', 'Databases and Satellites'],
  ['notifications', '/notifications', 'Notifications'],
  ['license', '/license', 'License'],
  ['settings', '/settings', 'Settings'],
  ['account', '/account', 'Account and Passkeys'],
];

const views = [
  ['light', { dark: false, width: 1280 }],
  ['dark', { dark: true, width: 1280 }],
  ['narrow', { dark: false, width: 320, height: 700 }],
  ['narrow-dark', { dark: true, width: 320, height: 700 }],
] as const;

describe.each(views)('every page, %s', (view, options) => {
  let watched: Watched;

  beforeAll(async () => {
    watched = await Watched.open(browser, stack.url, options);
    await signIn(watched, stack, adminAddress);
  });

  afterAll(() => watched?.close());

  it.each(pages)('%s', async (name, path, heading) => {
    const { page } = watched;
    await page.goto(`${stack.url}/#${path}`);
    await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
    await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
    expect(await watched.axe()).toEqual([]);
    await watched.shot(`page-${name}-${view}`);
    // A phone scrolls down, never sideways.
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow).toBeLessThanOrEqual(0);
    expect(watched.problems).toEqual([]);
  });
});
