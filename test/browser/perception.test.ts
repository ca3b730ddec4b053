import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askForCode, launchBrowser, signIn, Watched } from './browser.ts';
import { deployment, shop, tiers } from './fleet.ts';
import { adminAddress, Stack, userAddress } from './stack.ts';

let stack: Stack;
let browser: Browser;
let watched: Watched;

beforeAll(async () => {
  // The first tier lingers, so that the fleet is not asleep before anybody is told that it goes to sleep.
  const lingering = deployment('shop', 'checkout-page', { tier: 'frontend', behaviour: { 'terminate-seconds': '30' } });
  const hibernateOrdering = tiers('frontend', 'backend', 'data');
  stack = await Stack.start({ objects: [...shop, lingering], config: { hibernateOrdering } });
  await stack.fastUntil(() => stack.allReady());
  browser = await launchBrowser();
  watched = await Watched.open(browser, stack.url);
  await signIn(watched, stack, adminAddress);
});

afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

const ask = async (act: string, button: string) => {
  await watched.page.goto(`${stack.url}/#/control?act=${act}`);
  await watched.page.getByRole('dialog').getByRole('button', { name: button, exact: true }).click();
};

describe('who cannot see the screen', () => {
  it('hears that the state changes, and not each count', async () => {
    const { page } = watched;
    const said = page.getByTestId('announcer');
    expect(await said.getAttribute('aria-live')).toBe('polite');
    expect(await said.textContent()).toBe('');
    await ask('hibernate', 'Trigger Manual Hibernation');
    await said.getByText(/^demo: Going to sleep\. /).waitFor({ state: 'attached' });
    await stack.fastUntil(async () => (await said.textContent())?.startsWith('demo: Hibernated. ') === true, 20);
    await ask('stand-down', 'Stand down');
    await said.getByText(/^demo: Not scaling\. .*stood down by ada@example\.com/).waitFor({ state: 'attached' });
  });

  it('keeps the focus in the page when the button is gone that had it', async () => {
    const { page } = watched;
    await page.goto(`${stack.url}/#/control`);
    await page.getByRole('button', { name: 'End stand-down' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'End stand-down' }).click();
    await page.getByRole('button', { name: 'Stand down', exact: true }).waitFor();
    await page.waitForFunction(() => document.querySelector('main')?.contains(document.activeElement) === true);
    expect(watched.problems).toEqual([]);
  });

  it('keeps the focus in the field after a wrong code', async () => {
    const other = await Watched.open(browser, stack.url);
    other.expectProblem(/status of 401/);
    const { code } = await askForCode(other, stack, userAddress);
    await other.page.getByLabel('Code').fill(code === '00000000' ? '11111111' : '00000000');
    await other.page.getByRole('alert').waitFor();
    expect(await other.page.getByLabel('Code').evaluate((field) => field === document.activeElement)).toBe(true);
    await other.page.keyboard.type(code);
    await other.page.getByRole('heading', { name: 'Overview' }).waitFor();
    expect(other.problems).toEqual([]);
    await other.close();
  });
});

describe('who lets the system choose the colors', () => {
  it('sees the timeline, its legend and the bars', async () => {
    const { page } = watched;
    await page.goto(`${stack.url}/#/`);
    await page.locator('[data-piece]').first().waitFor();
    await page.emulateMedia({ forcedColors: 'active' });
    const colors = (selector: string) =>
      page.locator(selector).evaluateAll((all) => all.map((one) => getComputedStyle(one).backgroundColor));
    const [ground] = await colors('body');
    for (const selector of ['[data-piece]', '[data-legend]', '.MuiLinearProgress-bar']) {
      const seen = await colors(selector);
      expect([selector, seen.length > 0, seen.includes(ground ?? '')]).toEqual([selector, true, false]);
    }
    const kinds = await Promise.all(['awake', 'asleep'].map((kind) => colors(`[data-piece=${kind}]`)));
    expect(kinds[0]?.[0]).not.toBe(kinds[1]?.[0]);
    const legend = await page.locator('[data-legend]').evaluateAll((all) =>
      all.map((one) => {
        const { backgroundColor, backgroundImage } = getComputedStyle(one);
        return `${backgroundColor} ${backgroundImage}`;
      }),
    );
    expect(legend).toHaveLength(4);
    expect(new Set(legend).size).toBe(4);
    await watched.shot('forced-colors');
    await page.emulateMedia({ forcedColors: 'none' });
  });
});
