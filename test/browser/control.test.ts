import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { launchBrowser, signIn, Watched } from './browser.ts';
import { shop } from './fleet.ts';
import { adminAddress, Stack, userAddress } from './stack.ts';

let stack: Stack;
let browser: Browser;
let watched: Watched;

beforeAll(async () => {
  stack = await Stack.start({ objects: shop });
  await stack.fastUntil(() => stack.allReady());
  browser = await launchBrowser();
  watched = await Watched.open(browser, stack.url);
  await signIn(watched, stack, adminAddress);
});

beforeEach(async () => {
  await watched.page.goto(`${stack.url}/#/control`);
  await watched.page.getByRole('heading', { name: 'Manual Control' }).waitFor();
});

afterEach(() => expect(watched.problems).toEqual([]));

afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

const button = (name: string) => watched.page.getByRole('button', { name, exact: true });
const chip = (text: string) => watched.page.getByTestId('chips').getByText(text, { exact: true });
const inDialog = (name: string) => watched.page.getByRole('dialog').getByRole('button', { name, exact: true });

describe('manual control', () => {
  it('says what a hibernation will change, and hibernates', async () => {
    const { page } = watched;
    await button('Trigger Manual Hibernation').click();
    await page.getByText('5 workloads will be scaled to zero or suspended').waitFor();
    await page.getByText('1 workload will be left alone.').waitFor();
    await watched.shot('hibernate-confirm');
    expect(await watched.axe()).toEqual([]);
    await inDialog('Trigger Manual Hibernation').click();
    await page.getByTestId('toast').getByText('The cluster goes to sleep.').waitFor();
    await stack.fastUntil(() => stack.replicas('shop', 'cart') === 0 && stack.replicas('shop', 'orders-cache') === 0);
    await stack.fastUntil(
      async () => (await page.getByTestId('status-sentence').textContent())?.startsWith('Hibernated') === true,
    );
    expect(await page.title()).toBe('Hibernated · demo');
    expect(await button('Trigger Manual Hibernation').isDisabled()).toBe(true);
    await page.getByText('The cluster is hibernated already.').waitFor();
    expect(stack.replicas('shop', 'payouts')).toBe(2);
    await watched.shot('hibernated');
  });

  it('wakes the cluster, and only moves the expiry when it runs already', async () => {
    const { page } = watched;
    await button('Wake Up Resources').click();
    await page.getByText('5 workloads will be brought back to the recorded count').waitFor();
    await inDialog('Wake Up Resources').click();
    await stack.fastUntil(
      async () => (await page.getByTestId('status-sentence').textContent())?.includes('5 of 5 up') === true,
    );
    expect(stack.replicas('shop', 'storefront')).toBe(3);

    await button('Keep awake until …').click();
    await page.getByText('The cluster already runs: no workload changes').waitFor();
    await page.getByLabel('Awake until (Europe/Berlin)').fill('2026-11-03T01:00');
    await page.getByText(/^Give a time that is still to come: it is 2026-11-03 \d\d:\d\d now\.$/).waitFor();
    expect(await inDialog('Keep awake').isDisabled()).toBe(true);
    await page.getByLabel('Awake until (Europe/Berlin)').fill('2026-11-03T23:30');
    await inDialog('Keep awake').click();
    const toast = page.getByTestId('toast');
    // It goes after eight seconds of a busy machine too, and keeps while the pointer rests on it.
    await toast.hover();
    await toast.getByText('The cluster already runs; it stays awake until').waitFor();
    await toast.getByText('Tue 3 Nov 2026, 23:30 (Europe/Berlin)').waitFor();
    await watched.shot('renewal-toast');
    for (const dark of [false, true]) {
      await watched.look({ name: 'toast', dark, width: 1280, height: 900 });
      expect(await watched.contrast('[data-testid=toast]')).toEqual([]);
    }
    await watched.shot('renewal-toast-dark', { whole: false });
    await watched.look({ name: 'light', dark: false, width: 1280, height: 900 });
    await page.goto(`${stack.url}/#/activity`);
    await page.getByRole('link', { name: 'Wake Made No Changes' }).first().waitFor();
    await watched.shot('activity');
  });

  it('stands down, shows who did and that everything is back, and ends it', async () => {
    const { page } = watched;
    await button('Trigger Manual Hibernation').click();
    await inDialog('Trigger Manual Hibernation').click();
    await stack.fastUntil(() => stack.replicas('shop', 'cart') === 0);
    await stack.fastUntil(
      async () => (await page.getByTestId('status-sentence').textContent())?.startsWith('Hibernated') === true,
    );
    await button('Stand down').click();
    await page.getByTestId('what-changes').getByText('Everything that was scaled down is handed back').waitFor();
    await page.getByLabel('Reason (optional)').fill('see https://example.com/incident');
    await page.getByText('The reason must not contain a URL.').waitFor();
    expect(await inDialog('Stand down').isDisabled()).toBe(true);
    await page.getByLabel('Reason (optional)').fill('payments incident');
    await watched.shot('stand-down-confirm');
    await inDialog('Stand down').click();
    await chip('Not scaling - stood down by ada@example.com').waitFor();
    await page
      .getByTestId('stand-down')
      .getByText(/Running:|Finished:/)
      .waitFor();
    await watched.shot('stood-down-at-first');
    await stack.fastUntil(() => page.getByText('Finished: everything that was scaled down is back.').isVisible());
    expect(stack.replicas('shop', 'cart')).toBe(2);
    await page.getByTestId('stand-down').getByText('payments incident').waitFor();
    for (const act of ['Wake Up Resources', 'Trigger Manual Hibernation', 'Resume Schedule']) {
      expect(await button(act).isDisabled()).toBe(true);
    }
    await watched.shot('stood-down-finished');
    expect(await watched.axe()).toEqual([]);
    await button('End stand-down').click();
    await inDialog('End stand-down').click();
    await button('Stand down').waitFor();
    await chip('Not scaling - stood down by ada@example.com').waitFor({ state: 'detached' });
  });

  it('has no button to end a stand-down of the configuration', async () => {
    const { page } = watched;
    stack.configure({ global: { enabled: false } });
    await chip('Not scaling - stood down by configuration').waitFor();
    await page.getByText('no button here can end it').waitFor();
    expect(await button('End stand-down').count()).toBe(0);
    await watched.shot('stood-down-by-configuration');
    expect(await watched.axe()).toEqual([]);
    stack.configure({});
    await button('Stand down').waitFor();
  });

  it('shows others why they may not', async () => {
    const other = await Watched.open(browser, stack.url);
    await signIn(other, stack, userAddress);
    await other.page.goto(`${stack.url}/#/control`);
    await other.page.getByText('Only an admin may do this.').first().waitFor();
    expect(await other.page.getByRole('button', { name: 'Stand down', exact: true }).isDisabled()).toBe(true);
    await other.shot('not-an-admin');
    for (const path of ['wake', 'resources', 'activity/some-entry']) {
      await other.page.goto(`${stack.url}/#/${path}`);
      await other.page.getByText('This page is for admins. You are signed in as bob@example.com').waitFor();
      expect(await other.page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
    }
    expect(other.problems).toEqual([]);
    await other.close();
  });
});
