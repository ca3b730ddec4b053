import type { Browser, CDPSession, Page } from 'playwright-core';
import { launchBrowser, signIn, Watched } from './browser.ts';
import { deployment, namespaces } from './fleet.ts';
import { adminAddress, Stack } from './stack.ts';

export const longestFrameMs = 100;

const mostRounds = 6;

/** Of a way to use the page, in milliseconds. */
export interface Measured {
  /** As the clock on the wall saw it. */
  readonly wall: number;
  /** The same at the rate at which the machine lent its processor meanwhile: what it is on a machine of its own. */
  readonly alone: number;
  /** The processor time of the page's thread for its costliest step, which may be several frames. */
  readonly work: number;
}

/**
 * The least of several rounds, over at the first that is good: a frame that is long because of the page is so every
 * time, one that is long because of the machine is not.
 */
async function leastOf(round: () => Promise<Measured>): Promise<Measured> {
  let least = await round();
  for (let done = 1; done < mostRounds && costOfRound(least) > longestFrameMs; done += 1) {
    const measured = await round();
    if (costOfRound(measured) < costOfRound(least)) least = measured;
  }
  return least;
}

const costOfRound = ({ alone, work }: Measured) => Math.max(alone, work);

export interface RowsMeasured {
  /** From the address to the table, on a page that is signed in. */
  readonly shownMs: number;
  readonly scrolled: Measured;
  readonly filtered: Measured;
}

/** The page *Resources* of a fleet of so many, in a real browser. */
export class ManyRows {
  readonly #count: number;
  readonly #stack: Stack;
  readonly #browser: Browser;

  private constructor(count: number, stack: Stack, browser: Browser) {
    this.#count = count;
    this.#stack = stack;
    this.#browser = browser;
  }

  static async start(count: number): Promise<ManyRows> {
    const teams = Array.from({ length: 40 }, (_, team) => `team-${String(team).padStart(2, '0')}`);
    const objects = [
      ...namespaces(...teams),
      // At zero, so that the cluster has no pods to look after while frames are measured.
      ...Array.from({ length: count }, (_, index) =>
        deployment(teams[index % teams.length]!, nameOf(index, count), { replicas: 0 }),
      ),
    ];
    return new ManyRows(count, await Stack.start({ objects, controller: false }), await launchBrowser());
  }

  async stop(): Promise<void> {
    await this.#browser.close();
    await this.#stack.stop();
  }

