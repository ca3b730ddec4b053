import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser, signIn, Watched } from './browser.ts';
import { shop } from './fleet.ts';
import { PageTime } from './page-time.ts';
import { adminAddress, Stack } from './stack.ts';

let stack: Stack;
let browser: Browser;

beforeAll(async () => {
  stack = await Stack.start({ objects: shop, controller: false });
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

describe('a state that cannot be read', () => {
  it.each(['resource_states', 'wake_override'])(
    'by a spoilt %s shows the key and the repair, guesses nothing and clears itself',
    async (key) => {
      const watched = await Watched.open(browser, stack.url);
      const { page } = watched;
      watched.expectProblem(/status of 503/);
      const time = await PageTime.install(page);
      await signIn(watched, stack, adminAddress);
      await page.getByTestId('status-sentence').waitFor();
      stack.setState(key, '{spoilt');
      await time.passUntil(page.getByTestId('unreadable-state').first());
      await page
        .getByText(`-n svc --type merge -p '{"data":{"${key}":"${key === 'resource_states' ? '[]' : ''}"}}'`)
        .waitFor();
      const shown = (await page.locator('main').textContent()) ?? '';
      expect(shown).not.toMatch(/awake|asleep|hibernated until|of \d+ up/i);
      expect(await page.title()).toMatch(/^Unknown/);
      await watched.shot(`unreadable-${key}`);
      expect(await watched.axe()).toEqual([]);

      await page.goto(`${stack.url}/#/control`);
      await page.getByTestId('unreadable-state').waitFor();
      expect(await page.getByRole('button', { name: 'Stand down', exact: true }).isDisabled()).toBe(true);
      await watched.shot(`unreadable-${key}-control`);

      stack.setState(key, key === 'resource_states' ? '[]' : '');
      await time.passUntil(page.getByTestId('status-sentence'));
      expect(await page.getByTestId('unreadable-state').count()).toBe(0);
      expect(watched.problems).toEqual([]);
      await watched.close();
    },
  );
});
