import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { firstProblem } from '../../../src/contract/check.ts';
import type { EndpointId } from '../../../src/contract/endpoints.ts';
import { operations } from '../../../src/contract/operations.ts';
import { type RunningFrontend, startFrontend } from '../../../src/frontend/main.ts';
import { silentLogger } from '../../../src/platform/silent-logger.ts';
import { systemClock } from '../../../src/platform/system-clock.ts';
import { freePort } from '../../../tools/cluster/free-ports.ts';
import { launchBrowser, Watched } from '../browser.ts';
import { builtWeb } from '../built-web.ts';
import { empty, full, longest, longNames, manyRows, rightToLeftNames } from './answers.ts';
import { type Behaviour, conditionCookie, FakeApi } from './fake-api.ts';
import * as look from './looks.ts';
import { appRoutes, type MatrixRoute, matrixRoutes, rows } from './routes.ts';

const wide = { width: 1280, height: 900 };
const phone = { width: 320, height: 700 };
/** What a window of 1280 pixels shows at 200 %. */
const zoomed = { width: 640, height: 450 };

interface Condition {
  readonly behaviour: Behaviour;
  readonly view?: { readonly width: number; readonly height: number };
  /** Before the first page is opened. */
  prepare?(page: Page): Promise<void>;
  /** Before each page is opened. */
  before?(): void;
  /** Once the app is there. */
  begin?(page: Page): Promise<void>;
  /** What is wrong with the cell, each in a line; the page has been opened. */
  look(page: Page, route: MatrixRoute, watched: Watched): Promise<readonly string[]>;
  /** Each page is loaded anew. */
  readonly anew?: true;
  /** The name of the workload whose page is opened, where it is another. */
  readonly workload?: string;
}

const good: Behaviour = { answers: full(), admin: true };
const says = (page: Page, { heading, says: text }: MatrixRoute) => look.shows(page, { heading, text });

const conditions: Readonly<Record<string, Condition>> = {
  plain: {
    behaviour: good,
    look: async (page, route, watched) => [...(await says(page, route)), ...(await watched.axe())],
  },
  slow: {
    behaviour: { ...good, fault: 'slow' },
    anew: true,
    before: () => api.answersWait(),
    // The frame is there at once, whatever the answers are waiting for.
    look: async (page, route) => {
      const wrong = await look.waits(page);
      api.answersCome();
      return [...wrong, ...(await says(page, route))];
    },
  },
  'api-gone': {
    behaviour: { ...good, fault: 'gone' },
    prepare: (page) => page.clock.install(),
    look: (page, { before: heading }) =>
      look.saysWhy(page, { heading, why: /cannot be reached|did not answer|No answer/ }),
  },
  'api-hanging': {
    behaviour: { ...good, fault: 'hanging' },
    prepare: (page) => page.clock.install(),
    look: (page, { before: heading }) => look.saysWhy(page, { heading, why: /No answer came within 15 seconds/ }),
  },
  offline: {
    behaviour: good,
    begin: (page) => page.context().setOffline(true),
    look: (page, { title }) => look.isOffline(page, title),
  },
  'token-ended': {
    behaviour: { ...good, fault: 'unauthenticated' },
    anew: true,
    look: (page) => look.shows(page, { heading: 'Sign in', text: 'Your session has ended' }),
  },
  'non-admin': {
    behaviour: { ...good, admin: false },
    look: (page, route) =>
      route.admin
        ? look.shows(page, { heading: route.title, text: 'This page is for admins.' })
        : look.forOthers(page, route.heading),
  },
  empty: {
    behaviour: { answers: empty(), admin: true },
    look: (page, { before: heading, empty: text }) => look.shows(page, { heading, text }),
  },
  '5000-rows': { behaviour: { answers: manyRows(), admin: true }, look: says },
  '253-characters': { behaviour: { answers: longNames(), admin: true }, workload: longest, look: says },
  '253-characters-on-a-phone': {
    behaviour: { answers: longNames(), admin: true },
    workload: longest,
    view: phone,
    look: says,
  },
  'right-to-left': { behaviour: { answers: rightToLeftNames(), admin: true }, look: says },
  '320-px': {
    behaviour: good,
    view: phone,
    look: async (page, route) => [...(await says(page, route)), ...(await look.unbroken(page))],
  },
  '200-percent': { behaviour: good, view: zoomed, look: says },
  'forced-colors': {
    behaviour: good,
    prepare: (page) => page.emulateMedia({ forcedColors: 'active' }),
    look: async (page, route) => [...(await says(page, route)), ...(await look.canBeSeen(page))],
  },
  dark: {
    behaviour: good,
    prepare: (page) => page.emulateMedia({ colorScheme: 'dark' }),
    look: async (page, route) => [...(await says(page, route)), ...(await look.isDark(page))],
  },
  'keyboard-only': {
    behaviour: good,
    look: async (page, route) => [...(await says(page, route)), ...(await look.byKeyboard(page))],
  },
};

