import type { Browser, Route } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { launchBrowser, signIn, Watched } from './browser.ts';
import { shop } from './fleet.ts';
import { PageTime } from './page-time.ts';
import { Stack, until } from './stack.ts';

/** One for each test: a person may ask for so many codes an hour only. */
const admins = Array.from({ length: 30 }, (_, index) => `admin-${index}@example.com`);
let next = 0;

let stack: Stack;
let browser: Browser;
let watched: Watched;
let time: PageTime;

beforeAll(async () => {
  stack = await Stack.start({ objects: shop, config: { auth: { adminUsers: admins } } });
  await stack.fastUntil(() => stack.allReady());
  browser = await launchBrowser();
});

beforeEach(async () => {
  watched = await Watched.open(browser, 'about:blank', {}, [new URL(stack.url).host]);
  // The network is what these tests take away; the browser notes each request that misses it.
  watched.expectProblem(/net::ERR_/);
  time = await PageTime.install(watched.page);
  await watched.page.goto(stack.url);
  await signIn(watched, stack, admins[next++]!);
});

afterEach(async () => {
  expect(watched.problems).toEqual([]);
  await watched.close();
});

afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

const inDialog = (name: string) => watched.page.getByRole('dialog').getByRole('button', { name, exact: true });
const statusAnswer = () =>
  watched.page.waitForResponse((response) => response.url().endsWith('/hibernation/status') && response.ok());

/** Every request of the page that asks the API to change something. */
function acts(): readonly string[] {
  const sent: string[] = [];
  watched.page.on('request', (request) => {
    if (request.method() !== 'GET' && !request.url().includes('/auth/')) sent.push(request.url());
  });
  return sent;
}

describe('an act without a connection', () => {
  it.each([
    ['hibernate', 'Trigger Manual Hibernation'],
    ['keep-awake', 'Keep awake'],
  ])('%s fails at once, and is never sent later', async (act, confirm) => {
    const { page, context } = watched;
    await page.goto(`${stack.url}/#/control?act=${act}`);
    await inDialog(confirm).waitFor();
    const sent = acts();
    await context.setOffline(true);
    await inDialog(confirm).click();
    await page.getByRole('dialog').getByText('This browser is offline. Nothing was sent').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.goto(`${stack.url}/#/`);
    const back = statusAnswer();
    await context.setOffline(false);
    await back;
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    expect(sent).toEqual([]);
    expect([stack.state('manual_hibernation') ?? '', stack.state('wake_override') ?? '']).toEqual(['', '']);
  });

  it('that gets no answer fails in time, says that it is not known, and can be left meanwhile', async () => {
    const { page } = watched;
    await page.route('**/api/v1/hibernation/trigger', () => undefined);
    await page.goto(`${stack.url}/#/control?act=hibernate`);
    const asked = page.waitForRequest((request) => request.method() === 'POST');
    await inDialog('Trigger Manual Hibernation').click();
    await asked;
    await page.clock.fastForward(16_000);
    await page.getByRole('dialog').getByText('No answer came within 15 seconds').waitFor();
    await page.getByRole('dialog').getByText('It is not known whether this was done').waitFor();
    expect(await inDialog('Trigger Manual Hibernation').isEnabled()).toBe(true);

    const again = page.waitForRequest((request) => request.method() === 'POST');
    await inDialog('Trigger Manual Hibernation').click();
    await again;
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByTestId('toast').getByText('It is not known whether this was done').waitFor();
  });
});

describe('an act whose answer comes late', () => {
  it('does not take whoever has gone on to another page back', async () => {
    const { page } = watched;
    const held = Promise.withResolvers<void>();
    await page.route('**/api/v1/wake/up', async (route) => {
      await held.promise;
      await route.continue();
    });
    await page.goto(`${stack.url}/#/control?act=keep-awake`);
    const asked = page.waitForRequest('**/api/v1/wake/up');
    await inDialog('Keep awake').click();
    await asked;
    await page.goto(`${stack.url}/#/calendar`);
    await page.getByRole('heading', { name: 'Calendar', level: 1 }).waitFor();
    held.resolve();
    await page.getByTestId('toast').getByText('The cluster already runs; it stays awake until').waitFor();
    expect(new URL(page.url()).hash).toBe('#/calendar');
  });
});

