import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFailed } from 'vitest';
import { accountSpan, type Sample } from '../../src/domain/insight/account.ts';
import { encodeHead, encodeMonth, headKey, monthOf } from '../../src/domain/insight/ledger-text.ts';
import { exampleSchedule, officeWeek } from '../support/examples/schedule-examples.ts';
import { launchBrowser, signIn, Watched } from './browser.ts';
import { deployment, namespaces } from './fleet.ts';
import { adminAddress, Stack, tuesdayNoon } from './stack.ts';

let stack: Stack;
let browser: Browser;
let watched: Watched;

const dayMs = 86_400_000;
const objects = [
  ...namespaces('shop', 'payments', 'media'),
  deployment('shop', 'storefront'),
  deployment('shop', 'cart'),
  deployment('shop', 'cache', { annotations: { 'svc.io/exclude': 'true' } }),
  deployment('payments', 'ledger'),
  deployment('payments', 'fraud-scoring'),
  deployment('media', 'resizer', { replicas: 0 }),
];

beforeAll(async () => {
  // Nothing acts: the books are what the test writes, by the product's own accounting.
  stack = await Stack.start({
    objects,
    controller: false,
    config: { resourceRules: { neverScale: [{ namespace: 'payments', name: 'ledger' }] } },
  });
  browser = await launchBrowser();
  watched = await Watched.open(browser, stack.url);
  await signIn(watched, stack, adminAddress);
});

afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

/** Four weeks of nights; the cluster woke an hour early on some days. */
function books(): Record<string, string> {
  const schedule = exampleSchedule('Europe/Berlin', officeWeek);
  const request = (cores: number) => ({ amd64: cores, arm64: 0, memory: cores * 2 });
  const uses = (downSince?: number) =>
    ['shop', 'payments'].map((namespace, index) => ({
      namespace,
      request: request(4 - index),
      ...(downSince === undefined ? {} : { downSince }),
    }));
  let days: ReturnType<typeof accountSpan> = new Map();
  for (let at = tuesdayNoon - 28 * dayMs; at < tuesdayNoon; ) {
    const { awake, to } = schedule.stretchAt(at);
    const end = Math.min(to ?? tuesdayNoon, tuesdayNoon);
    const wakes = awake || end % (3 * dayMs) > dayMs ? end : end - 3_600_000;
    const enter = (from: number, until: number, sample: Sample) => {
      days = accountSpan(days, { from, to: until }, sample, schedule);
    };
    enter(at, wakes, awake ? { uses: uses(), databases: [] } : { asleepSince: at, uses: uses(at), databases: [] });
    if (wakes < end) enter(wakes, end, { uses: uses(), databases: [] });
    at = end;
  }
  const months = Map.groupBy(days, ([date]) => monthOf(date));
  return {
    [headKey]: encodeHead({ accountedUntil: tuesdayNoon, nights: [] }),
    ...Object.fromEntries([...months].map(([month, rows]) => [month, encodeMonth(new Map(rows))])),
  };
}

describe('the insights', () => {
  it('are a projection before the first night, marked as one, and say what keeps the rest up', async () => {
    onTestFailed(() => watched.shot('failed-projection'));
    const { page } = watched;
    await page.goto(`${stack.url}/#/insights`);
    await page.getByRole('heading', { name: 'The coming week, projected' }).waitFor();
    await page.getByText('Hours asleep: Projected 108 h').waitFor();
    await page.getByText('Nothing of it has been measured.').waitFor();
    const fleet = page.getByTestId('fleet');
    await fleet.getByText('3 workloads of 6 sleep with the cluster (50 %)').waitFor();
    await fleet.getByText('2 of 3 sleep, 1 excluded').waitFor();
    expect(await watched.everyLook('insights-projection')).toEqual([]);
    await fleet.getByRole('button', { name: 'Show as a table' }).click();
    await fleet.getByRole('columnheader', { name: 'Never scaled' }).waitFor();
    expect(watched.problems).toEqual([]);
  }, 120_000);

  it('are pictures of what was planned beside what came of it, by day and by week, with the table one click away', async () => {
    onTestFailed(() => watched.shot('failed-insights'));
    const { page } = watched;
    stack.cluster.apply([
      {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'svc-insights', namespace: 'svc' },
        data: books(),
      },
    ]);
    await page.goto(`${stack.url}/#/`);
    await page.reload();
    await page.goto(`${stack.url}/#/insights`);
    const measure = page.getByTestId('measure');
    await measure
      .getByRole('img', { name: /^Hours asleep by day, 29 in all\. Actual \d+ h, Planned 433 h\./ })
      .waitFor();
    expect(await page.getByRole('heading', { name: 'The coming week, projected' }).count()).toBe(0);
    expect(await watched.everyLook('insights')).toEqual([]);
    await page.getByRole('button', { name: 'By week' }).click();
    await page.getByRole('button', { name: 'CO2e avoided' }).click();
    await measure.getByRole('img', { name: /^CO2e avoided by week, 5 in all/ }).waitFor();
    await watched.shot('insights-by-week');
    await measure.getByRole('button', { name: 'Show as a table' }).click();
    await measure.getByRole('columnheader', { name: 'Planned, kg' }).waitFor();
    expect(await watched.axe()).toEqual([]);
    expect(watched.problems).toEqual([]);
  }, 120_000);
});
