import type { Browser, Page, Request } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Auth, endpointIds, endpoints } from '../../src/contract/endpoints.ts';
import { launchBrowser, signIn, Watched } from './browser.ts';
import { shop } from './fleet.ts';
import { matrixRoutes } from './matrix/routes.ts';
import { adminAddress, Stack } from './stack.ts';

let stack: Stack;
let browser: Browser;

beforeAll(async () => {
  // Anybody with a mail address may sign in, and is nobody of the company for it.
  stack = await Stack.start({
    objects: shop,
    config: { auth: { adminUsers: [adminAddress], allowedEmailDomains: [], webauthn: { enabled: true } } },
  });
  await stack.fastUntil(() => stack.allReady());
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

/** What a page asks the API for, by who may: a request that is no route at all is one that nobody may. */
class Asked {
  readonly all: string[] = [];
  readonly #page: Page;
  readonly #open = new Set<Request>();

  constructor(page: Page) {
    this.#page = page;
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (pathname.startsWith('/api/')) this.all.push(`${request.method()} ${pathname}`);
      // The stream of events has no end.
      if (pathname !== endpoints.events.path) this.#open.add(request);
    });
    page.on('requestfinished', (request) => this.#open.delete(request));
    page.on('requestfailed', (request) => this.#open.delete(request));
  }

  /** The page has been drawn, everything that it asked for has been answered, and it has been drawn with that. */
  async settle(): Promise<void> {
    for (let turn = 0; turn < 2; turn++) {
      await this.#page.evaluate(
        () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
      );
      await expect.poll(() => this.#open.size, { timeout: 20_000 }).toBe(0);
    }
  }

  /** Those that are for others than these. */
  beyond(...allowed: readonly Auth[]): readonly string[] {
    return this.all.filter((request) => {
      const auth = authOf(request);
      return auth === undefined || !allowed.includes(auth);
    });
  }
}

function authOf(request: string): Auth | undefined {
  const id = endpointIds.find((one) => {
    const { method, path } = endpoints[one];
    return new RegExp(`^${method} ${path.replace(/\{\w+\}/g, '[^/]+')}$`).test(request);
  });
  return id === undefined ? undefined : endpoints[id].auth;
}

describe('the web app of who is not signed in', () => {
  it('asks for nothing that needs a sign-in, whatever page is opened', async () => {
    const watched = await Watched.open(browser, stack.url);
    const { page } = watched;
    // Whether somebody is signed in is asked for once a page: nobody is.
    watched.expectProblem(/status of 401 .*\/auth\/refresh/);
    const asked = new Asked(page);
    for (const { at } of matrixRoutes()) {
      await page.goto('about:blank');
      await page.goto(`${stack.url}/#${at}`);
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      await asked.settle();
    }
    await page.goto(`${stack.url}/#/?origin=${encodeURIComponent('https://shop.example.com/')}`);
    await page.getByTestId('visitor-status').waitFor();
    await asked.settle();
    expect(asked.beyond('none')).toEqual([]);
    expect(new Set(asked.all)).toContain('GET /api/v1/branding');
    expect(watched.problems).toEqual([]);
    await watched.close();
  });

  it('asks for nothing more once somebody has signed out', async () => {
    const watched = await Watched.open(browser, stack.url);
    watched.expectProblem(/status of 401 .*\/auth\/refresh/);
    const { page } = watched;
    await signIn(watched, stack, adminAddress);
    await page.goto(`${stack.url}/#/calendar`);
    await page.getByRole('heading', { name: 'Calendar' }).waitFor();
    await page.getByRole('button', { name: 'Account' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    const asked = new Asked(page);
    // What was shown before would be asked for again when a person comes back to the window.
    await page.evaluate(() => globalThis.dispatchEvent(new Event('focus')));
    await page.goto(`${stack.url}/#/`);
    await page.reload();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await asked.settle();
    expect(asked.beyond('none')).toEqual([]);
    expect(watched.problems).toEqual([]);
    await watched.close();
  });
});

describe('the web app of a stranger who is signed in', () => {
  it('asks for nothing that is for people of the company or for admins', async () => {
    const watched = await Watched.open(browser, stack.url);
    watched.expectProblem(/status of 401 .*\/auth\/refresh/);
    const { page } = watched;
    const asked = new Asked(page);
    await signIn(watched, stack, 'mallory@elsewhere.example');
    for (const { at } of matrixRoutes()) {
      await page.goto(`${stack.url}/#${at}`);
      await page.getByRole('main').waitFor();
      await asked.settle();
    }
    expect(asked.beyond('none', 'signed-in')).toEqual([]);
    expect(watched.problems).toEqual([]);
    await watched.close();
  });
});
