import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFailed } from 'vitest';
import type { Manifest } from '../../embedded-cluster/apply-objects.ts';
import { launchBrowser, signIn, Watched } from './browser.ts';
import { deployment, namespaces, tiers } from './fleet.ts';
import { adminAddress, Stack } from './stack.ts';

const objects = [
  ...namespaces('shop'),
  deployment('shop', 'orders-cache', { tier: 'data', replicas: 1 }),
  deployment('shop', 'archive', {
    tier: 'data',
    replicas: 1,
    behaviour: { 'start-seconds': '1700', 'terminate-seconds': '30' },
    startupProbe: { failureThreshold: 180, periodSeconds: 10 },
  }),
  deployment('shop', 'cart', { behaviour: { 'start-seconds': '40' } }),
  deployment('shop', 'invoicing', {
    replicas: 1,
    behaviour: { 'crash-after-seconds': '10', 'crash-times': '2', 'start-seconds': '20' },
  }),
  deployment('shop', 'gpu-upscaler', { tier: 'frontend', replicas: 1, nowhere: true }),
  deployment('shop', 'storefront', { tier: 'frontend', behaviour: { 'terminate-seconds': '25' } }),
];

let stack: Stack;
let browser: Browser;
let watched: Watched;

beforeAll(async () => {
  const wakeOrdering = tiers('data', 'backend', 'frontend');
  // What wakes first is not the last to go down: a hibernation that overtakes a wake then has a tier to wait for.
  const hibernateOrdering = tiers('frontend', 'data', 'backend');
  // Long enough for all but the archive, and short enough to be sat out.
  const controller = { wakeBarrierTimeout: '2m' };
  stack = await Stack.start({ objects, config: { controller, wakeOrdering, hibernateOrdering } });
  browser = await launchBrowser();
  watched = await Watched.open(browser, stack.url);
  await signIn(watched, stack, adminAddress);
});

afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

/** Asks for an act on its page and turns to the transition. */
async function act(name: 'hibernate' | 'wake', button: string): Promise<void> {
  const { page } = watched;
  await page.goto(`${stack.url}/#/control?act=${name}`);
  await page.getByRole('dialog').getByRole('button', { name: button }).click();
  await page.goto(`${stack.url}/#/wake`);
}

const heading = (name: string | RegExp) => watched.page.getByRole('heading', { name });

describe('a tiered hibernation', () => {
  it('is watched from its first tier to its end', async () => {
    onTestFailed(() => watched.shot('failed-hibernation'));
    const { page } = watched;
    await act('hibernate', 'Trigger Manual Hibernation');
    await heading('Hibernating Resources').waitFor();
    const tier = (name: string) => page.getByRole('list', { name: 'Tiers' }).locator('> li').filter({ hasText: name });
    // The pods of the first tier take their time; the others wait for them.
    await page.getByTestId('draining').getByText('Deployment shop/storefront is lowered').waitFor();
    await page
      .getByTestId('tier-deadline')
      .getByText(/^Time-out in \d/)
      .waitFor();
    expect(await tier('data').getByText('Waits for the tier before').isVisible()).toBe(true);
    await watched.shot('hibernation-first-tier');
    expect(await watched.axe()).toEqual([]);

    await stack.fastUntil(() => heading('Hibernation Complete').isVisible(), 20);
    await page.getByText('6 of 6', { exact: true }).waitFor();
    for (const name of ['frontend', 'backend', 'data']) {
      expect(await tier(name).getByText('Asleep', { exact: true }).isVisible()).toBe(true);
    }
    await watched.shot('hibernation-complete');
    expect(await watched.axe()).toEqual([]);
    expect(watched.problems).toEqual([]);
  });
});

/** How many were up when the wake was over, as the page said then: it does not say so for long. */
let upAtTheEnd = '';

