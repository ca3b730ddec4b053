import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askForCode, launchBrowser, signIn, Watched } from './browser.ts';
import { shop } from './fleet.ts';
import { adminAddress, Stack, until, userAddress } from './stack.ts';

let stack: Stack;
let browser: Browser;

beforeAll(async () => {
  stack = await Stack.start({
    objects: shop,
    config: {
      auth: { adminUsers: [adminAddress], allowedEmailDomains: ['example.com'], webauthn: { enabled: true } },
    },
  });
  await stack.fastUntil(() => stack.allReady());
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

describe('sign-in', () => {
  it('takes the mailed code and shows the status in one sentence', async () => {
    const watched = await Watched.open(browser, stack.url);
    await watched.page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await watched.shot('sign-in');
    expect(await watched.axe()).toEqual([]);
    await signIn(watched, stack, adminAddress);
    await watched.page.getByText('Awake until 20:00 (Europe/Berlin), 5 of 5 up').waitFor();
    expect(await watched.page.title()).toBe('Awake · demo');
    await watched.shot('overview');
    expect(await watched.axe()).toEqual([]);

    // The access token is nowhere to be found, and a reload goes on by the cookie alone.
    const kept = await watched.page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }));
    expect(kept).not.toContain('eyJ');
    await watched.page.reload();
    await watched.page.getByText('Awake until 20:00 (Europe/Berlin), 5 of 5 up').waitFor();
    expect(watched.problems).toEqual([]);
    await watched.close();
  });

  it('tells a wrong code, and that three of them spend the right one', async () => {
    const watched = await Watched.open(browser, stack.url);
    watched.expectProblem(/status of (401|429)/);
    const { page } = watched;
    await page.getByLabel('E-mail address').fill(userAddress);
    await page.getByRole('button', { name: 'Send me a code' }).click();
    for (const said of [
      'The code is wrong or has expired.',
      'The code is wrong or has expired.',
      'too many attempts',
    ]) {
      await page.getByLabel('Code').fill('00000000');
      await page.getByText(said).waitFor();
      await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
    }
    await watched.shot('sign-in-spent');
    expect(await page.getByLabel('Code').isDisabled()).toBe(true);
    // Whoever asks for another need not type the address again.
    await page.getByRole('button', { name: 'Ask for a new code' }).click();
    expect(await page.getByLabel('E-mail address').inputValue()).toBe(userAddress);
    expect(watched.problems).toEqual([]);
    await watched.close();
  });

  it('takes the link of the mail on a click, and leaves its token nowhere', async () => {
    const watched = await Watched.open(browser, stack.url);
    const { page } = watched;
    const { link } = await askForCode(watched, stack, userAddress);
    await page.goto('about:blank');
    await page.goto(link);
    await page.getByRole('button', { name: 'Sign in with the link' }).waitFor();
    await watched.shot('magic-link');
    await page.getByRole('button', { name: 'Sign in with the link' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    expect(page.url()).not.toContain('link=');
    expect(watched.problems).toEqual([]);
    await watched.close();
  });

  it('works with a passkey, once one is added', async () => {
    const watched = await Watched.open(browser, stack.url);
    const { page } = watched;
    const devtools = await watched.context.newCDPSession(page);
    await devtools.send('WebAuthn.enable');
    await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    await signIn(watched, stack, adminAddress);
    await page.goto(`${stack.url}/#/account`);
    await page.getByText('You have no passkey').waitFor();
    await page.getByLabel('Name of the device (optional)').fill('Work laptop');
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByText('Work laptop', { exact: true }).waitFor();
    await until(() => page.evaluate(() => document.activeElement?.textContent === 'Add a passkey'));
    expect(await page.getByRole('button', { name: 'Remove Work laptop, 1 of 1', exact: true }).count()).toBe(1);
    await page.route('**/api/v1/passkeys/**', (route) => route.abort());
    watched.expectProblem(/net::ERR_/);
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByText('No answer came back. Check your connection and try again.').waitFor();
    await page.unrouteAll();
    await watched.shot('passkeys');
    expect(await watched.axe()).toEqual([]);
    await page.getByRole('button', { name: 'Account' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await page.getByText('Work laptop', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Remove Work laptop, 1 of 1', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByTestId('toast').getByText('The passkey Work laptop is removed.').waitFor();
    expect(watched.problems).toEqual([]);
    await watched.close();
  });
});
