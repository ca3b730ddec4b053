import type { Locator, Page, Request } from 'playwright-core';
import { until } from './stack.ts';

const stepMs = 1_000;
/** Far more than a poll and its retries. */
const mostMs = 120_000;

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

  /** Moves on until it is shown; a poll that the page has not set up yet is only waited for longer. */
  async passUntil(shown: Locator): Promise<void> {
    for (let passed = 0; !(await shown.isVisible()); passed += stepMs) {
      if (passed >= mostMs) throw new Error(`it was not shown within ${mostMs / 1000} seconds of the page: ${shown}`);
      await this.pass(stepMs);
    }
  }

  async pass(ms: number): Promise<void> {
    for (let left = ms; left > 0; left -= stepMs) {
      await until(() => this.#going.size === 0);
      await this.#page.clock.runFor(Math.min(stepMs, left));
    }
  }
}