  /** Throws what the page should not have done. */
  async measure(): Promise<RowsMeasured> {
    const watched = await Watched.open(this.#browser, this.#stack.url);
    await signIn(watched, this.#stack, adminAddress);
    const { page } = watched;
    // From another address, so that everything is loaded.
    await page.goto('about:blank');
    const startedAt = performance.now();
    await page.goto(`${this.#stack.url}/#/resources`);
    await page.getByText(shownOf(this.#count, this.#count)).waitFor({ timeout: 120_000 });
    const shownMs = performance.now() - startedAt;
    await watched.shot(`resources-${this.#count}`);
    const rows = await RowsPage.of(watched, this.#count);
    const scrolled = await leastOf(() => rows.measured(() => rows.scroll()));
    const filtered = await leastOf(async () => {
      const typed = await rows.measured(() => rows.filter());
      await watched.shot('resources-filtered');
      return { ...typed, work: Math.max(typed.work, await rows.clear()) };
    });
    if (watched.problems.length > 0) throw new Error(watched.problems.join('; '));
    await watched.close();
    return { shownMs, scrolled, filtered };
  }
}

function nameOf(index: number, count: number): string {
  return `service-${String(index).padStart(String(count - 1).length, '0')}`;
}

function shownOf(shown: number, count: number): string {
  return `${shown.toLocaleString('en')} workloads of ${count.toLocaleString('en')}`;
}

/** What a person does there, and what each step of it costs the page's own thread. */
class RowsPage {
  readonly #page: Page;
  readonly #devtools: CDPSession;
  readonly #count: number;

  private constructor(page: Page, devtools: CDPSession, count: number) {
    this.#page = page;
    this.#devtools = devtools;
    this.#count = count;
  }

  static async of({ page, context }: Watched, count: number): Promise<RowsPage> {
    const devtools = await context.newCDPSession(page);
    await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
    return new RowsPage(page, devtools, count);
  }

  /** `act` gives the costs of its steps. */
  async measured(act: () => Promise<readonly number[]>): Promise<Measured> {
    const before = await this.#share();
    let costs: readonly number[] = [];
    const wall = await longestFrame(this.#page, async () => {
      costs = await act();
    });
    return { wall, alone: wall * Math.min(before, await this.#share()), work: Math.max(...costs) };
  }

  async scroll(): Promise<readonly number[]> {
    const costs: number[] = [];
    for (let step = 1; step <= 40; step += 1) costs.push(await this.#costOf(() => scrollTo(this.#page, step / 40)));
    await this.#page.getByText(nameOf(this.#count - 1, this.#count)).waitFor();
    return costs;
  }

  /** Down to ten. */
  async filter(): Promise<readonly number[]> {
    const costs: number[] = [];
    const typed = nameOf(1234567, this.#count).slice(0, nameOf(0, this.#count).length - 1);
    for (const letter of typed) {
      costs.push(await this.#costOf(() => this.#page.getByLabel('Name or namespace').press(letter)));
    }
    costs.push(await this.#costOf(() => this.#page.evaluate(untilShown, shownOf(10, this.#count))));
    if (!this.#page.url().includes(`q=${typed}`))
      throw new Error(`The address does not hold the filter: ${this.#page.url()}`);
    return costs;
  }

  /** By the page itself: finding a button, scrolling to it and watching it is work of the test, in the same process. */
  async clear(): Promise<number> {
    const all = shownOf(this.#count, this.#count);
    const button = await this.#page.getByRole('button', { name: 'Clear' }).elementHandle();
    const cost = await this.#costOf(async () => {
      await button?.evaluate((it) => (it as HTMLButtonElement).click());
      await this.#page.evaluate(untilShown, all);
    });
    await this.#page.getByText(all).waitFor();
    return cost;
  }

  async #costOf(act: () => Promise<unknown>): Promise<number> {
    const before = await this.#worked();
    await act();
    return (await this.#worked()) - before;
  }

  /** How much of the processor the page gets when it wants all of it. */
  async #share(): Promise<number> {
    const before = await this.#worked();
    const wall = await this.#page.evaluate(() => {
      const startedAt = performance.now();
      while (performance.now() - startedAt < 200);
      return performance.now() - startedAt;
    });
    return Math.min(1, ((await this.#worked()) - before) / wall);
  }

  /** Work of the page's own thread, in processor time: what others do on the machine does not count. */
  async #worked(): Promise<number> {
    const { metrics } = await this.#devtools.send('Performance.getMetrics');
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000;
  }
}

/** The longest time between two frames while something is done, by the clock on the wall. */
async function longestFrame(page: Page, act: () => Promise<void>): Promise<number> {
  await page.evaluate(() => {
    const seen = { longest: 0, stop: false };
    // In the page, where the second half of the measurement finds it.
    (globalThis as unknown as { frames: typeof seen }).frames = seen;
    let last = performance.now();
    const frame = (now: number) => {
      seen.longest = Math.max(seen.longest, now - last);
      last = now;
      if (!seen.stop) requestAnimationFrame(frame);
    };
    requestAnimationFrame((now) => {
      last = now;
      requestAnimationFrame(frame);
    });
  });
  await act();
  return page.evaluate(() => {
    // Put there by the first half.
    const seen = (globalThis as unknown as { frames: { longest: number; stop: boolean } }).frames;
    seen.stop = true;
    return seen.longest;
  });
}

const scrollTo = (page: Page, share: number) =>
  page.getByTestId('virtual-rows').evaluate(async (element, at) => {
    element.scrollTop = element.scrollHeight * at;
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  }, share);

/** Runs in the page: looks once a frame. */
async function untilShown(text: string): Promise<void> {
  const isShown = () => document.querySelector('main')?.textContent?.includes(text) === true;
  while (!isShown()) await new Promise((resolve) => requestAnimationFrame(resolve));
}
