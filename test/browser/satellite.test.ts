import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFailed } from 'vitest';
import { askForCode, launchBrowser, Watched } from './browser.ts';
import { service, shop } from './fleet.ts';
import { RedirectedService } from './redirected-service.ts';
import { adminAddress, Stack } from './stack.ts';

const host = 'shop.example.test';
let stack: Stack;
let browser: Browser;
let storefront: RedirectedService;
let address: string;

beforeAll(async () => {
  const serviceRedirection = { enabled: true, services: [{ namespace: 'shop', name: 'storefront' }] };
  stack = await Stack.start({ objects: [...shop, service('shop', 'storefront')], config: { serviceRedirection } });
  storefront = new RedirectedService(stack, { namespace: 'shop', name: 'storefront' });
  address = `http://${host}:${await storefront.start()}/cart?item=7&note=a%20b`;
  browser = await launchBrowser({ [host]: '127.0.0.1' });
  await stack.fastUntil(() => stack.allReady());
});

afterAll(async () => {
  await browser?.close();
  await storefront?.stop();
  await stack?.stop();
});

/** A page of the shop; the answer 503 and the header that plain http leaves out are as they should be. */
async function visit(options = {}): Promise<Watched> {
  const watched = await Watched.open(browser, address, options, [new URL(stack.url).host]);
  watched.expectProblem(/status of 503/);
  watched.expectProblem(/Cross-Origin-Opener-Policy header has been ignored/);
  watched.expectProblem(/favicon/);
  return watched;
}

describe("a redirected service's address", () => {
  it('shows the service itself while it runs', async () => {
    const visitor = await visit();
    await visitor.page.getByRole('heading', { name: 'Shop /cart?item=7&note=a%20b' }).waitFor();
    await visitor.close();
  });

  it('shows that it sleeps, wakes, and comes back to the same path and query', async () => {
    // Noon is outside of these hours.
    stack.configure({ workingHours: { schedule: { tuesday: '08:00-11:00' } } });
    await stack.fastUntil(() => stack.replicas('shop', 'storefront') === 0);
    const visitor = await visit();
    const { page } = visitor;
    onTestFailed(() => visitor.shot('failed-satellite'));
    await page.getByRole('heading', { name: 'storefront is asleep' }).waitFor();
    expect(page.url()).toBe(address);
    await page
      .getByText('The cluster demo hibernates outside its working hours, and shop/storefront with it.')
      .waitFor();
    await page.getByText('It is expected back on Wednesday 4 November at 08:00 (Europe/Berlin).').waitFor();
    expect(await page.locator('[aria-current=step]').textContent()).toBe('Asleep');
    await visitor.shot('satellite-asleep');
    expect(await visitor.axe()).toEqual([]);
    for (const [name, options] of [
      ['dark', { dark: true }],
      ['narrow', { width: 320, height: 700 }],
    ] as const) {
      const other = await visit(options);
      await other.page.getByRole('heading', { name: 'storefront is asleep' }).waitFor();
      await other.shot(`satellite-asleep-${name}`);
      expect(await other.axe()).toEqual([]);
      expect(await other.page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
      expect(other.problems).toEqual([]);
      await other.close();
    }

    // The way to wake it leads to the app, with the address to come back to.
    const link = (await page.getByRole('link', { name: 'Wake it up' }).getAttribute('href')) ?? '';
    expect(link).toBe(`${stack.url}#/?origin=${encodeURIComponent(address)}`);
    const waker = await Watched.open(browser, link);
    // The readiness check is off here, and the page for visitors asks whether it is.
    waker.expectProblem(/status of 404 .*url-readiness/);
    onTestFailed(() => waker.shot('failed-waker'));
    await waker.page.getByRole('button', { name: 'Sign in' }).click();
    await waker.page.getByLabel('Code').fill((await askForCode(waker, stack, adminAddress)).code);
    await waker.page.getByRole('button', { name: 'Wake Up Resources' }).click();
    await waker.page.getByRole('dialog').getByRole('button', { name: 'Wake Up Resources' }).click();

    await page.getByRole('heading', { name: 'storefront is waking up' }).waitFor();
    expect(await page.locator('[aria-current=step]').textContent()).toBe('Waking up');
    await page.getByText(/\d of \d workloads are up\./).waitFor();
    expect(await page.getByText('It is expected back on').isVisible()).toBe(false);
    expect(await page.getByText('Waking it needs a sign-in.').isVisible()).toBe(false);
    await page.getByRole('link', { name: 'Watch it wake' }).waitFor();
    await visitor.shot('satellite-waking');
    expect(await visitor.axe()).toEqual([]);

    await stack.fastUntil(() => page.getByRole('heading', { name: 'Shop /cart?item=7&note=a%20b' }).isVisible(), 30);
    expect(page.url()).toBe(address);
    await visitor.shot('satellite-back');
    expect([...visitor.problems, ...waker.problems]).toEqual([]);
    await waker.close();
    await visitor.close();
  });
});