describe('a tiered wake', () => {
  it('is watched from its first tier to its end, with a failed, a recovered and a still-starting workload', async () => {
    onTestFailed(() => watched.shot('failed-wake'));
    const { page } = watched;
    await act('wake', 'Wake Up Resources');
    await page.getByRole('heading', { name: 'Waking Up Resources' }).waitFor();
    await page
      .getByTestId('barrier')
      .getByText(/^Barrier in \d/)
      .waitFor();
    await page.getByText('Waits for the tier before').first().waitFor();
    await page.getByText('Initiated by').waitFor();
    await watched.shot('wake-first-tier');
    expect(await watched.axe()).toEqual([]);

    // Past the barrier of the first tier, whose slow member is walked past. No faster than this: what crashes after it
    // must be seen while it is down, by a controller that a busy machine may hold up for a second.
    await stack.fastUntil(() => page.getByText('Wake Barrier Timeout: released without waiting').isVisible(), 20);
    await stack.fastUntil(() => page.locator('[data-phase=recovered]').first().isVisible(), 20);
    await page
      .getByText(/invoicing restarted twice before it was ready.*came up/)
      .first()
      .waitFor();
    await watched.shot('wake-recovered');

    // Leaving and coming back loses nothing.
    await page.reload();
    await page
      .getByText(/invoicing restarted twice before it was ready.*came up/)
      .first()
      .waitFor();

    await stack.fastUntil(
      () =>
        page
          .getByText(/gpu-upscaler was still Unschedulable after 15 minutes/)
          .first()
          .isVisible(),
      300,
    );
    await stack.fastUntil(() => page.getByRole('heading', { name: /^Wake Complete/ }).isVisible(), 120);
    expect(await page.getByRole('heading', { name: /^Wake Complete/ }).textContent()).toBe(
      'Wake Complete - 1 workload failed',
    );
    const casualties = await page
      .getByTestId('casualties')
      .locator('li')
      .evaluateAll((lines) => lines.map((line) => line.getAttribute('data-phase')));
    expect(casualties).toEqual(['failed', 'recovered']);
    upAtTheEnd = (await page.getByText(/^\d of the \d that the wake waits for/).textContent()) ?? '';
    await watched.shot('wake-complete');
    expect(await watched.axe()).toEqual([]);
    // The path names the tier that took longest, and who in each was waited for.
    await heading('Critical path').waitFor();
    const path = page.getByTestId('critical-path').locator('li');
    expect(await path.count()).toBe(3);
    await path.nth(0).getByText('Held longest by Deployment shop/archive').waitFor();
    await path
      .nth(2)
      .getByText(/^frontend \(longest\)$/)
      .waitFor();
    await path.nth(2).getByText('Held longest by Deployment shop/gpu-upscaler').waitFor();
    expect(await page.locator('[data-phase=still_starting]').count()).toBe(1);

    await page.goto(`${stack.url}/#/activity`);
    // In the log: what is read aloud says the same.
    const log = page.getByRole('main');
    await log.getByText('Wake Complete - 1 workload failed').first().click();
    await log.getByText(/gpu-upscaler was still Unschedulable after 15 minutes/).waitFor();
    await watched.shot('wake-entry');
    expect(watched.problems).toEqual([]);
  }, 240_000);
});

