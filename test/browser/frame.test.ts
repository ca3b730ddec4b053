import type { Browser, Locator } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { launchBrowser, signIn, Watched } from './browser.ts';
import { deployment, namespaces, shop } from './fleet.ts';
import { adminAddress, Stack } from './stack.ts';

const wide = { name: 'wide', dark: false, width: 1280, height: 900 };
const phone = { name: 'phone', dark: false, width: 320, height: 700 };
/** More than a screen of rows. */
const crowd = Array.from({ length: 80 }, (_, index) => deployment('crowd', `one-${index}`, { replicas: 0 }));

let stack: Stack;
let browser: Browser;
let watched: Watched;

beforeAll(async () => {
  stack = await Stack.start({ objects: [...shop, ...namespaces('crowd'), ...crowd] });
  browser = await launchBrowser();
  watched = await Watched.open(browser, stack.url);
  // Some tests take the API away.
  watched.expectProblem(/net::ERR_/);
  await signIn(watched, stack, adminAddress);
});

beforeEach(async () => {
  await watched.page.unrouteAll();
  await watched.look(wide);
});

afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

const palette = () => watched.page.getByRole('combobox', { name: 'Find a page, an act, a workload or a setting' });

async function openPalette(text: string): Promise<void> {
  await watched.page.keyboard.press('Control+k');
  await palette().fill(text);
}

async function open(path: string, heading: string): Promise<void> {
  await watched.page.goto(`${stack.url}/#${path}`);
  await watched.page.getByRole('heading', { name: heading, level: 1 }).waitFor();
}

const box = async (what: Locator) => {
  const { x, y, width, height } = (await what.boundingBox())!;
  return { left: x, top: y, right: x + width, bottom: y + height };
};

describe('the palette', () => {
  it('says that workloads are being looked up, and not that there is none', async () => {
    const { page } = watched;
    await open('/', 'Overview');
    await page.route('**/api/v1/resources?*', () => undefined);
    await openPalette('storefr');
    await page.getByRole('dialog').getByText('Workloads and settings are being looked up').waitFor();
    expect(await page.getByText('Nothing is called that.').count()).toBe(0);
    await page.keyboard.press('Escape');
  });

  it('says that they cannot be looked up while the API is gone', async () => {
    const { page } = watched;
    await page.reload();
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    await page.route('**/api/v1/resources?*', (route) => route.abort());
    await openPalette('storefr');
    await page.getByRole('dialog').getByText('Workloads and settings cannot be looked up now.').waitFor();
    await page.keyboard.press('Escape');
  });

  it('keeps the chosen one in sight', async () => {
    const { page } = watched;
    await openPalette('');
    const list = page.getByRole('listbox', { name: 'Found' });
    const chosen = list.getByRole('option', { selected: true });
    for (const key of [...Array.from({ length: 12 }, () => 'ArrowDown'), 'ArrowUp']) {
      await page.keyboard.press(key);
      const [one, all] = [await box(chosen), await box(list)];
      expect([one.top >= all.top - 1, one.bottom <= all.bottom + 1]).toEqual([true, true]);
    }
    await page.keyboard.press('Escape');
    await list.waitFor({ state: 'detached' });
  });
});

describe('the bar that stays', () => {
  it.each([wide, phone])('covers nothing that has the focus, $name', async (view) => {
    const { page } = watched;
    await open('/tonight', 'Tonight');
    await page.getByText('would be scaled to zero').first().waitFor();
    await watched.look(view);
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    await page.locator('main a, main button').last().focus();
    const covered: string[] = [];
    for (let step = 0; step < 25; step += 1) {
      await page.keyboard.press('Shift+Tab');
      const name = await page.evaluate(() => {
        const [one, bar] = [document.activeElement, document.querySelector('header')];
        if (one === null || bar === null || bar.contains(one) || one.id === 'main' || !one.closest('main')) return '';
        return one.getBoundingClientRect().top < bar.getBoundingClientRect().bottom - 1 ? one.textContent : '';
      });
      if (name) covered.push(name);
    }
    expect(covered).toEqual([]);
  });

  it('leaves the heading in sight for who skips to the page', async () => {
    const { page } = watched;
    await open('/settings', 'Settings');
    await page.evaluate(() => scrollTo(0, 600));
    await page.getByRole('link', { name: 'Skip to the page' }).focus();
    await page.keyboard.press('Enter');
    const [heading, bar] = [await box(page.locator('h1')), await box(page.getByRole('banner'))];
    expect(heading.top).toBeGreaterThanOrEqual(bar.bottom);
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('main');
  });
});

