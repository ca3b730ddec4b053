import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser, signIn, Watched } from './browser.ts';
import { shop } from './fleet.ts';
import { adminAddress, Stack } from './stack.ts';

let stack: Stack;
let browser: Browser;

beforeAll(async () => {
  stack = await Stack.start({ objects: shop, controller: false, path: '/sleep' });
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

describe('an address with a path prefix', () => {
  it('serves the app, its files, the API and the stream under it', async () => {
    const watched = await Watched.open(browser, stack.url);
    const { page } = watched;
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await signIn(watched, stack, adminAddress);
    await page.getByTestId('status-sentence').waitFor();
    // The session's cookie is for the prefix too: a reload goes on.
    await page.reload();
    await page.getByTestId('status-sentence').waitFor();
    await page.goto(`${stack.url}/#/resources`);
    await page.getByText('storefront').first().waitFor();
    await watched.shot('path-prefix');
    expect(asked).toContain('/sleep/api/v1/events');
    expect(asked.filter((path) => !/^\/sleep(\/|$)/.test(path))).toEqual([]);
    expect(watched.problems).toEqual([]);
    await watched.close();
  });

  it('takes who asks for another path of the host for a visitor', async () => {
    const { origin } = new URL(stack.url);
    const watched = await Watched.open(browser, `${origin}/shop?a=1`);
    expect(watched.page.url()).toBe(`${stack.url}#/?origin=${encodeURIComponent(`${origin}/shop?a=1`)}`);
    await watched.page.getByRole('heading', { name: `${new URL(origin).host} is not answering yet` }).waitFor();
    expect(watched.problems).toEqual([]);
    await watched.close();
  });
});
