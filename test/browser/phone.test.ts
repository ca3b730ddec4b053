import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser, signIn, Watched } from './browser.ts';
import { deployment, namespaces, shop } from './fleet.ts';
import { adminAddress, Stack } from './stack.ts';

/** As long as names of clusters get, and told apart only at its end. */
const clusterName = 'payments-production-eu-central-1-blue';

let stack: Stack;
let browser: Browser;
let watched: Watched;

beforeAll(async () => {
  stack = await Stack.start({
    objects: [...shop, ...namespaces('checkout-staging-eu'), deployment('checkout-staging-eu', 'cart')],
    config: { clusterName },
  });
  await stack.fastUntil(() => stack.allReady());
  browser = await launchBrowser();
  watched = await Watched.open(browser, stack.url, { width: 320, height: 700 });
  await signIn(watched, stack, adminAddress);
});

afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

describe('on a phone', () => {
  it('the bar names the cluster, whole', async () => {
    const { page } = watched;
    const name = page.getByRole('banner').getByText(clusterName, { exact: true }).filter({ visible: true });
    await name.waitFor();
    const cut = await name.evaluate((element) => element.scrollWidth > element.clientWidth);
    expect(cut).toBe(false);
    await watched.shot('phone-bar', { whole: false });
  });

  it('the list of resources tells two of one name apart by their namespaces', async () => {
    const { page } = watched;
    await page.goto(`${stack.url}/#/resources?q=cart`);
    for (const namespace of ['shop', 'checkout-staging-eu']) {
      const where = page.getByRole('row').getByText(`${namespace} · Deployment`);
      await where.waitFor();
      const shown = await where.evaluate((element, length) => {
        const name = document.createRange();
        name.setStart(element.firstChild!, 0);
        name.setEnd(element.firstChild!, length);
        const [text, box] = [name.getBoundingClientRect(), element.getBoundingClientRect()];
        return text.width > 0 && text.bottom <= box.bottom + 1 && text.right <= box.right + 1;
      }, namespace.length);
      expect([namespace, shown]).toEqual([namespace, true]);
    }
    await watched.shot('phone-resources', { whole: false });
    expect(await watched.axe()).toEqual([]);
  });

  it.each([
    ['control?act=wake', 'Wake the cluster?'],
    ['control?act=hibernate', 'Hibernate the cluster now?'],
    ['control?act=stand-down', 'Stand the service down?'],
    ['calendar?set=1&date=2026-11-05', 'Set other hours for a date'],
  ])('the confirmation at %s names the cluster', async (path, title) => {
    const { page } = watched;
    await page.goto(`${stack.url}/#/${path}`);
    const dialog = page.getByRole('dialog');
    await dialog.getByText(title).waitFor();
    await dialog.getByText(`Cluster ${clusterName}`).waitFor();
    await watched.shot(`phone-${title.split(' ')[0]?.toLowerCase()}`, { whole: false });
    expect(await watched.axe()).toEqual([]);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(watched.problems).toEqual([]);
  });
});