describe('the table of workloads', () => {
  it('shows what has the focus below its head', async () => {
    const { page } = watched;
    await open('/resources', 'Resources');
    const table = page.getByTestId('virtual-rows');
    await table.getByRole('row').nth(3).waitFor();
    await table.evaluate((element) => element.scrollTo(0, 1230));
    await page.waitForFunction(() => document.querySelector('[aria-rowindex="27"]'));
    await page.locator('[aria-rowindex="27"] a').first().focus();
    const covered: number[] = [];
    for (let step = 0; step < 16; step += 1) {
      await page.keyboard.press('Shift+Tab');
      const under = await table.evaluate((element) => {
        const head = element.firstElementChild!.getBoundingClientRect();
        const one = document.activeElement!;
        return !element.firstElementChild!.contains(one) && one.getBoundingClientRect().top < head.bottom - 1;
      });
      if (under) covered.push(step);
    }
    expect(covered).toEqual([]);
  });

  it('keeps the focus when the row that had it scrolls away', async () => {
    const { page } = watched;
    await open('/resources', 'Resources');
    const table = page.getByTestId('virtual-rows');
    await table.evaluate((element) => element.scrollTo(0, 0));
    // The rows follow the scroll a moment later.
    await table.locator('[aria-rowindex="2"] a').first().focus();
    await page.keyboard.press('End');
    await page.waitForFunction(() => document.querySelector('[aria-rowindex="2"]') === null);
    expect(await page.evaluate(() => document.activeElement?.getAttribute('data-testid'))).toBe('virtual-rows');
  });
});

describe('menus and what is nowhere', () => {
  it.each([
    ['Account', wide],
    ['Light or dark', wide],
    ['Open the menu', phone],
  ])('%s: axe finds nothing', async (button, view) => {
    const { page } = watched;
    await open('/', 'Overview');
    await watched.look(view);
    await page.getByRole('button', { name: button, exact: true }).click();
    await page.locator('[role=menu], [role=dialog]').first().waitFor();
    expect(await watched.axe()).toEqual([]);
    await page.keyboard.press('Escape');
  });

  it('an address that is none has a heading, and axe finds nothing', async () => {
    await open('/nowhere', 'There is no such page');
    expect(await watched.axe()).toEqual([]);
  });
});

describe('the two letters that go to a page', () => {
  it('go there whatever is drawn anew between them', async () => {
    const { page, context } = watched;
    await open('/', 'Overview');
    await open('/control', 'Manual Control');
    await page.getByTestId('not-live').waitFor({ state: 'detached' });
    await page.keyboard.press('g');
    await context.setOffline(true);
    await page.getByTestId('not-live').waitFor();
    await page.keyboard.press('o');
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    await context.setOffline(false);
    await page.getByTestId('not-live').waitFor({ state: 'detached' });
  });
});

describe('a confirmation', () => {
  it('is not left by the letters that go to pages', async () => {
    const { page } = watched;
    await open('/control', 'Manual Control');
    await page.goto(`${stack.url}/#/control?act=hibernate`);
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('r');
    expect(new URL(page.url()).hash).toBe('#/control?act=hibernate');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('g');
    await page.keyboard.press('r');
    await page.getByRole('heading', { name: 'Resources', level: 1 }).waitFor();
  });

  it('has its act in one line on the narrowest phone', async () => {
    const { page } = watched;
    await watched.look(phone);
    await page.goto(`${stack.url}/#/control?act=hibernate`);
    const dialog = page.getByRole('dialog');
    const heights = await Promise.all(
      ['Cancel', 'Trigger Manual Hibernation'].map(async (name) => {
        const { top, bottom } = await box(dialog.getByRole('button', { name, exact: true }));
        return Math.round(bottom - top);
      }),
    );
    expect(heights[1]).toBe(heights[0]);
    await page.keyboard.press('Escape');
  });
});

