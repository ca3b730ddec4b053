import { mkdirSync, writeFileSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';
import { provision } from '../provision/provision.ts';
import { type RunningDemo, startDemo } from './demo.ts';
import { folder, mostBytes, type Picture, pictures, widths } from './pictures.ts';

// `npm run pictures`: the pictures of the documents, of the demo as it is now. Names on the command line choose some of them.

const port = 3117;
const qualities = [80, 65, 50, 40, 30];

async function signIn(page: Page, demo: RunningDemo): Promise<void> {
  await page.goto(demo.url);
  await page.getByLabel('E-mail address').fill(demo.admin);
  await page.getByRole('button', { name: 'Send me a code' }).click();
  await page.getByLabel('Code').waitFor();
  await page.getByLabel('Code').fill(await demo.code());
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
}

async function show(page: Page, url: string, { at, look, height, shows, prepare }: Picture): Promise<void> {
  await page.setViewportSize({ width: widths[look], height });
  await page.emulateMedia({ colorScheme: look === 'dark' ? 'dark' : 'light', reducedMotion: 'reduce' });
  await page.goto('about:blank');
  await page.goto(`${url}/#${at}`);
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await prepare?.(page);
  await page.getByText(shows).filter({ visible: true }).first().waitFor();
  await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
}

/** As good as it gets within the weight. */
async function taken(page: Page, name: string): Promise<Buffer> {
  const devtools = await page.context().newCDPSession(page);
  for (const quality of qualities) {
    const { data } = await devtools.send('Page.captureScreenshot', { format: 'webp', quality });
    const bytes = Buffer.from(data, 'base64');
    if (bytes.length <= mostBytes) return bytes;
  }
  throw new Error(`The picture ${name} weighs more than ${mostBytes} bytes; show less of the page.`);
}

async function take(browser: Browser, demo: RunningDemo, chosen: readonly Picture[]): Promise<void> {
  const page = await browser.newPage();
  await signIn(page, demo);
  for (const picture of chosen) {
    await show(page, demo.url, picture);
    const bytes = await taken(page, picture.name);
    writeFileSync(`${folder}/${picture.name}.webp`, bytes);
    process.stdout.write(`${folder}/${picture.name}.webp, ${bytes.length} bytes\n`);
  }
}

const asked = process.argv.slice(2);
const unknown = asked.find((name) => !pictures.some((picture) => picture.name === name));
if (unknown !== undefined) {
  process.stderr.write(
    `There is no picture ${unknown}. It must be one of ${pictures.map(({ name }) => name).join(', ')}.\n`,
  );
  process.exit(2);
}
mkdirSync(folder, { recursive: true });
const demo = await startDemo(port);
const browser = await chromium.launch({
  executablePath: await provision('chromium'),
  args: ['--no-sandbox', '--disable-dev-shm-usage'],
});
try {
  await take(browser, demo, asked.length === 0 ? pictures : pictures.filter(({ name }) => asked.includes(name)));
} finally {
  await browser.close();
  demo.stop();
}
