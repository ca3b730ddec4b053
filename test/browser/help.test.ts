import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser, signIn, Watched } from './browser.ts';
import { shop } from './fleet.ts';
import { adminAddress, Stack } from './stack.ts';

let stack: Stack;
let browser: Browser;
let watched: Watched;

beforeAll(async () => {
  stack = await Stack.start({ objects: shop });
  browser = await launchBrowser();
  watched = await Watched.open(browser, stack.url);
});

afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

/** Follows the help of the page that is shown and looks at it in its place. */
async function followHelp(title: string): Promise<void> {
  const { page } = watched;
  const href = await page.getByRole('main').getByRole('link', { name: 'Help' }).getAttribute('href');
  await page.goto(`${stack.url}/${href}`);
  await page.getByRole('heading', { level: 1, name: title }).waitFor();
  expect(await watched.axe()).toEqual([]);
}

describe('the help', () => {
  it('of the sign-in is there before anybody is signed in', async () => {
    await watched.page.goto(`${stack.url}/`);
    await followHelp('Mail, sign-in, passkeys and privacy');
    await watched.shot('help-sign-in');
  });

  it('of a page is its document, and leads on and back', async () => {
    const { page } = watched;
    await page.goto(`${stack.url}/`);
    await signIn(watched, stack, adminAddress);
    await page.goto(`${stack.url}/#/calendar`);
    await followHelp('Schedules, overrides and holidays');
    await watched.shot('help-schedules');
    await page.getByRole('link', { name: 'All pages' }).click();
    await page.getByRole('link', { name: 'Wake verdicts and what to do' }).click();
    await page.getByRole('heading', { level: 1, name: 'Why a workload came up' }).waitFor();
    await page.goto(`${stack.url}/#/help/recovery.html?at=when-the-state-cannot-be-read`);
    await page.getByRole('heading', { name: 'When the state cannot be read' }).waitFor();
    expect(watched.problems).toEqual([]);
    await page.goto(`${stack.url}/#/help/none.html`);
    await page.getByText('There is no such page').waitFor();
    await page.getByRole('link', { name: 'Back to the app' }).click();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  });
});
