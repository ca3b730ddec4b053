import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser, signIn, Watched } from './browser.ts';
import { deployment, namespaces } from './fleet.ts';
import { adminAddress, Stack } from './stack.ts';

const count = 5000;
const longestFrameMs = 100;
let stack: Stack;
let browser: Browser;

beforeAll(async () => {
  const teams = Array.from({ length: 40 }, (_, team) => `team-${String(team).padStart(2, '0')}`);
  const objects = [
    ...namespaces(...teams),
    // At zero, so that the cluster has no pods to look after while frames are measured.
    ...Array.from({ length: count }, (_, index) =>
      deployment(teams[index % teams.length]!, `service-${String(index).padStart(4, '0')}`, { replicas: 0 }),
    ),
  ];
  stack = await Stack.start({ objects, controller: false });
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

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

const mostRounds = 6;

interface Measured {
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

describe('five thousand rows', () => {
  it('scroll and filter without a frame over 100 ms', async () => {
    const watched = await Watched.open(browser, stack.url);
    const { page } = watched;
    await signIn(watched, stack, adminAddress);
    await page.goto(`${stack.url}/#/resources`);
    await page.getByText('5,000 workloads of 5,000').waitFor();
    await watched.shot('resources-5000');

    // Work of the page's own thread, in processor time: what others do on the machine does not count.
    const devtools = await watched.context.newCDPSession(page);
    await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
    const worked = async () => {
      const { metrics } = await devtools.send('Performance.getMetrics');
      return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000;
    };
    const costOf = async (act: () => Promise<unknown>) => {
      const before = await worked();
      await act();
      return (await worked()) - before;
    };

    /** How much of the processor the page gets when it wants all of it. */
    const share = async () => {
      const before = await worked();
      const wall = await page.evaluate(() => {
        const startedAt = performance.now();
        while (performance.now() - startedAt < 200);
        return performance.now() - startedAt;
      });
      return Math.min(1, ((await worked()) - before) / wall);
    };
    /** `act` gives the costs of its steps. */
    const measured = async (act: () => Promise<readonly number[]>): Promise<Measured> => {
      const before = await share();
      let costs: readonly number[] = [];
      const wall = await longestFrame(page, async () => {
        costs = await act();
      });
      return { wall, alone: wall * Math.min(before, await share()), work: Math.max(...costs) };
    };

    const scroll = async () => {
      const costs: number[] = [];
      for (let step = 1; step <= 40; step += 1) costs.push(await costOf(() => scrollTo(page, step / 40)));
      await page.getByText('service-4999').waitFor();
      return costs;
    };
    const filter = async () => {
      const costs: number[] = [];
      for (const letter of 'service-123') {
        costs.push(await costOf(() => page.getByLabel('Name or namespace').press(letter)));
      }
      costs.push(await costOf(() => page.evaluate(untilShown, '10 workloads of 5,000')));
      return costs;
    };
    // By the page itself: finding a button, scrolling to it and watching it is work of the test, in the same process.
    const clear = async () => {
      const button = await page.getByRole('button', { name: 'Clear' }).elementHandle();
      const cost = await costOf(async () => {
        await button?.evaluate((it) => (it as HTMLButtonElement).click());
        await page.evaluate(untilShown, '5,000 workloads of 5,000');
      });
      await page.getByText('5,000 workloads of 5,000').waitFor();
      return cost;
    };

    const scrolled = await leastOf(() => measured(scroll));
    const filtered = await leastOf(async () => {
      const typed = await measured(filter);
      expect(page.url()).toContain('q=service-123');
      await watched.shot('resources-filtered');
      return { ...typed, work: Math.max(typed.work, await clear()) };
    });
    for (const [name, { wall, alone, work }] of Object.entries({ scrolled, filtered })) {
      const figures = [wall, alone, work].map((ms) => `${ms.toFixed(1)} ms`);
      console.log(`${name}: longest frame ${figures[0]} (alone ${figures[1]}), most work for a step ${figures[2]}`);
      expect(alone).toBeLessThanOrEqual(longestFrameMs);
      expect(work).toBeLessThanOrEqual(longestFrameMs);
    }
    expect(watched.problems).toEqual([]);
    await watched.close();
  });
});
