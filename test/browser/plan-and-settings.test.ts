import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demoConfig } from '../../demo/fleet/demo-config.ts';
import { launchBrowser, signIn, Watched } from './browser.ts';
import { shop } from './fleet.ts';
import { adminAddress, Stack } from './stack.ts';

let stack: Stack;
let browser: Browser;
let watched: Watched;

beforeAll(async () => {
  const config = { ...demoConfig(), holidays: { regions: ['DE', 'AT'], act: true } };
  stack = await Stack.start({ objects: shop, config, controller: false });
  browser = await launchBrowser();
  watched = await Watched.open(browser, stack.url);
});

afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

const open = (path: string) => watched.page.goto(`${stack.url}/#${path}`);

describe('before anybody is signed in', () => {
  it('a passkey is not offered while passkeys are off', async () => {
    const { page } = watched;
    await page.getByLabel('E-mail address').waitFor();
    await page.waitForLoadState('networkidle');
    expect(await page.getByRole('button', { name: 'Use a passkey' }).count()).toBe(0);
    const other = await Stack.start({
      controller: false,
      config: { auth: { webauthn: { enabled: true }, adminUsers: [] } },
    });
    const there = await Watched.open(browser, other.url);
    await there.page.getByRole('button', { name: 'Use a passkey' }).waitFor();
    await there.close();
    await other.stop();
    await signIn(watched, stack, adminAddress);
  });
});

describe('the calendar', () => {
  it('names holidays with their region, and takes other hours for one of them', async () => {
    const { page } = watched;
    await open('/calendar');
    const row = page.getByRole('row').filter({ hasText: '2026-12-08' }).first();
    await row.getByText('Immaculate Conception (AT)').waitFor();
    await watched.shot('calendar-special-dates');
    await row.getByRole('button', { name: 'Set hours for 2026-12-08' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Hours (Europe/Berlin)').fill('10:00-12:00');
    await dialog.getByLabel(/Reason/).fill('stocktaking');
    await dialog.getByRole('button', { name: 'Set these hours' }).click();
    await row.getByText('Other hours: stocktaking').waitFor();
    await row.getByText('10:00-12:00').waitFor();
    expect(await watched.axe()).toEqual([]);
    expect(watched.problems).toEqual([]);
  });

  it('can be subscribed to, at an address that can be revoked', async () => {
    const { page } = watched;
    await open('/calendar');
    await page.getByRole('button', { name: 'Make an address' }).click();
    await page.getByLabel('Name of the program or device (optional)').fill('phone');
    await page.getByRole('button', { name: 'Make the address' }).click();
    const address = (await page.getByTestId('calendar-address').textContent()) ?? '';
    expect(address).toMatch(new RegExp(`^${stack.url}/api/v1/calendar/[\\w-]{43}/hibernation\\.ics$`));
    const read = async () => {
      const answer = await fetch(address);
      return [answer.status, answer.headers.get('content-type'), await answer.text()] as const;
    };
    const [status, type, text] = await read();
    expect([status, type]).toEqual([200, 'text/calendar; charset=utf-8']);
    expect(text).toContain('SUMMARY:demo has other hours: 10:00-12:00\r\n');
    expect(await watched.axe()).toEqual([]);
    await watched.shot('calendar-address');
    await page.getByRole('row').filter({ hasText: 'phone' }).getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke', exact: true }).click();
    await page.getByText('You have made no address yet.').waitFor();
    expect(await page.getByText('Subscribe to this address.').count()).toBe(0);
    expect((await read())[0]).toBe(404);
    expect(watched.problems).toEqual([]);
  });
});

describe('settings', () => {
  it('begin with what was changed and are a few screens long; the rest opens', async () => {
    const { page } = watched;
    await open('/settings');
    await page.getByRole('heading', { name: /^Changed \(\d+\)$/ }).waitFor();
    const height = await page.evaluate(() => document.documentElement.scrollHeight);
    expect(height).toBeLessThan(5_000);
    const section = page.getByRole('button', { name: /^Operations/ });
    expect(await section.getAttribute('aria-expanded')).toBe('false');
    await section.click();
    await page.getByText('operations.logLevel', { exact: true }).waitFor();
    expect(await watched.axe()).toEqual([]);
    await watched.shot('settings-open');
  });

  it('are found by the palette, with value, default and what a change does', async () => {
    const { page } = watched;
    await open('/');
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('holidays act');
    await page.getByRole('option', { name: /holidays\.act/ }).click();
    await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
    await page.getByText('holidays.act', { exact: true }).waitFor();
    await page
      .getByText(/A change holds at once\./)
      .first()
      .waitFor();
    await page.getByText('Default:').first().waitFor();
    expect(await page.getByText('operations.logLevel', { exact: true }).count()).toBe(0);
    expect(watched.problems).toEqual([]);
  });
});
