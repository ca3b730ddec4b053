import { readFile } from 'node:fs/promises';
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
  await signIn(watched, stack, adminAddress);
});

afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

describe('the keyboard', () => {
  it('finds a page with Ctrl-K and opens it', async () => {
    const { page } = watched;
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Find a page, an act, a workload or a setting' }).fill('resources');
    await page.getByRole('option', { name: 'Wake Up Resources' }).waitFor();
    await watched.shot('palette');
    expect(await watched.axe()).toEqual([]);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Resources', level: 1 }).waitFor();
  });

  it('finds a workload with Ctrl-K, and says why it is what it is', async () => {
    const { page } = watched;
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Find a page, an act, a workload or a setting' }).fill('storefr');
    await page.getByRole('option', { name: 'shop/storefront' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'shop/storefront', level: 1 }).waitFor();
    await page.getByTestId('why').getByText('The service scales it').waitFor();
  });

  it('shows its keys with ?, and goes by two letters', async () => {
    const { page } = watched;
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor();
    await watched.shot('keys');
    expect(await watched.axe()).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor({ state: 'detached' });
    await page.keyboard.press('g');
    await page.keyboard.press('c');
    await page.getByRole('heading', { name: 'Calendar' }).waitFor();
  });

  it('sets other hours for a date, checked while they are typed, and the calendar shows them', async () => {
    const { page } = watched;
    await page.goto(`${stack.url}/#/calendar?set=1&date=2026-11-05`);
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Hours (Europe/Berlin)').fill('8:00-23:00');
    await dialog.getByText('is not a time: write HH:MM').waitFor();
    expect(await dialog.getByRole('button', { name: 'Set these hours' }).isDisabled()).toBe(true);
    await dialog.getByLabel('Hours (Europe/Berlin)').fill('08:00-23:00');
    await dialog.getByLabel('Reason (optional)').fill('Release night');
    await dialog.getByRole('button', { name: 'Set these hours' }).click();
    await page.getByRole('cell', { name: '2026-11-05', exact: true }).waitFor();
    await page.getByRole('button', { name: /2026-11-05.*08–23.*Release night/ }).waitFor();
    await watched.shot('calendar-override');
    expect(await watched.axe()).toEqual([]);
  });

  it('hands the activity over as a file', async () => {
    const { page } = watched;
    await page.goto(`${stack.url}/#/activity`);
    await page.getByRole('link', { name: 'Schedule Override Set' }).waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('audit.csv');
    expect(await readFile(await download.path(), 'utf8')).toContain('Schedule Override Set');
    expect(watched.problems).toEqual([]);
  });
});