describe('the activity', () => {
  it('says that the file was not made while the API is gone', async () => {
    const { page } = watched;
    await open('/activity', 'Activity');
    await page.route('**/api/v1/audit?*format=csv*', (route) => route.abort());
    await page.getByRole('button', { name: 'Export CSV' }).click();
    await page.getByTestId('toast').getByText('The file was not made. No answer came back.').waitFor();
  });

  const entries = () => watched.page.locator('main').getByRole('link', { name: /^Entry / });
  const more = () => watched.page.getByRole('button', { name: /^Show \d+ more$/ });
  const says = (words: string) => watched.page.getByRole('status').getByText(words, { exact: true }).waitFor();
  const focused = () => watched.page.evaluate(() => document.activeElement?.textContent ?? '');

  /** A log that pages as the API does; `arrived` are in front of those that were there. */
  class Log {
    readonly #total: number;
    readonly arrived: string[] = [];
    readonly asked: URLSearchParams[] = [];
    broken = false;

    private constructor(total: number) {
      this.#total = total;
    }

    static async serve(total: number): Promise<Log> {
      const log = new Log(total);
      await watched.page.route('**/api/v1/audit?*', (route) => {
        const query = new URL(route.request().url()).searchParams;
        log.asked.push(query);
        return log.broken ? route.abort() : route.fulfill({ json: log.#page(query) });
      });
      return log;
    }

    #page(query: URLSearchParams) {
      const all = [...this.arrived, ...Array.from({ length: this.#total }, (_, place) => String(place))];
      const [first, limit] = [Number(query.get('after') ?? 0), Number(query.get('limit') ?? 100)];
      const shown = all.slice(first, first + limit).map((name) => ({
        id: `e-${name}`,
        at: '2026-11-03T10:00:00.000Z',
        kind: 'stand-down',
        title: `Entry ${name}`,
        actor: 'ada@example.com',
        result: 'success',
      }));
      const next = first + limit < all.length ? { next: String(first + limit) } : {};
      return { entries: shown, total: all.length, unreadable: 0, ...next };
    }
  }

  it('draws the newest hundred of a thousand, and says so', async () => {
    await Log.serve(1000);
    await open('/activity?q=thousand', 'Activity');
    await says('100 of 1,000');
    expect(await entries().count()).toBe(100);
    expect(await more().textContent()).toBe('Show 100 more');
    expect(
      await more().evaluate((it) => document.getElementById(it.getAttribute('aria-describedby')!)?.textContent),
    ).toBe('100 of 1,000');
    expect(await watched.axe()).toEqual([]);
  });

  it('goes on with a hundred more for who asks by the keyboard, to the last', async () => {
    await Log.serve(237);
    await open('/activity?q=few', 'Activity');
    await says('100 of 237');
    await more().press('Enter');
    await says('200 of 237');
    expect([await entries().count(), await focused(), await more().textContent()]).toEqual([
      200,
      'Entry 100',
      'Show 37 more',
    ]);
    await more().press('Enter');
    await says('237 of 237');
    expect([await entries().count(), await focused(), await more().count()]).toEqual([237, 'Entry 200', 0]);
  });

  it('keeps what is there, and the focus, when no more can be read', async () => {
    const log = await Log.serve(300);
    await open('/activity?q=broken', 'Activity');
    await says('100 of 300');
    log.broken = true;
    await more().press('Enter');
    await watched.page.locator('main').getByRole('alert').getByText('No more entries could be read.').waitFor();
    expect([await entries().count(), await focused()]).toEqual([100, 'Show 100 more']);
    log.broken = false;
    await more().press('Enter');
    await says('200 of 300');
    expect(await watched.page.locator('main').getByRole('alert').count()).toBe(0);
  });

  it('has no gap where new entries push others on', async () => {
    const { page } = watched;
    const log = await Log.serve(300);
    await open('/activity?q=gap', 'Activity');
    await says('100 of 300');
    await more().click();
    await says('200 of 300');
    log.arrived.push('new');
    // What is on the screen is asked for again when the connection is back.
    await page.evaluate(() => {
      dispatchEvent(new Event('offline'));
      dispatchEvent(new Event('online'));
    });
    await page.getByRole('link', { name: 'Entry new' }).waitFor();
    const names = ['new', ...Array.from({ length: 199 }, (_, place) => String(place))];
    expect(await entries().allTextContents()).toEqual(names.map((name) => `Entry ${name}`));
    await says('200 of 301');
  });

  it('means all of them by a filter and by the file', async () => {
    const { page } = watched;
    const log = await Log.serve(1000);
    await open('/activity?q=all&kind=stand-down', 'Activity');
    await says('100 of 1,000');
    const file = page.waitForRequest(/format=csv/);
    await page.getByRole('button', { name: 'Export CSV' }).click();
    expect([...new URL((await file).url()).searchParams].toSorted()).toEqual([
      ['format', 'csv'],
      ['kind', 'stand-down'],
      ['q', 'all'],
    ]);
    const asked = log.asked.find((query) => query.get('q') === 'all');
    expect([asked?.get('kind'), asked?.get('limit')]).toEqual(['stand-down', '100']);
  });

  it('finds an entry by its link, however far back', async () => {
    const { page } = watched;
    await Log.serve(2400);
    await open('/activity/e-2345', 'Activity');
    await page.getByRole('heading', { name: 'Entry 2345', level: 2 }).waitFor();
    await open('/activity/e-2400', 'Activity');
    await page.getByText('There is no such entry').waitFor();
  });
});

describe('the sign that nothing is live', () => {
  it('takes the focus and says since when', async () => {
    const { page } = watched;
    await page.route('**/api/v1/events', (route) => route.abort());
    await page.goto(`${stack.url}/#/`);
    await page.reload();
    await page.getByTestId('not-live').waitFor();
    await page.getByTestId('not-live').focus();
    await page.getByRole('tooltip').getByText('The live stream is interrupted').waitFor();
  });
});
