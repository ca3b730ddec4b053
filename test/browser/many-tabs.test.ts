import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser, signIn, Watched } from './browser.ts';
import { shop } from './fleet.ts';
import { adminAddress, Stack, until } from './stack.ts';

/** More than the six connections that a browser grants a server over HTTP/1.1. */
const many = 8;
let stack: Stack;
let browser: Browser;
let watched: Watched;
let streams = 0;
const tabs: Page[] = [];

beforeAll(async () => {
  stack = await Stack.start({ objects: shop });
  await stack.fastUntil(() => stack.allReady());
  browser = await launchBrowser();
  watched = await Watched.open(browser, 'about:blank', {}, [new URL(stack.url).host]);
  watched.context.on('request', (request) => {
    if (request.url().endsWith('/api/v1/events')) streams += 1;
  });
  await watched.page.goto(stack.url);
  await signIn(watched, stack, adminAddress);
  tabs.push(watched.page);
});

afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

const live = (page: Page) => page.getByTestId('not-live').waitFor({ state: 'detached' });

async function act(page: Page, button: 'Stand down' | 'End stand-down'): Promise<void> {
  await page.bringToFront();
  await page.goto(`${stack.url}/#/control`);
  await page.getByRole('button', { name: button, exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: button, exact: true }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
}

describe('many tabs of one browser', () => {
  it('all load, and all are live by one stream', async () => {
    while (tabs.length < many) {
      const tab = await watched.context.newPage();
      tabs.push(tab);
      await tab.goto(`${stack.url}/#/`);
      await tab.getByTestId('status-sentence').waitFor();
    }
    await Promise.all(tabs.map(live));
    expect(streams).toBe(1);
  });

  it('are told at once what one of them does', async () => {
    await act(tabs.at(-1)!, 'Stand down');
    await Promise.all(
      tabs.map((tab) =>
        tab
          .getByText(/^Not scaling - stood down by/)
          .first()
          .waitFor(),
      ),
    );
  });

  it('stay live when the one that reads the stream is closed', async () => {
    await tabs.shift()!.close();
    await until(() => streams === 2);
    await Promise.all(tabs.map(live));
    await act(tabs.at(-1)!, 'End stand-down');
    await Promise.all(
      tabs.map((tab) =>
        tab
          .getByText(/^Not scaling - stood down by/)
          .first()
          .waitFor({ state: 'detached' }),
      ),
    );
    expect(streams).toBe(2);
    expect(watched.problems).toEqual([]);
  });
});

describe('many tabs at an address that gives them no locks', () => {
  it('leave the connections to the one in front, which is live', async () => {
    const plain = await browser.newContext({ storageState: await watched.context.storageState() });
    await plain.addInitScript(() => {
      Object.defineProperty(Navigator.prototype, 'locks', { value: undefined });
      Reflect.deleteProperty(Navigator.prototype, 'locks');
    });
    const page = await plain.newPage();
    await page.clock.install();
    await page.goto(stack.url);
    await page.getByTestId('status-sentence').waitFor();
    await live(page);
    const hide = (hidden: boolean) =>
      page.evaluate((is) => {
        Object.defineProperty(document, 'hidden', { configurable: true, value: is });
        document.dispatchEvent(new Event('visibilitychange'));
      }, hidden);
    await hide(true);
    await page.clock.runFor(11_000);
    await page.getByTestId('not-live').waitFor();
    await hide(false);
    await live(page);
    await plain.close();
  });
});

describe('a sign-out in one of two tabs', () => {
  it('takes what the other shows off the screen, without waiting for its next question', async () => {
    const one = await Watched.open(browser, stack.url);
    await signIn(one, stack, adminAddress);
    const other = await one.context.newPage();
    await other.goto(`${stack.url}/#/resources`);
    await other.getByRole('link', { name: 'storefront' }).first().waitFor();
    // From here on it hears of nothing but by the first.
    await other.route('**/api/v1/**', () => undefined);
    await one.page.getByRole('button', { name: 'Account', exact: true }).click();
    await one.page.getByRole('menuitem', { name: 'Sign out' }).click();
    await one.page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await other.getByText('You have signed out in another tab of this browser.').waitFor({ timeout: 10_000 });
    await other.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await other.getByText('storefront').count()).toBe(0);
    expect(await other.getByText(adminAddress).count()).toBe(0);
    expect(one.problems).toEqual([]);
    await one.close();
  });
});
