import type { Browser, Locator } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFailed } from 'vitest';
import { launchBrowser, signIn, Watched } from './browser.ts';
import { deployment, namespaces } from './fleet.ts';
import { adminAddress, Stack } from './stack.ts';

// Somebody is woken by a failed wake. What they want to know is never further from the overview than this.

const clusterName = 'payments-production-eu-central-1';
const objects = [
  ...namespaces('shop'),
  deployment('shop', 'cart'),
  deployment('shop', 'gpu-upscaler', { replicas: 1, nowhere: true }),
  // Its owner keeps it down.
  deployment('shop', 'parked', { replicas: 0 }),
  // Starts for longer than a wake waits.
  deployment('shop', 'archive', {
    replicas: 1,
    behaviour: { 'start-seconds': '9000' },
    startupProbe: { failureThreshold: 1000, periodSeconds: 10 },
  }),
];
const notifications = {
  enabled: true,
  channels: { email: { enabled: true, recipients: [{ address: 'on-call@example.com' }] } },
};

let stack: Stack;
let browser: Browser;
let watched: Watched;
let clicks = 0;

beforeAll(async () => {
  stack = await Stack.start({ objects, config: { clusterName, notifications } });
  browser = await launchBrowser();
  watched = await Watched.open(browser, stack.url);
  await signIn(watched, stack, adminAddress);
  const { page } = watched;
  const act = async (name: string, confirm: string) => {
    await page.goto(`${stack.url}/#/control?act=${name}`);
    await page.getByRole('dialog').getByRole('button', { name: confirm }).click();
    await page.goto(`${stack.url}/#/wake`);
  };
  await act('hibernate', 'Trigger Manual Hibernation');
  await stack.fastUntil(() => page.getByRole('heading', { name: 'Hibernation Complete' }).isVisible(), 20);
  await act('wake', 'Wake Up Resources');
  await page.getByRole('heading', { name: 'Waking Up Resources' }).waitFor();
  await stack.fastUntil(() => page.getByRole('heading', { name: /^Wake Complete/ }).isVisible(), 300);
}, 300_000);

beforeEach(async () => {
  onTestFailed(() => watched.shot('failed-ten-past-eight'));
  clicks = 0;
  await watched.page.goto(`${stack.url}/#/`);
  await watched.page.getByTestId('unfinished').waitFor();
});

afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

async function click(what: Locator): Promise<void> {
  await what.click();
  clicks++;
}

const count = () => watched.page.getByTestId('counts').getByRole('link', { name: /of 4 up/ });
const row = (name: string) => watched.page.getByRole('row').filter({ hasText: name });
const since = /since \d\d:\d\d/;

describe('at ten past eight, from the overview', () => {
  it('which failed and why: no click', async () => {
    const left = watched.page.getByTestId('unfinished');
    await left.getByText('Wake Complete - 2 workloads failed').waitFor();
    await left.getByText('was still Unschedulable after 15 minutes').waitFor();
    await left.getByText('did not finish starting within the 30-minute cap').waitFor();
    expect(clicks).toBe(0);
  });

  it('which are not up, and since when: one', async () => {
    await click(count());
    for (const name of ['gpu-upscaler', 'archive']) await row(name).getByText(since).waitFor();
    await row('parked').getByText('by its owner, time not recorded').waitFor();
    expect(await row('cart').count()).toBe(0);
    expect(clicks).toBe(1);
    await watched.shot('ten-past-eight-not-up');
    expect(await watched.axe()).toEqual([]);
  });

  it('why this pod is not ready now: two', async () => {
    await click(count());
    await click(row('archive').getByRole('link', { name: 'archive', exact: true }));
    const pod = watched.page.getByTestId('pods').getByRole('listitem').first();
    await pod.getByText('Not ready', { exact: true }).waitFor();
    await pod.getByTestId('pod-trouble').getByText('main runs, and its readiness check has not passed').waitFor();
    expect(clicks).toBe(2);
  });

  it('was anybody told: one', async () => {
    await click(watched.page.getByRole('link', { name: 'Who was told' }));
    const told = row('Wake Complete - 2 workloads failed');
    await told.getByText('on-call@example.com').waitFor();
    await told.getByText('delivered').waitFor();
    expect(clicks).toBe(1);
  });

  it('is this screen current: no click', async () => {
    const asOf = watched.page.getByTestId('as-of').getByText(/^As of \d\d:\d\d:\d\d \(Europe\/Berlin\)$/);
    await asOf.waitFor();
    await watched.page.getByTestId('not-live').waitFor({ state: 'detached' });
    expect(clicks).toBe(0);
  });

  it.each([
    ['at a desk', 1280],
    ['on a phone', 320],
  ])('which cluster, %s: no click', async (_, width) => {
    const { page } = watched;
    await page.setViewportSize({ width, height: 800 });
    const name = page.getByRole('banner').getByText(clusterName, { exact: true }).filter({ visible: true });
    await name.waitFor();
    expect(await name.evaluate((element) => element.scrollWidth > element.clientWidth)).toBe(false);
    await watched.shot(`ten-past-eight-${width}`);
    expect(await watched.axe()).toEqual([]);
    await page.setViewportSize({ width: 1280, height: 900 });
    expect(clicks).toBe(0);
  });

  it('try one again: two', async () => {
    const { page } = watched;
    await click(page.getByRole('button', { name: 'Try again: Deployment shop/gpu-upscaler' }));
    const dialog = page.getByRole('dialog', { name: /^Try Deployment shop\/gpu-upscaler again\?/ });
    await dialog.getByText('A wake of this workload alone begins.').waitFor();
    expect(await watched.axe()).toEqual([]);
    await click(dialog.getByRole('button', { name: 'Try again' }));
    await page.getByText('Deployment shop/gpu-upscaler is woken again.').waitFor();
    expect(clicks).toBe(2);
    await stack.fastUntil(() => stack.state('transition') === undefined, 300);
    // A try of one says nothing of the other.
    await page.goto(`${stack.url}/#/activity`);
    await page.getByText('Wake Complete - 1 workload failed').first().waitFor();
    await page.goto(`${stack.url}/#/`);
    for (const name of ['gpu-upscaler', 'archive'])
      await page
        .getByTestId('unfinished')
        .getByRole('link', { name: `Deployment shop/${name}` })
        .waitFor();
  }, 120_000);

  it('stop everything: two', async () => {
    const { page } = watched;
    await click(page.getByRole('link', { name: 'Stand down …' }));
    await click(page.getByRole('dialog').getByRole('button', { name: 'Stand down', exact: true }));
    await page.getByTestId('chips').getByText(`Not scaling - stood down by ${adminAddress}`).waitFor();
    expect(clicks).toBe(2);
    expect(watched.problems).toEqual([]);
  });
});
