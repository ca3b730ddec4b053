import type { Locator, Page, Request } from 'playwright-core';
import { until } from './stack.ts';

const stepMs = 1_000;
/** Of the test, however fast the page's own time passes meanwhile. */
const timeoutMs = 60_000;

/**
 * The clock of a page, moved by hand. It moves only while nothing of the page is on its way: else a second of the test
 * would be a minute of the page, and requests would run out of time that were answered at once.
 */
export class PageTime {
  readonly #page: Page;
  readonly #going = new Set<Request>();

  private constructor(page: Page) {
    this.#page = page;
    page.on('request', (request) => {
      if (!request.url().endsWith('/api/v1/events')) this.#going.add(request);
    });
    page.on('requestfinished', (request) => this.#going.delete(request));
    page.on('requestfailed', (request) => this.#going.delete(request));
  }

  static async install(page: Page): Promise<PageTime> {
    await page.clock.install();
    return new PageTime(page);
  }

  /**
   * Moves on until it is shown. How much of the page's time that takes does not matter, only how long the test waits: on
   * a busy machine polls that are not set up yet, or are answered before the server has heard of the change, come again.
   */
  async passUntil(shown: Locator): Promise<void> {
    const end = performance.now() + timeoutMs;
    while (!(await shown.isVisible())) {
      if (performance.now() > end) throw new Error(`it was not shown within ${timeoutMs / 1000} seconds: ${shown}`);
      await this.pass(stepMs);
    }
  }

  /** From now on these get no answer, and nobody waits for one. */
  async hang(url: string): Promise<void> {
    await this.#page.route(url, (route) => {
      this.#going.delete(route.request());
    });
  }

  /** Everything that the page asked for is there, or has failed. */
  answered(): Promise<void> {
    return until(() => this.#going.size === 0);
  }

  async pass(ms: number): Promise<void> {
    for (let left = ms; left > 0; left -= stepMs) {
      await this.answered();
      await this.#page.clock.runFor(Math.min(stepMs, left));
    }
  }
}