let api: FakeApi;
let frontend: RunningFrontend;
let browser: Browser;
let url: string;

beforeAll(async () => {
  const behaviours = Object.entries(conditions).map(([name, { behaviour }]) => [name, behaviour] as const);
  api = await FakeApi.start(Object.fromEntries(behaviours));
  const httpPort = await freePort();
  url = `http://localhost:${httpPort}`;
  frontend = await startFrontend({
    webRoot: await builtWeb(),
    apiUrl: api.url,
    externalUrl: url,
    httpPort,
    clock: systemClock,
    logger: silentLogger,
  });
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser?.close();
  await frontend?.stop();
  await api?.stop();
});

/** A browser of its own for the condition; everything that it does not bring about itself is a problem. */
async function openFor(name: string, { view = wide, prepare }: Condition): Promise<Watched> {
  const watched = await Watched.open(browser, 'about:blank', view, [new URL(url).host]);
  watched.expectProblem(/Failed to load resource|net::ERR/);
  await watched.context.addCookies([{ name: conditionCookie, value: name, url }]);
  await watched.context.addInitScript(() => {
    if (location.protocol.startsWith('http')) localStorage.setItem('svc-session', '1');
  });
  await prepare?.(watched.page);
  return watched;
}

async function goTo(page: Page, condition: Condition, { at }: MatrixRoute, first: boolean): Promise<void> {
  const turn = async () => {
    await look.leave(page);
    await page.evaluate((hash) => {
      location.hash = hash;
    }, at);
  };
  if (!first && condition.anew !== true) return turn();
  await page.context().clearCookies({ name: 'renewed' });
  await page.goto('about:blank');
  // What is begun once the app is there has to be there before the page is.
  await page.goto(`${url}/#${condition.begin === undefined ? at : '/license'}`);
  if (condition.begin === undefined) return undefined;
  await page.getByText('The license is good.').first().waitFor();
  await condition.begin(page);
  return turn();
}

describe('every page under every condition', () => {
  it('has a row for each route of the app', () => {
    expect(appRoutes().toSorted()).toEqual(Object.keys(rows).toSorted());
  });

  it.each(Object.entries(conditions))('%s is answered as the contract says', (_, { behaviour }) => {
    const problems = Object.entries(behaviour.answers).flatMap(([id, answer]) => {
      const body = typeof answer === 'function' ? answer(new URLSearchParams()) : answer;
      const problem = firstProblem(operations[id as EndpointId].answer, JSON.parse(JSON.stringify(body)), id);
      return problem === undefined ? [] : [`${problem.field} ${problem.message}`];
    });
    expect(problems).toEqual([]);
  });

  describe.concurrent('and every cell is well', () => {
    it.each(Object.entries(conditions))('%s', { timeout: 240_000 }, async (name, condition) => {
      const watched = await openFor(name, condition);
      const { page } = watched;
      const wrong: string[] = [];
      let first = true;
      for (const route of matrixRoutes(condition.workload)) {
        condition.before?.();
        await goTo(page, condition, route, first);
        first = false;
        const found = [
          ...(await condition.look(page, route, watched)),
          ...(await look.fits(page)),
          ...api.takeProblems(name),
        ];
        wrong.push(...found.map((problem) => `${route.path}: ${problem}`));
      }
      expect([...wrong, ...watched.problems]).toEqual([]);
      await watched.close();
    });
  });
});