describe('after a wake with a casualty', () => {
  it('the overview says which failed and why, and leads to those that are not up', async () => {
    onTestFailed(() => watched.shot('failed-after-wake'));
    const { page } = watched;
    await page.goto(`${stack.url}/#/`);
    const left = page.getByTestId('unfinished');
    await left.getByText('Wake Complete - 1 workload failed').waitFor();
    await left.getByText('was still Unschedulable after 15 minutes').waitFor();
    await page.getByText('Awake, 1 workload failed').waitFor();
    await watched.shot('overview-after-failed-wake');
    expect(await watched.axe()).toEqual([]);

    await page
      .getByTestId('counts')
      .getByRole('link', { name: /of 6 up/ })
      .click();
    await page.getByRole('heading', { name: 'Resources', level: 1 }).waitFor();
    const row = page.getByRole('row').filter({ hasText: 'gpu-upscaler' });
    await row.getByText('Starting').waitFor();
    expect(await page.getByRole('row').filter({ hasText: 'storefront' }).count()).toBe(0);
    await watched.shot('resources-not-up');
  });

  it('a failed line leads to the page of its workload: why, the pods now, its nights and what to type', async () => {
    onTestFailed(() => watched.shot('failed-workload-page'));
    const { page } = watched;
    await page.goto(`${stack.url}/#/`);
    await page.getByTestId('unfinished').getByRole('link', { name: 'Deployment shop/gpu-upscaler' }).click();
    await page.getByRole('heading', { name: 'shop/gpu-upscaler', level: 1 }).waitFor();
    await page.getByTestId('why').getByText('Deployment shop/gpu-upscaler is at 1 replica, 0 ready.').waitFor();
    await page
      .getByTestId('pod-trouble')
      .getByText(/^No node takes it: /)
      .waitFor();
    await page
      .getByRole('row')
      .filter({ hasText: /was still Unschedulable after 15 minutes/ })
      .waitFor();
    await page.getByText('kubectl describe deployment/gpu-upscaler -n shop').waitFor();
    expect(await watched.everyLook('workload')).toEqual([]);
    // The address is the page: whoever gets it sees the same.
    await page.reload();
    await page.getByRole('heading', { name: 'shop/gpu-upscaler', level: 1 }).waitFor();
    expect(watched.problems).toEqual([]);
  });

  it('the wake has a page that stays, with tiers, verdicts and what held it', async () => {
    onTestFailed(() => watched.shot('failed-past-transition'));
    const { page } = watched;
    await page.getByRole('link', { name: 'Wake Complete - 1 workload failed' }).first().click();
    await page.getByRole('heading', { name: 'Wake Complete - 1 workload failed', level: 1 }).waitFor();
    const counted = await page.getByText(/^\d of the \d that it waited for$/).textContent();
    const path = page.getByTestId('critical-path').getByRole('listitem');
    await path.nth(2).getByText('Held longest by Deployment shop/gpu-upscaler').waitFor();
    expect(await watched.everyLook('past-transition')).toEqual([]);
    // One count, one meaning: what the log says is what was on the screen.
    expect(counted?.replace('it waited for', 'the wake waits for')).toBe(upAtTheEnd);
    await page.getByRole('link', { name: 'All transitions' }).click();
    await page.getByTestId('compared').getByText('Held the longest tier most often').waitFor();
    await page.getByTestId('compared').getByRole('button', { name: 'Show as a table' }).click();
    await page.getByRole('columnheader', { name: 'Whole wake' }).waitFor();
    expect(await watched.everyLook('compared-wakes')).toEqual([]);
  });

  it('the workload is tried again by two clicks, and only it', async () => {
    onTestFailed(() => watched.shot('failed-try-again'));
    const { page } = watched;
    await page.goto(`${stack.url}/#/resources/Deployment/shop/gpu-upscaler`);
    await page.getByRole('button', { name: 'Try again' }).click();
    const dialog = page.getByRole('dialog', { name: /^Try Deployment shop\/gpu-upscaler again\?/ });
    await dialog.getByText('A wake of this workload alone begins.').waitFor();
    await watched.shot('try-again');
    expect(await watched.axe()).toEqual([]);
    await dialog.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('Deployment shop/gpu-upscaler is woken again.').waitFor();
    await page.goto(`${stack.url}/#/wake`);
    await page.getByText('0 of the 1 that the wake waits for').waitFor();
    await stack.fastUntil(() => stack.state('transition') === undefined, 300);
    await page.goto(`${stack.url}/#/activity`);
    await page.getByRole('link', { name: 'Wake Requested' }).first().click();
    // In the entry: what is read aloud may name it, too.
    await page.getByRole('main').getByText('Deployment shop/gpu-upscaler').waitFor();
  }, 240_000);

  it('it is no longer told once the workload is up', async () => {
    const { page } = watched;
    // The store keeps objects of any kind; this one is a Deployment.
    const at = stack.cluster.store.get('deployments.apps', 'shop', 'gpu-upscaler') as unknown as Deployment;
    const { nodeSelector: _, ...spec } = at.spec.template.spec;
    const template = { ...at.spec.template, spec };
    stack.cluster.apply([{ ...at, spec: { ...at.spec, template } }]);
    await page.goto(`${stack.url}/#/`);
    await page.getByTestId('unfinished').waitFor();
    const ready = () => stack.cluster.store.get('deployments.apps', 'shop', 'gpu-upscaler')?.['status'];
    await stack.fastUntil(() => (ready() as { readyReplicas?: number } | undefined)?.readyReplicas === 1, 20);
    // The page asks again by itself; a reload only spares the wait for its poll.
    await page.reload();
    await page.waitForResponse((response) => response.url().includes('/resources') && response.ok());
    await page
      .getByRole('paragraph')
      .filter({ hasText: /^Awake$/ })
      .waitFor();
    await page.getByTestId('unfinished').waitFor({ state: 'detached' });
  });
});

interface Deployment extends Manifest {
  readonly spec: { readonly template: { readonly spec: Readonly<Record<string, unknown>> } };
}

describe('a transition that another takes over from', () => {
  it('ends on the page, which says what became of it', async () => {
    onTestFailed(() => watched.shot('failed-superseded'));
    const { page } = watched;
    await act('hibernate', 'Trigger Manual Hibernation');
    await stack.fastUntil(() => heading('Hibernation Complete').isVisible(), 20);
    await act('wake', 'Wake Up Resources');
    await heading('Waking Up Resources').waitFor();
    // What runs by then leaves slowly, so that the hibernation still runs when a busy machine gets round to stopping it.
    await stack.fastUntil(() => page.locator('[data-phase=starting]').filter({ hasText: 'archive' }).isVisible(), 5);
    await act('hibernate', 'Trigger Manual Hibernation');
    await heading('Hibernating Resources').waitFor();
    await page
      .getByTestId('before')
      .getByText(
        /^The wake that began at .* did not run its course\. Superseded: a hibernation started during the wake\.$/,
      )
      .waitFor();
    await watched.shot('wake-superseded');
    expect(await watched.axe()).toEqual([]);

    await page.goto(`${stack.url}/#/control`);
    await page.getByRole('button', { name: 'Stand down', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Stand down', exact: true }).click();
    await page.goto(`${stack.url}/#/wake`);
    await page
      .getByTestId('before')
      .getByText(/^The hibernation that began at .* did not run its course\. Stopped: the cluster was wanted up again/)
      .waitFor();
    await page.getByText(`${adminAddress} (stand-down)`).waitFor();
    await watched.shot('hibernation-stopped');
    expect(watched.problems).toEqual([]);
  });
});