describe('a screen without answers', () => {
  const card = () => watched.page.getByTestId('status-sentence');

  it('says at once that it is not live, then how old it is, and after a minute shows no state', async () => {
    const { page, context } = watched;
    await card().waitFor();
    // The answer may come before the stream stands.
    await page.getByTestId('not-live').waitFor({ state: 'detached' });
    await page
      .getByTestId('as-of')
      .getByText(/^As of \d\d:\d\d:\d\d \(Europe\/Berlin\)$/)
      .waitFor();
    await context.setOffline(true);
    await page.getByTestId('not-live').waitFor();
    await page.clock.runFor(36_000);
    await page
      .getByTestId('as-of')
      .getByText(/^Not current: no answer for 3\d s\. As of/)
      .waitFor();
    await watched.shot('not-current');
    expect(await watched.axe()).toEqual([]);
    await page.clock.runFor(25_000);
    await page.getByText('This is not known now').first().waitFor();
    expect(await card().count()).toBe(0);
    expect(await page.title()).toMatch(/^Unknown/);
    await watched.shot('not-known');
    await page.goto(`${stack.url}/#/control`);
    await page.getByText('The status cannot be read, so nothing can be decided from here.').first().waitFor();
    expect(await page.getByRole('button', { name: 'Stand down', exact: true }).isDisabled()).toBe(true);

    await context.setOffline(false);
    await card().waitFor();
    await page.getByTestId('not-live').waitFor({ state: 'detached' });
  });

  it('does not take a request that hangs for an answer', async () => {
    const { page } = watched;
    await card().waitFor();
    await time.hang('**/api/v1/hibernation/status');
    await time.pass(61_000);
    await page.getByText('This is not known now').first().waitFor();
    expect(await card().count()).toBe(0);
  });
});

describe('a screen of which one answer is missing', () => {
  it.each([
    ['is refused', (route: Route) => route.fulfill({ status: 500, json: { code: 'read_failed', message: 'No.' } })],
    ['hangs', () => undefined],
  ])('says that how the last wake ended is not known while the log %s', async (_, answer) => {
    const { page } = watched;
    watched.expectProblem(/500/);
    const overline = page.getByRole('paragraph').filter({ hasText: /^Awake$/ });
    const isGreen = async () => {
      const color = await overline.evaluate((element) => getComputedStyle(element).color);
      const [red = 0, green = 0, blue = 0] = color.match(/\d+/g)?.map(Number) ?? [];
      return green > red && green > blue;
    };
    await until(isGreen);
    await page.route('**/api/v1/audit?*', answer);
    await page.reload();
    await overline.waitFor();
    await page.clock.runFor(16_000);
    await page
      .getByTestId('ending-unknown')
      .getByText('How the last wake ended is not known: the log cannot be read.')
      .waitFor();
    expect(await isGreen()).toBe(false);
  });

  it('does not show tonight as current after a minute without an answer', async () => {
    const { page } = watched;
    await page.goto(`${stack.url}/#/tonight`);
    await page.getByText('would be scaled to zero').first().waitFor();
    await time.hang('**/api/v1/preview');
    await time.pass(61_000);
    await page.getByText('This is not known now').first().waitFor();
    expect(await page.getByText('would be scaled to zero').count()).toBe(0);
  });
});

describe('a page of what changes seldom', () => {
  const pages = [
    ['/settings', 'settings', /^Changed \(\d+\)$/],
    ['/insights', 'insights', /^What sleeps/],
    ['/insights', 'costs', /^What sleeps/],
  ] as const;

  it.each(pages)('%s says how old it is while %s hangs, and shows it all the same', async (path, endpoint, heading) => {
    const { page } = watched;
    const shown = page.getByRole('heading', { name: heading });
    await page.goto(`${stack.url}/#${path}`);
    await shown.waitFor();
    expect(await page.getByTestId('as-of').count()).toBe(0);
    await time.hang(`**/api/v1/${endpoint}`);
    await time.pass(36_000);
    await page
      .getByTestId('as-of')
      .getByText(/^Not current: no answer for \d.*\. As of \d\d:\d\d:\d\d \(Europe\/Berlin\)$/)
      .waitFor();
    expect(await watched.axe()).toEqual([]);
    await page.clock.fastForward(3_600_000);
    await page
      .getByTestId('as-of')
      .getByText(/^Not current: no answer for 1 h 0\d min\. As of/)
      .waitFor();
    await shown.waitFor();
    expect(await page.getByText('This is not known now').count()).toBe(0);
    await watched.shot(`not-current-${endpoint}`);
  });

  it('does not show the fleet as it is now after a minute without an answer', async () => {
    const { page } = watched;
    await page.goto(`${stack.url}/#/insights`);
    await page.getByTestId('fleet').waitFor();
    await time.hang('**/api/v1/insights/fleet');
    await time.pass(36_000);
    await page.getByTestId('as-of').getByText('Not current: no answer for').waitFor();
    await time.pass(25_000);
    await page.getByText('This is not known now').waitFor();
    expect(await page.getByTestId('fleet').count()).toBe(0);
  });

  it.each(pages)('%s asks for %s again when it comes back to the front', async (path, endpoint, heading) => {
    const { page } = watched;
    const show = (state: 'hidden' | 'visible') =>
      page.evaluate((is) => {
        Object.defineProperty(document, 'hidden', { configurable: true, value: is === 'hidden' });
        Object.defineProperty(document, 'visibilityState', { configurable: true, value: is });
        document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
      }, state);
    await page.goto(`${stack.url}/#${path}`);
    await page.getByRole('heading', { name: heading }).waitFor();
    await time.answered();
    await show('hidden');
    await page.clock.fastForward(3_600_000);
    await page.getByTestId('as-of').waitFor();
    const again = page.waitForResponse((response) => response.url().endsWith(`/${endpoint}`) && response.ok());
    await show('visible');
    await again;
    await page.getByTestId('as-of').waitFor({ state: 'detached' });
  });
});

