import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFailed } from 'vitest';
import { launchBrowser, signIn, Watched } from './browser.ts';
import { deployment, namespaces, tiers } from './fleet.ts';
import { adminAddress, Stack } from './stack.ts';

const objects = [
  ...namespaces('shop'),
  deployment('shop', 'orders-cache', { tier: 'data', replicas: 1 }),
  deployment('shop', 'archive', {
    tier: 'data',
    replicas: 1,
    behaviour: { 'start-seconds': '1700' },
    startupProbe: { failureThreshold: 180, periodSeconds: 10 },
  }),
  deployment('shop', 'cart', { behaviour: { 'start-seconds': '40' } }),
  deployment('shop', 'invoicing', {
    replicas: 1,
    behaviour: { 'crash-after-seconds': '10', 'crash-times': '2', 'start-seconds': '20' },
  }),
  deployment('shop', 'gpu-upscaler', { tier: 'frontend', replicas: 1, nowhere: true }),
  deployment('shop', 'storefront', { tier: 'frontend' }),
];

let stack: Stack;
let browser: Browser;

beforeAll(async () => {
  const wakeOrdering = tiers('data', 'backend', 'frontend');
  stack = await Stack.start({ objects, config: { wakeOrdering } });
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

describe('a tiered wake', () => {
  it('is watched from its first tier to its end, with a failed, a recovered and a still-starting workload', async () => {
    const watched = await Watched.open(browser, stack.url);
    onTestFailed(() => watched.shot('failed-wake'));
    const { page } = watched;
    await signIn(watched, stack, adminAddress);
    await page.goto(`${stack.url}/#/control?act=hibernate`);
    await page.getByRole('dialog').getByRole('button', { name: 'Trigger Manual Hibernation' }).click();
    await stack.fastUntil(
      async () => (await page.getByTestId('status-sentence').textContent())?.startsWith('Hibernated') === true,
    );

    await page.goto(`${stack.url}/#/control?act=wake`);
    await page.getByRole('dialog').getByRole('button', { name: 'Wake Up Resources' }).click();
    await page.goto(`${stack.url}/#/wake`);
    await page.getByRole('heading', { name: 'Waking Up Resources' }).waitFor();
    await page
      .getByTestId('barrier')
      .getByText(/^Barrier in \d/)
      .waitFor();
    await page.getByText('Waits for the tier before').first().waitFor();
    await page.getByText('Initiated by').waitFor();
    await watched.shot('wake-first-tier');
    expect(await watched.axe()).toEqual([]);

    // Past the barrier of the first tier, whose slow member is walked past.
    await stack.fastUntil(() => page.getByText('Wake Barrier Timeout: released without waiting').isVisible());
    await stack.fastUntil(() => page.locator('[data-phase=recovered]').first().isVisible(), 20);
    await page
      .getByText(/invoicing restarted twice before it was ready.*came up/)
      .first()
      .waitFor();
    await watched.shot('wake-recovered');

    // Leaving and coming back loses nothing.
    await page.reload();
    await page
      .getByText(/invoicing restarted twice before it was ready.*came up/)
      .first()
      .waitFor();

    await stack.fastUntil(() =>
      page
        .getByText(/gpu-upscaler was still Unschedulable after 15 minutes/)
        .first()
        .isVisible(),
    );
    await stack.fastUntil(() => page.getByRole('heading', { name: /^Wake Complete/ }).isVisible(), 120);
    expect(await page.getByRole('heading', { name: /^Wake Complete/ }).textContent()).toBe(
      'Wake Complete - 1 workload failed',
    );
    const casualties = await page
      .getByTestId('casualties')
      .locator('li')
      .evaluateAll((lines) => lines.map((line) => line.getAttribute('data-phase')));
    expect(casualties).toEqual(['failed', 'recovered']);
    await watched.shot('wake-complete');
    expect(await watched.axe()).toEqual([]);
    await page.getByRole('heading', { name: 'Critical path' }).waitFor();
    expect(await page.locator('[data-phase=still_starting]').count()).toBe(1);

    await page.goto(`${stack.url}/#/activity`);
    await page.getByText('Wake Complete - 1 workload failed').first().click();
    await page.getByText(/gpu-upscaler was still Unschedulable after 15 minutes/).waitFor();
    await watched.shot('wake-entry');
    expect(watched.problems).toEqual([]);
    await watched.close();
  }, 240_000);
});
