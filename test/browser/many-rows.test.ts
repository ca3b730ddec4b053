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

/** The longest time between two frames while something is done. */
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

describe('five thousand rows', () => {
  it('scroll and filter without a frame over 100 ms', async () => {
    const watched = await Watched.open(browser, stack.url);
    const { page } = watched;
    await signIn(watched, stack, adminAddress);
    await page.goto(`${stack.url}/#/resources`);
    await page.getByText('5,000 workloads of 5,000').waitFor();
    await watched.shot('resources-5000');

    const scroll = await longestFrame(page, () =>
      page.getByTestId('virtual-rows').evaluate(async (element) => {
        for (let step = 0; step <= 60; step += 1) {
          element.scrollTop = (element.scrollHeight / 60) * step;
          await new Promise((resolve) => requestAnimationFrame(resolve));
        }
      }),
    );
    await page.getByText('service-4999').waitFor();

    const filter = await longestFrame(page, async () => {
      await page.getByLabel('Name or namespace').pressSequentially('service-123', { delay: 40 });
      await page.getByText('10 workloads of 5,000').waitFor();
    });
    await watched.shot('resources-filtered');
    expect(page.url()).toContain('q=service-123');
    const clear = await longestFrame(page, async () => {
      await page.getByRole('button', { name: 'Clear' }).click();
      await page.getByText('5,000 workloads of 5,000').waitFor();
    });
    console.log(
      `longest frame: scroll ${scroll.toFixed(1)} ms, filter ${filter.toFixed(1)} ms, clear ${clear.toFixed(1)} ms`,
    );
    for (const longest of [scroll, filter, clear]) expect(longest).toBeLessThanOrEqual(longestFrameMs);
    expect(watched.problems).toEqual([]);
    await watched.close();
  });
});
