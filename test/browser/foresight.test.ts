import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser, signIn, Watched } from './browser.ts';
import { deployment, shop } from './fleet.ts';
import { adminAddress, Stack, tuesdayNoon } from './stack.ts';

let stack: Stack;
let browser: Browser;
let watched: Watched;

const minute = 60_000;
/** Twenty minutes before the cluster would go to sleep. */
const week = Object.fromEntries(
  ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'].map((day) => [day, '08:00-12:20']),
);

beforeAll(async () => {
  // One more, which its owner keeps at zero.
  const objects = [...shop, deployment('shop', 'archive', { replicas: 0 })];
  stack = await Stack.start({ objects, config: { workingHours: { timezone: 'Europe/Berlin', schedule: week } } });
  await stack.fastUntil(() => stack.allReady());
  browser = await launchBrowser();
  watched = await Watched.open(browser, stack.url);
  await signIn(watched, stack, adminAddress);
});

afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

const says = (text: string | RegExp) => watched.page.getByTestId('what-changes').getByText(text);
const timeline = () => watched.page.getByRole('img', { name: /^Tue 3 Nov 2026: / });
const ask = async (act: string) => {
  await watched.page.goto(`${stack.url}/#/control?act=${act}`);
  await watched.page.getByRole('dialog').waitFor();
};
const confirm = async (name: string) => {
  await watched.page.getByRole('dialog').getByRole('button', { name, exact: true }).click();
  await watched.page.getByRole('dialog').waitFor({ state: 'detached' });
};
const overview = () => watched.page.goto(`${stack.url}/#/`);

describe('what will be', () => {
  it('is counted alike in the dialog and for tonight', async () => {
    const { page } = watched;
    await ask('hibernate');
    await says('5 workloads will be scaled to zero or suspended').waitFor();
    await says('1 workload is down by its owner, and nobody touches it.').waitFor();
    await page.goto(`${stack.url}/#/tonight`);
    await page.getByText('5 workloads would be scaled to zero or suspended').waitFor();
    await page.getByText('1 workload is down by its owner, and nobody touches it.').waitFor();
    await overview();
    await page.getByTestId('counts').getByText('5 of 6 up').waitFor();
    await page.getByTestId('counts').getByText('1 down by its owner').waitFor();
  });

  it('is drawn as the sentence says it, when somebody keeps the cluster awake', async () => {
    const { page } = watched;
    await ask('keep-awake');
    await page.getByLabel('Awake until (Europe/Berlin)').fill('2026-11-03T23:30');
    await confirm('Keep awake');
    await overview();
    await page.getByTestId('status-sentence').getByText('Awake until 23:30').waitFor();
    const name =
      /^Tue 3 Nov 2026: .*Awake \d\d:\d\d–23:30 \(Europe\/Berlin\): woken by ada@example\.com.*Asleep 23:30–24:00/;
    await page.getByRole('img', { name }).waitFor();
    await watched.shot('week-kept-awake');
    await page.getByRole('button', { name: 'List', exact: true }).click();
    await page.getByText(/Awake \d\d:\d\d–23:30 \(Europe\/Berlin\): woken by ada@example\.com/).waitFor();
    expect(await watched.axe()).toEqual([]);
  });

  it('is said before the schedule is resumed, with the number', async () => {
    await ask('resume');
    await says(/^The schedule then says: Awake until 12:20/).waitFor();
    await says('So everything stays as it is now.').waitFor();
    await stack.fastUntil(() => stack.clock.now() > tuesdayNoon + 25 * minute, 600);
    await watched.page.reload();
    await says(/^The schedule then says: Hibernated until/).waitFor();
    await says('So 5 workloads will go to sleep at once.').waitFor();
    await watched.shot('resume-confirm');
  });

  it('is drawn and said in a stand-down', async () => {
    const { page } = watched;
    await ask('stand-down');
    await confirm('Stand down');
    await overview();
    await timeline().waitFor();
    await page
      .getByRole('img', {
        name: /^Tue 3 Nov 2026: .*Nothing is scaled \d\d:\d\d–24:00.*stood down by ada@example\.com/,
      })
      .waitFor();
    expect(await timeline().getAttribute('aria-label')).not.toMatch(/Asleep/);
    await watched.shot('week-stood-down');
    await ask('end-stand-down');
    await says(/^The schedule then says: Hibernated until/).waitFor();
    await says('So 5 workloads will go to sleep at once.').waitFor();
    await watched.shot('end-stand-down-confirm');
    expect(watched.problems).toEqual([]);
  });
});
