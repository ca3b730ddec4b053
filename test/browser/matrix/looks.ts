import type { Locator, Page } from 'playwright-core';

// What is looked at in a cell of the matrix. Each answers with what is wrong, nothing when all is well.

/** Of the test; on a machine of its own everything is there at once. */
const patienceMs = 30_000;
const stepMs = 5_000;
/** Longer than an answer is waited for, with every further try. */
const mostStepsOfPage = 20;

async function appears(what: Locator, name: string): Promise<readonly string[]> {
  try {
    await what.first().waitFor({ timeout: patienceMs });
    return [];
  } catch {
    return [`${name} is not shown`];
  }
}

function skeletons(page: Page): Locator {
  return page.locator('main').getByRole('status', { name: 'Loading' });
}

async function isSettled(page: Page): Promise<readonly string[]> {
  try {
    await skeletons(page).first().waitFor({ state: 'detached', timeout: patienceMs });
    return [];
  } catch {
    return ['it waits without end'];
  }
}

/** One heading of the first level, with this text where it is known, and this among what it says. */
export async function shows(
  page: Page,
  heading: string | undefined,
  text: string,
  within = 'main',
): Promise<readonly string[]> {
  const title = heading === undefined ? {} : { name: heading };
  return [
    ...(await appears(page.getByRole('heading', { level: 1, ...title }), `the heading ${heading ?? ''}`)),
    ...(await appears(page.locator(within).getByText(text).filter({ visible: true }), `"${text}"`)),
    ...(await isSettled(page)),
    ...(await oneHeading(page)),
  ];
}

async function oneHeading(page: Page): Promise<readonly string[]> {
  const count = await page.getByRole('heading', { level: 1 }).count();
  return count === 1 ? [] : [`it has ${count} headings of the first level`];
}

/** The page's own clock goes on until nothing is waited for any more; then it says why. */
export async function saysWhy(page: Page, heading: string, why: RegExp): Promise<readonly string[]> {
  const alert = page.locator('main').getByRole('alert').filter({ hasText: why });
  // A page is there before its skeleton is.
  await page.locator('main').locator('h1, [role=alert]').first().waitFor({ timeout: patienceMs });
  for (
    let step = 0;
    step < mostStepsOfPage && ((await skeletons(page).count()) > 0 || (await alert.count()) === 0);
    step++
  ) {
    await page.clock.runFor(stepMs);
  }
  return [
    ...((await skeletons(page).count()) === 0 ? [] : ['it waits without end']),
    ...((await alert.count()) === 0 ? [`it does not say ${why}`] : []),
    ...(await appears(page.getByRole('heading', { level: 1, name: heading }), `the heading ${heading}`)),
    ...(await oneHeading(page)),
  ];
}

/** Offline the frame says so, and a page that was never fetched says what becomes of it. */
export async function isOffline(page: Page, heading: string): Promise<readonly string[]> {
  const said = page.getByText(/Not live|offline/i).filter({ visible: true });
  return [
    ...(await appears(said, 'that there is no connection')),
    ...(await isSettled(page)),
    ...(await appears(page.getByRole('heading', { level: 1, name: heading }), `the heading ${heading}`)),
  ];
}

/** What is not open to somebody is not offered to be tried again. */
export async function forOthers(page: Page, heading: string): Promise<readonly string[]> {
  const wrong = [
    ...(await appears(page.getByRole('heading', { level: 1, name: heading }), `the heading ${heading}`)),
    ...(await isSettled(page)),
  ];
  const again = await page.locator('main').getByRole('button', { name: 'Try again' }).count();
  return again === 0 ? wrong : [...wrong, 'it offers to try again what is not allowed'];
}

/** A page scrolls down, never sideways. */
export async function fits(page: Page): Promise<readonly string[]> {
  const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  return over <= 0 ? [] : [`it is ${over} pixels too wide`];
}

/** Text against its ground, as the browser draws it. */
async function luminance(page: Page): Promise<{ readonly text: number; readonly ground: number }> {
  return page.evaluate(() => {
    const of = (color: string) => {
      const canvas = new OffscreenCanvas(1, 1).getContext('2d')!;
      canvas.fillStyle = color;
      canvas.fillRect(0, 0, 1, 1);
      const [red = 0, green = 0, blue = 0] = canvas.getImageData(0, 0, 1, 1).data;
      return (0.2126 * red + 0.7152 * green + 0.0722 * blue) / 255;
    };
    const heading = document.querySelector('h1')!;
    return { text: of(getComputedStyle(heading).color), ground: of(getComputedStyle(document.body).backgroundColor) };
  });
}

export async function isDark(page: Page): Promise<readonly string[]> {
  const { text, ground } = await luminance(page);
  return ground < 0.2 && text > 0.6 ? [] : [`text of ${text.toFixed(2)} stands on ${ground.toFixed(2)}`];
}

/** In the system's colors text is told from its ground, and what can be pressed has an edge. */
export async function canBeSeen(page: Page): Promise<readonly string[]> {
  const { text, ground } = await luminance(page);
  const without = await page.evaluate(
    () =>
      [...document.querySelectorAll('main .MuiButton-contained')].filter((button) => {
        const { borderStyle, outlineStyle, forcedColorAdjust } = getComputedStyle(button);
        return borderStyle === 'none' && outlineStyle === 'none' && forcedColorAdjust !== 'none';
      }).length,
  );
  return [
    ...(Math.abs(text - ground) > 0.5 ? [] : ['the heading cannot be told from its ground']),
    ...(without === 0 ? [] : [`${without} buttons have no edge`]),
  ];
}

const tabs = 6;

/** The keyboard gets past the menu into the page, and shows where it is. */
export async function byKeyboard(page: Page): Promise<readonly string[]> {
  const focusable = 'main :is(a[href], button:not(:disabled), input:not(:disabled), select, [tabindex="0"])';
  const count = await page.locator(focusable).filter({ visible: true }).count();
  await page.evaluate(() => {
    (document.activeElement as HTMLElement | null)?.blur();
    document.body.tabIndex = -1;
    document.body.focus();
    document.body.removeAttribute('tabindex');
  });
  await page.keyboard.press('Tab');
  const skip = await page.evaluate(() => document.activeElement?.textContent ?? '');
  if (skip !== 'Skip to the page') return [`the first stop is "${skip}" and not the way past the menu`];
  await page.keyboard.press('Enter');
  const wrong: string[] = [];
  for (let tab = 0; tab < Math.min(count, tabs); tab++) {
    await page.keyboard.press('Tab');
    const at = await page.evaluate(() => {
      const element = document.activeElement;
      if (element === null || element.closest('main') === null) return { inside: false, marked: false, name: '' };
      const rings = [element, element.closest('.Mui-focused, .MuiInputBase-root'), element.querySelector('fieldset')];
      const marked = rings.some((one) => {
        if (one === null) return false;
        const { outlineStyle, boxShadow } = getComputedStyle(one);
        return outlineStyle !== 'none' || boxShadow !== 'none' || one.classList.contains('Mui-focused');
      });
      return { inside: true, marked, name: element.outerHTML.slice(0, 120) };
    });
    if (!at.inside) wrong.push(`stop ${tab + 1} is outside the page`);
    else if (!at.marked) wrong.push(`nothing shows that ${at.name} has the focus`);
  }
  return wrong;
}
