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
    const seen = (globalThis as unknown as { frames: { longest: number; stop: boolean } }).frames;
    seen.stop = true;
    return seen.longest;
  });
}

const mostRounds = 4;

interface Measured {
  /** As the clock on the wall saw it. */
  readonly wall: number;
  /** The same at the rate at which the machine lent its processor meanwhile: what it is on a machine of its own. */
  readonly alone: number;
}

/**
 * The least of several rounds, over at the first that is good: a frame that is long because of the page is so every
 * time, one that is long because of the machine is not.
 */
async function leastOf(round: () => Promise<Measured>): Promise<Measured> {
  let least: Measured = { wall: Number.POSITIVE_INFINITY, alone: Number.POSITIVE_INFINITY };
  for (let done = 0; done < mostRounds && least.alone > longestFrameMs; done += 1) {
    const measured = await round();
    if (measured.alone < least.alone) least = measured;
  }
  return least;
}

const scrollTo = (page: Page, share: number) =>
  page.getByTestId('virtual-rows').evaluate(async (element, at) => {
    element.scrollTop = element.scrollHeight * at;
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  }, share);

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
    const measured = async (act: () => Promise<void>): Promise<Measured> => {
      const before = await share();
      const wall = await longestFrame(page, act);
      return { wall, alone: wall * Math.min(before, await share()) };
    };

    const most = { scroll: 0, filter: 0, clear: 0 };
    const note = (name: keyof typeof most, cost: number) => {
      most[name] = Math.max(most[name], cost);
    };
    const scroll = async () => {
      for (let step = 1; step <= 40; step += 1) note('scroll', await costOf(() => scrollTo(page, step / 40)));
      await page.getByText('service-4999').waitFor();
    };
    const filter = async () => {
      for (const letter of 'service-123') {
        note('filter', await costOf(() => page.getByLabel('Name or namespace').press(letter)));
      }
      note('filter', await costOf(() => page.getByText('10 workloads of 5,000').waitFor()));
    };
    const clear = () =>
      costOf(async () => {
        await page.getByRole('button', { name: 'Clear' }).click();
        await page.getByText('5,000 workloads of 5,000').waitFor();
      });

    const scrolled = await leastOf(() => measured(scroll));
    const filtered = await leastOf(async () => {
      const frame = await measured(filter);
      expect(page.url()).toContain('q=service-123');
      await watched.shot('resources-filtered');
      note('clear', await clear());
      return frame;
    });
    const words = Object.entries(most).map(([name, ms]) => `${name} ${ms.toFixed(1)} ms`);
    console.log(
      `most work for a step: ${words.join(', ')}; ` +
        `longest frame: scroll ${scrolled.wall.toFixed(1)} ms (alone ${scrolled.alone.toFixed(1)}), ` +
        `filter ${filtered.wall.toFixed(1)} ms (alone ${filtered.alone.toFixed(1)})`,
    );
    for (const work of Object.values(most)) expect(work).toBeLessThanOrEqual(longestFrameMs);
    for (const { alone } of [scrolled, filtered]) expect(alone).toBeLessThanOrEqual(longestFrameMs);
    expect(watched.problems).toEqual([]);
    await watched.close();
  });
});
