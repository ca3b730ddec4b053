import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askForCode, launchBrowser, Watched } from './browser.ts';
import { shop } from './fleet.ts';
import { Stack, userAddress } from './stack.ts';

const host = 'shop.example.test';
let stack: Stack;
let browser: Browser;
let ingress: Server;
let shopUp = false;

/** As an ingress does it: to the shop while it runs, to the service while it sleeps. */
function startIngress(): Promise<number> {
  ingress = createServer((incoming, outgoing) => {
    if (shopUp) {
      outgoing.writeHead(200, { 'content-type': 'text/html' }).end(`<title>Shop</title><h1>Shop ${incoming.url}</h1>`);
      return;
    }
    const { port } = new URL(stack.url);
    const passed = request({ host: '127.0.0.1', port, path: incoming.url, headers: incoming.headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    passed.end();
  });
  return new Promise((resolve) => ingress.listen(0, () => resolve((ingress.address() as AddressInfo).port)));
}

let origin: string;

beforeAll(async () => {
  stack = await Stack.start({
    objects: shop,
    config: { urlReadinessCheck: { enabled: true, intervalSeconds: 1, consecutiveThreshold: 2 } },
    outbound: {
      resolve: async () => ['93.184.216.34'],
      get: async () => ({ status: shopUp ? 200 : 503 }),
    },
  });
  origin = `http://${host}:${await startIngress()}`;
  browser = await launchBrowser({ [host]: '127.0.0.1' });
});

afterAll(async () => {
  await browser?.close();
  ingress?.close();
  await stack?.stop();
});

describe('a visitor of a sleeping address', () => {
  it('is sent to the own address, waits there for the readiness check, and is taken back to the same path', async () => {
    const hosts = [new URL(stack.url).host];
    const watched = await Watched.open(browser, `${origin}/cart?item=7%26b`, {}, hosts);
    const { page } = watched;
    // The shop is plain http, where browsers leave out this header and say so.
    watched.expectProblem(/Cross-Origin-Opener-Policy header has been ignored/);
    watched.expectProblem(/favicon/);
    expect(page.url()).toBe(`${stack.url}/#/?origin=${encodeURIComponent(`${origin}/cart?item=7%26b`)}`);
    await page.getByRole('heading', { name: `${new URL(origin).host} is not answering yet` }).waitFor();
    await page.getByTestId('visitor-status').getByText('demo: Awake').waitFor();
    await watched.shot('visitor');
    expect(await watched.axe()).toEqual([]);

    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByLabel('Code').fill((await askForCode(watched, stack, userAddress)).code);
    await page.getByText('0 of 2 checks in a row so far').waitFor();
    await watched.shot('visitor-waiting');
    shopUp = true;
    await page.getByRole('heading', { name: 'Shop /cart?item=7%26b' }).waitFor();
    expect(page.url()).toBe(`${origin}/cart?item=7%26b`);
    await watched.shot('visitor-back');
    expect(watched.problems).toEqual([]);
    await watched.close();
  });

  it('is sent nowhere by an address that is none, or that pretends to be another', async () => {
    const watched = await Watched.open(browser, stack.url);
    const { page } = watched;
    for (const bad of [
      'javascript:alert(1)',
      '//evil.example/',
      'https://shop.example.com@evil.example/',
      'https://evil.example\\@shop.example.com/',
      'data:text/html,hello',
    ]) {
      await page.goto(`${stack.url}/#/`);
      await page.getByText('Nobody is sent there.').waitFor({ state: 'detached' });
      await page.goto(`${stack.url}/#/?origin=${encodeURIComponent(bad)}`);
      await page.getByText('Nobody is sent there.').waitFor();
      expect([bad, await page.locator('a[href^="javascript"], a[href*="evil"], a[href^="data"]').count()]).toEqual([
        bad,
        0,
      ]);
    }
    expect(watched.problems).toEqual([]);
    await watched.close();
  });
});
