import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser, signIn, Watched } from './browser.ts';
import { shop } from './fleet.ts';
import { adminAddress, Stack } from './stack.ts';

const logo = (color: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 32"><rect width="120" height="32" rx="6" fill="${color}"/><circle cx="18" cy="16" r="8" fill="#ffffff"/></svg>`;

let stack: Stack;
let browser: Browser;

beforeAll(async () => {
  const branding = {
    name: 'Nightshift',
    logo: { light: logo('#6a1b9a'), dark: logo('#ce93d8') },
    accentColor: '#6a1b9a',
  };
  stack = await Stack.start({ objects: shop, branding });
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

describe('a brand', () => {
  it.each([false, true])('shows its logo, name and accent (dark: %s)', async (dark) => {
    const watched = await Watched.open(browser, stack.url, { dark });
    const { page } = watched;
    const image = page.getByRole('img', { name: 'Nightshift' });
    await image.waitFor();
    expect(decodeURIComponent((await image.getAttribute('src')) ?? '')).toContain(dark ? '#ce93d8' : '#6a1b9a');
    await page.getByLabel('E-mail address').fill('x@example.com');
    const button = page.getByRole('button', { name: 'Send me a code' });
    // It is grey until there is an address to send to, and fades into the accent, which is lighter on dark.
    const color = () => button.evaluate((element) => getComputedStyle(element).backgroundColor);
    await expect.poll(color).toBe(dark ? 'rgb(181, 141, 205)' : 'rgb(106, 27, 154)');
    expect(await watched.axe()).toEqual([]);
    await signIn(watched, stack, adminAddress);
    await page.getByTestId('status-sentence').waitFor();
    await watched.shot(dark ? 'branding-dark' : 'branding');
    expect(await watched.axe()).toEqual([]);
    expect(watched.problems).toEqual([]);
    await watched.close();
  });
});
