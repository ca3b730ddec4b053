import type { Locator, Page } from 'playwright-core';

// What is looked at in a cell of the matrix. Each answers with what is wrong, nothing when all is well.

/** How long a page may take to be there. On a machine of its own everything is there at once. */
export interface Patience {
  /** Until it has a heading and waits for nothing. */
  readonly settleMs: number;
  /** Then for what it should say: a page that has settled says it already. */
  readonly saysMs: number;
}

const patient: Patience = { settleMs: 30_000, saysMs: 10_000 };

const stepMs = 5_000;
/** A heading that was there before the address changed; see `leave`. */
const left = 'data-left';

/** Before the address changes: what is on the screen now is not taken for the next page. */
export async function leave(page: Page): Promise<void> {
  await page.evaluate((mark) => {
    for (const heading of document.querySelectorAll('h1')) heading.setAttribute(mark, '');
  }, left);
}

const headings = (page: Page) => page.locator(`h1:not([${left}])`);
const skeletons = (page: Page) => page.locator('main').getByRole('status', { name: 'Loading' });

async function happens(what: Promise<void>, otherwise: string): Promise<readonly string[]> {
  try {
    await what;
    return [];
  } catch {
    return [otherwise];
  }
}

const appears = (what: Locator, name: string, timeout: number) =>
  happens(what.first().waitFor({ timeout }), `${name} is not shown`);

/** There, and waits for nothing any more. */
async function isSettled(page: Page, { settleMs: timeout }: Patience): Promise<readonly string[]> {
  return [
    ...(await appears(headings(page), 'a heading', timeout)),
    ...(await happens(skeletons(page).first().waitFor({ state: 'detached', timeout }), 'it waits without end')),
  ];
}

async function isTitled(page: Page, heading: string | undefined): Promise<readonly string[]> {
  const titles = await headings(page).allTextContents();
  if (titles.length !== 1) return [`it has ${titles.length} headings of the first level`];
  return heading === undefined || titles[0] === heading ? [] : [`its heading is "${titles[0]}" and not "${heading}"`];
}

/** One heading of the first level, with this text where it is known, and this among what it says. */
export async function shows(
  page: Page,
  { heading, text, within = 'main' }: { readonly heading?: string; readonly text: string; readonly within?: string },
  patience = patient,
): Promise<readonly string[]> {
  const said = page.locator(within).getByText(text).filter({ visible: true });
  return [
    ...(await isSettled(page, patience)),
    ...(await appears(said, `"${text}"`, patience.saysMs)),
    ...(await isTitled(page, heading)),
  ];
}

/** It shows that it waits, instead of nothing or of an answer that nobody gave. */
export async function waits(page: Page, patience = patient): Promise<readonly string[]> {
  return [
    ...(await appears(headings(page), 'a heading', patience.settleMs)),
    ...(await appears(skeletons(page), 'that it waits', patience.saysMs)),
  ];
}

/** The page's own clock goes on until nothing is waited for any more; then it says why. */
export async function saysWhy(
  page: Page,
  { heading, why }: { readonly heading: string; readonly why: RegExp },
  patience = patient,
): Promise<readonly string[]> {
  const alert = page.locator('main').getByRole('alert').filter({ hasText: why });
  await happens(headings(page).first().waitFor({ timeout: patience.settleMs }), '');
  const deadline = performance.now() + patience.settleMs;
  const open = async () => (await skeletons(page).count()) > 0 || (await alert.count()) === 0;
  while (performance.now() < deadline && (await open())) await page.clock.runFor(stepMs);
  return [
    ...((await skeletons(page).count()) === 0 ? [] : ['it waits without end']),
    ...((await alert.count()) === 0 ? [`it does not say ${why}`] : []),
    ...(await isTitled(page, heading)),
  ];
}

/** Offline the frame says so, and a page that was never fetched says what becomes of it. */
export async function isOffline(page: Page, heading: string, patience = patient): Promise<readonly string[]> {
  const said = page.getByText(/Not live|offline/i).filter({ visible: true });
  return [
    ...(await isSettled(page, patience)),
    ...(await appears(said, 'that there is no connection', patience.saysMs)),
    ...(await isTitled(page, heading)),
  ];
}

/** What is not open to somebody is not offered to be tried again. */
export async function forOthers(page: Page, heading: string, patience = patient): Promise<readonly string[]> {
  const wrong = [...(await isSettled(page, patience)), ...(await isTitled(page, heading))];
  const again = await page.locator('main').getByRole('button', { name: 'Try again' }).count();
  return again === 0 ? wrong : [...wrong, 'it offers to try again what is not allowed'];
}

/** A page scrolls down, never sideways. */
export async function fits(page: Page): Promise<readonly string[]> {
  const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  return over <= 0 ? [] : [`it is ${over} pixels too wide`];
}

/** What can be pressed says what it does in one line; a label that breaks takes two buttons' room. */
export async function unbroken(page: Page): Promise<readonly string[]> {
  const broken = await page.locator('main .MuiButton-root').evaluateAll((buttons) =>
    buttons.flatMap((button) => {
      const words = [...button.childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE);
      const range = document.createRange();
      const lines = words.map((text) => {
        range.selectNodeContents(text);
        return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
      });
      return lines.some((count) => count > 1) ? [button.textContent ?? ''] : [];
    }),
  );
  return broken.map((text) => `the button "${text}" breaks`);
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
