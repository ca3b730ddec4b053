import { mkdirSync } from 'node:fs';
import axe from 'axe-core';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { provision } from '../../tools/provision/provision.ts';
import type { Stack } from './stack.ts';

const shots = 'artifacts/browser';

export async function launchBrowser(hosts: Readonly<Record<string, string>> = {}): Promise<Browser> {
  mkdirSync(shots, { recursive: true });
  const rules = Object.entries(hosts).map(([host, target]) => `MAP ${host} ${target}`);
  return chromium.launch({
    executablePath: await provision('chromium'),
    args: [
      '--no-sandbox',
      '--disable-dev-shm-usage',
      ...(rules.length === 0 ? [] : [`--host-resolver-rules=${rules.join(',')}`]),
    ],
  });
}

/** How a page is looked at. */
export interface View {
  readonly name: string;
  readonly dark: boolean;
  readonly width: number;
  readonly height: number;
}

const looks: readonly View[] = [
  { name: 'light', dark: false, width: 1280, height: 900 },
  { name: 'dark', dark: true, width: 1280, height: 900 },
  { name: 'narrow', dark: false, width: 375, height: 740 },
];

export interface OpenOptions {
  readonly dark?: boolean;
  readonly width?: number;
  readonly height?: number;
}

/** A page that remembers everything it should not have done. */
export class Watched {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly #noted: string[] = [];
  readonly #expected: RegExp[] = [];

  private constructor(context: BrowserContext, page: Page, ownHosts: readonly string[]) {
    this.page = page;
    this.context = context;
    page.on('console', (message) => {
      if (message.type() === 'error') this.#note(`console: ${message.text()} ${message.location().url}`);
    });
    page.on('pageerror', (error) => this.#note(`page error: ${error.message}`));
    page.on('request', (request) => {
      const url = new URL(request.url());
      const own = !url.protocol.startsWith('http') || ownHosts.includes(url.host);
      if (!own) this.#note(`request to another host: ${request.url()}`);
    });
  }

  static async open(
    browser: Browser,
    url: string,
    options: OpenOptions = {},
    hosts: readonly string[] = [],
  ): Promise<Watched> {
    const context = await browser.newContext({
      viewport: { width: options.width ?? 1280, height: options.height ?? 900 },
      colorScheme: options.dark ? 'dark' : 'light',
      reducedMotion: 'reduce',
    });
    const page = await context.newPage();
    const watched = new Watched(context, page, [new URL(url).host, ...hosts]);
    await page.goto(url);
    return watched;
  }

  /** Errors of the console, of scripts and of the policy, and requests to other hosts, but for those expected. */
  get problems(): readonly string[] {
    return this.#noted.filter((problem) => !this.#expected.some((pattern) => pattern.test(problem)));
  }

  /** An error that the test brings about itself, such as the answer 503. */
  expectProblem(pattern: RegExp): void {
    this.#expected.push(pattern);
  }

  /** The same page in another size or color, without loading it again. */
  async look({ dark, width, height }: View): Promise<void> {
    await this.page.setViewportSize({ width, height });
    await this.page.emulateMedia({ colorScheme: dark ? 'dark' : 'light', reducedMotion: 'reduce' });
    // One frame is drawn in the new form before anything is judged.
    await this.page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
  }

  async shot(name: string, { whole = true }: { readonly whole?: boolean } = {}): Promise<void> {
    await picture(this.page, `${shots}/${name}.png`, whole);
  }

  /**
   * The page in light, dark and on a narrow phone, a picture of each. What axe finds in any of them, and where the page is
   * wider than the phone.
   */
  async everyLook(name: string): Promise<readonly string[]> {
    const found: string[] = [];
    for (const view of looks) {
      await this.look(view);
      await this.shot(`${name}-${view.name}`);
      found.push(...(await this.axe()).map((finding) => `${view.name}: ${finding}`));
      const tooWide = await this.page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
      if (tooWide) found.push(`${view.name}: the page is wider than the screen`);
    }
    await this.look(looks[0]!);
    return found;
  }

  /** What axe finds on the page as it is, a line a finding. */
  async axe(): Promise<readonly string[]> {
    // A tooltip under a resting pointer is no part of the page.
    await this.page.mouse.move(0, 0);
    await this.page.getByRole('tooltip').first().waitFor({ state: 'detached' });
    return this.#findings('html', ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']);
  }

  /** Text of this part of the page that cannot be read well, whatever the pointer rests on. */
  contrast(selector: string): Promise<readonly string[]> {
    return this.#findings(selector, ['wcag2aa']);
  }

  async #findings(selector: string, tags: readonly string[]): Promise<readonly string[]> {
    // By evaluation and not by a script element: the content security policy would refuse that, and should.
    const there = await this.page.evaluate(() => 'axe' in globalThis);
    if (!there) await this.page.evaluate(axe.source);
    return this.page.evaluate(
      async ([where, runOnly]) => {
        // In the page, where the script that was added put it.
        const run = (globalThis as unknown as { axe: typeof axe }).axe.run;
        const { violations } = await run(where, { runOnly: [...runOnly] });
        return violations.flatMap(({ id, nodes }) =>
          nodes.map(
            ({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary?.split('\n')[1]?.trim()}`,
          ),
        );
      },
      [selector, tags] as const,
    );
  }

  close(): Promise<void> {
    return this.context.close();
  }

  #note(problem: string): void {
    this.#noted.push(problem);
  }
}

/** Signs in with the mailed code, as a person would. */
export async function signIn(watched: Pick<Watched, 'page'>, stack: Stack, address: string): Promise<void> {
  const { code } = await askForCode(watched, stack, address);
  await watched.page.getByLabel('Code').fill(code);
  await watched.page.getByRole('heading', { name: 'Overview' }).waitFor();
}

export function askForCode({ page }: Pick<Watched, 'page'>, stack: Stack, address: string) {
  return stack.mail(address, async () => {
    await page.getByLabel('E-mail address').fill(address);
    await page.getByRole('button', { name: 'Send me a code' }).click();
    await page.getByLabel('Code').waitFor();
  });
}

const triesOfAPicture = 3;

/** A Chromium that is short of processor time may have no frame to show, and says so at once: the next one is a picture like any other. */
export async function picture(page: Page, path: string, fullPage: boolean): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await page.screenshot({ path, fullPage });
      return;
    } catch (error) {
      if (tries === triesOfAPicture || !String(error).includes('Unable to capture screenshot')) throw error;
    }
  }
}