/** By somebody else: the page that is looked at hears of it by the stream alone. */
async function standDown(button: 'Stand down' | 'End stand-down'): Promise<void> {
  const other = await watched.context.newPage();
  await other.goto(`${stack.url}/#/control`);
  await other.getByRole('button', { name: button, exact: true }).click();
  await other.getByRole('dialog').getByRole('button', { name: button, exact: true }).click();
  await other.getByRole('dialog').waitFor({ state: 'detached' });
  await other.close();
}

describe('tonight', () => {
  it('follows a stand-down while it is looked at', async () => {
    const { page } = watched;
    await page.goto(`${stack.url}/#/tonight`);
    await page.getByText('would be scaled to zero').waitFor();
    expect(await page.getByTestId('nothing-tonight').count()).toBe(0);
    const again = page.waitForResponse((response) => response.url().endsWith('/preview') && response.ok());
    await standDown('Stand down');
    await again;
    await page
      .getByTestId('nothing-tonight')
      .getByText(/^Nothing would be scaled: stood down by admin-\d+@example\.com since/)
      .waitFor();
    await watched.shot('tonight-stood-down');
    expect(await watched.axe()).toEqual([]);
    await standDown('End stand-down');
    await page.getByTestId('nothing-tonight').waitFor({ state: 'detached' });
  });
});

describe('a page that was never opened', () => {
  it('says that it needs the connection, and comes by itself when it is back', async () => {
    const { page, context } = watched;
    await page.getByTestId('status-sentence').waitFor();
    await context.setOffline(true);
    await page.goto(`${stack.url}/#/insights`);
    await page.getByText('This browser is offline. The page is fetched as soon as it is back.').waitFor();
    await watched.shot('page-not-fetched');
    await context.setOffline(false);
    await page.getByRole('heading', { name: 'Insights', level: 1 }).waitFor();
  });
});

describe('a sign-out without a connection', () => {
  it('says that the session is not ended, and does not end it', async () => {
    const { page, context } = watched;
    const signOut = async () => {
      await page.getByRole('button', { name: 'Account', exact: true }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
    };
    await context.setOffline(true);
    await signOut();
    await page.getByTestId('toast').getByText('You are still signed in: the session is not ended.').waitFor();
    await context.setOffline(false);
    await page.route('**/api/v1/auth/logout', (route) => route.abort());
    await signOut();
    await page.getByTestId('toast').getByText('it is not known whether the session is ended').waitFor();
    expect(await page.getByRole('heading', { name: 'Overview', level: 1 }).count()).toBe(1);
    await page.unroute('**/api/v1/auth/logout');
    await signOut();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  });
});

describe('a transition without the stream', () => {
  it('is followed by asking, and says so when it is older than that', async () => {
    const { page, context } = watched;
    await page.route('**/api/v1/events', (route) => route.abort());
    await page.goto(`${stack.url}/#/wake`);
    await page.reload();
    await page.getByText('Nothing is moving').waitFor();
    const other = await context.newPage();
    await other.goto(`${stack.url}/#/control?act=hibernate`);
    await other.getByRole('dialog').getByRole('button', { name: 'Trigger Manual Hibernation', exact: true }).waitFor();
    // It is not over before it is looked at, however long that takes.
    const free = stack.cluster.api.faults.add({
      match: ({ verb, resource }) => verb === 'patch' && resource === 'deployments.apps',
      effect: { kind: 'delay', ms: 600_000 },
    });
    await other.getByRole('dialog').getByRole('button', { name: 'Trigger Manual Hibernation', exact: true }).click();
    await other.getByRole('dialog').waitFor({ state: 'detached' });
    await other.close();
    await time.passUntil(page.getByText('Began', { exact: true }));
    await time.hang('**/api/v1/wake/status');
    await time.pass(36_000);
    await page.getByTestId('as-of').getByText('Not current: no answer for').waitFor();
    free();
  });
});
