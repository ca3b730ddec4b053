import { mkdir } from 'node:fs/promises';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { wakeStarted } from '../../src/domain/announcement/wake.ts';
import { mailContent } from '../../src/domain/notification/mail-text.ts';
import { messageOf } from '../../src/domain/notification/message.ts';
import type { Notice } from '../../src/domain/notification/notice.ts';
import { provision } from '../../tools/provision/provision.ts';
import { degraded, hostileTexts, noon, notice, place } from '../support/examples/notice-examples.ts';
import { picture } from './browser.ts';

const folder = 'artifacts/mails';

const mails: Readonly<Record<string, Notice>> = {
  'wake-failed': degraded,
  'wake-complete': notice({
    facts: [
      { name: 'Initiated by', value: 'schedule' },
      { name: 'Duration', value: '2m10s' },
    ],
  }),
  'waking-up': wakeStarted({
    id: 'wake-3',
    startedAt: noon,
    trigger: { actor: 'ann@example.org (stand-down)', cause: 'stand-down' },
  }).notice!,
  'stood-down': notice({
    key: 'standDown',
    title: 'Stood Down by ann@example.org',
    color: 'red',
    text: 'a release. Everything that was scaled down is handed back, and nothing is scaled until the stand-down ends.',
  }),
  barrier: notice({
    key: 'wakeBarrierTimeout',
    title: 'Wake Barrier Timeout',
    color: 'amber',
    text: 'Tier databases was released after 5m without waiting for StatefulSet shop/orders-db',
  }),
  hostile: notice({
    title: hostileTexts[0]!,
    text: hostileTexts[17]!.slice(0, 400),
    casualties: hostileTexts.slice(0, 14),
    color: 'red',
  }),
};

let browser: Browser;
beforeAll(async () => {
  await mkdir(folder, { recursive: true });
  browser = await chromium.launch({ executablePath: await provision('chromium'), args: ['--no-sandbox'] });
});
afterAll(() => browser?.close());

/** How far apart two colors are, as WCAG counts it. */
function contrast(a: readonly number[], b: readonly number[]): number {
  const luminance = (color: readonly number[]) => {
    const [r = 0, g = 0, b_ = 0] = color.map((value) => {
      const part = value / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b_;
  };
  const [high, low] = [luminance(a), luminance(b)].toSorted((x, y) => y - x) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

describe.each(['light', 'dark'] as const)('mails, %s', (colorScheme) => {
  it.each(Object.entries(mails))('%s', async (name, one) => {
    const page = await browser.newPage({ colorScheme, viewport: { width: 720, height: 600 } });
    const requests: string[] = [];
    const dialogs: string[] = [];
    page.on('request', (request) => void requests.push(request.url()));
    page.on('dialog', (dialog) => {
      dialogs.push(dialog.message());
      void dialog.dismiss();
    });
    await page.setContent(mailContent(messageOf(one, place)).html);
    await picture(page, `${folder}/${name}-${colorScheme}.png`, true);
    expect([requests.filter((url) => !url.startsWith('about:') && !url.startsWith('data:')), dialogs]).toEqual([
      [],
      [],
    ]);

    const texts = await page.evaluate(() => {
      const rgb = (text: string) => (text.match(/[\d.]+/g) ?? []).map(Number);
      const ground = (element: Element | null): number[] => {
        const color = element === null ? [255, 255, 255] : rgb(getComputedStyle(element).backgroundColor);
        return color.length === 4 && color[3] === 0 ? ground(element?.parentElement ?? null) : color.slice(0, 3);
      };
      const leaves = [...document.body.querySelectorAll('h1, h2, p, td, li, a')];
      return leaves.map((element) => ({
        text: element.textContent ?? '',
        color: rgb(getComputedStyle(element).color).slice(0, 3),
        ground: ground(element),
      }));
    });
    for (const { text, color, ground } of texts) {
      expect(contrast(color, ground), `${text} on ${ground}`).toBeGreaterThanOrEqual(4.5);
    }
    await page.setViewportSize({ width: 320, height: 600 });
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow, 'nothing sticks out on a phone').toBeLessThanOrEqual(0);
    await page.close();
  });
});
