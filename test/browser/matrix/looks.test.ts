import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser, Watched } from '../browser.ts';
import * as look from './looks.ts';

// Every look of the matrix at a page that is well, and at pages that each have one thing wrong.

let browser: Browser;
let watched: Watched;

beforeAll(async () => {
  browser = await launchBrowser();
  watched = await Watched.open(browser, 'about:blank');
  await watched.page.clock.install();
});

afterAll(async () => {
  await browser?.close();
});

/** What is amiss is waited for in vain, what is well is there at once, also on a busy machine. */
const brief: look.Patience = { settleMs: 1_500, saysMs: 1_500 };
const patient: look.Patience = { settleMs: 30_000, saysMs: 30_000 };
const waiting = '<div role="status" aria-label="Loading">…</div>';
const alert = '<div role="alert">No answer came within 15 seconds.</div>';
const skip =
  '<a href="#main" onclick="event.preventDefault();document.querySelector(\'main\').focus()">Skip to the page</a>';
const page = (main: string, { head = '', before = '' } = {}) =>
  `<html lang="en"><head><title>x</title>${head}</head><body>${before}<main tabindex="-1">${main}</main></body></html>`;
const titled = (main: string) => page(`<h1>Calendar</h1>${main}`);
const style = (css: string) => ({ head: `<style>${css}</style>` });

type Look = (patience: look.Patience) => Promise<readonly string[]>;
type Case = readonly [what: string, html: string, wrong: readonly string[]];

const looks: Readonly<Record<string, { readonly look: Look; readonly cases: readonly Case[] }>> = {
  shows: {
    look: (patience) => look.shows(watched.page, { heading: 'Calendar', text: 'November' }, patience),
    cases: [
      ['is well', titled('November 2026'), []],
      ['lacks its text', titled('nothing'), ['"November" is not shown']],
      ['hides its text', titled('<p hidden>November</p>'), ['"November" is not shown']],
      ['waits', titled(`November ${waiting}`), ['it waits without end']],
      ['is another page', page('<h1>Plan</h1>November'), ['its heading is "Plan" and not "Calendar"']],
      ['has two headings', titled('<h1>Calendar</h1>November'), ['it has 2 headings of the first level']],
      [
        'is still the page before',
        page('<h1 data-left="">Calendar</h1>November'),
        ['a heading is not shown', 'it has 0 headings of the first level'],
      ],
    ],
  },
  waits: {
    look: (patience) => look.waits(watched.page, patience),
    cases: [
      ['is well', titled(waiting), []],
      ['shows nothing', titled(''), ['that it waits is not shown']],
    ],
  },
  saysWhy: {
    look: (patience) => look.saysWhy(watched.page, { heading: 'Calendar', why: /No answer came/ }, patience),
    cases: [
      ['is well', titled(alert), []],
      ['says nothing', titled(''), ['it does not say /No answer came/']],
      ['waits', titled(alert + waiting), ['it waits without end']],
      ['has no heading', page(alert), ['it has 0 headings of the first level']],
    ],
  },
  isOffline: {
    look: (patience) => look.isOffline(watched.page, 'Calendar', patience),
    cases: [
      ['is well', page('<h1>Calendar</h1>', { before: 'Not live' }), []],
      ['says nothing', titled(''), ['that there is no connection is not shown']],
    ],
  },
  forOthers: {
    look: (patience) => look.forOthers(watched.page, 'Calendar', patience),
    cases: [
      ['is well', titled(''), []],
      ['offers what fails', titled('<button>Try again</button>'), ['it offers to try again what is not allowed']],
    ],
  },
  fits: {
    look: () => look.fits(watched.page),
    cases: [
      ['is well', titled(''), []],
      ['is too wide', page('<div style="width:1290px">x</div>', style('body{margin:0}')), ['it is 10 pixels too wide']],
    ],
  },
  unbroken: {
    look: () => look.unbroken(watched.page),
    cases: [
      ['is well', titled('<button class="MuiButton-root">Try again</button>'), []],
      [
        'has a button that breaks',
        titled('<button class="MuiButton-root" style="width:60px">Try again</button>'),
        ['the button "Try again" breaks'],
      ],
    ],
  },
  isDark: {
    look: () => look.isDark(watched.page),
    cases: [
      ['is well', page('<h1>x</h1>', style('body{background:#121212;color:#fff}')), []],
      ['is light', page('<h1>x</h1>', style('body{background:#fff;color:#000}')), ['text of 0.00 stands on 1.00']],
    ],
  },
  canBeSeen: {
    look: () => look.canBeSeen(watched.page),
    cases: [
      ['is well', page('<h1>x</h1><button class="MuiButton-contained">x</button>', style('body{background:#fff}')), []],
      [
        'has a button without an edge',
        page(
          '<h1>x</h1><button class="MuiButton-contained">x</button>',
          style('body{background:#fff}button{border:0}'),
        ),
        ['1 buttons have no edge'],
      ],
      [
        'has a heading that vanishes',
        page('<h1>x</h1>', style('body{background:#fff}h1{color:#fff}')),
        ['the heading cannot be told from its ground'],
      ],
    ],
  },
  byKeyboard: {
    look: () => look.byKeyboard(watched.page),
    cases: [
      ['is well', page('<h1>x</h1><a href="#a">one</a>', { before: skip }), []],
      [
        'has no way past the menu',
        page('<h1>x</h1><a href="#a">one</a>', { before: '<a href="#b">Menu</a>' }),
        ['the first stop is "Menu" and not the way past the menu'],
      ],
      [
        'hides the focus',
        page('<h1>x</h1><a href="#a">one</a>', { before: skip, ...style('a{outline:none}') }),
        ['nothing shows that <a href="#a">one</a> has the focus'],
      ],
      [
        'has a stop that leads away',
        page('<h1>x</h1><a href="#a" tabindex="-1">one</a>', { before: `${skip}<a href="#b">Menu</a>` }),
        ['stop 1 is outside the page'],
      ],
    ],
  },
};

describe.each(Object.entries(looks))('%s', (_, { look: at, cases }) => {
  it.each(cases)('at a page that %s', async (__, html, wrong) => {
    await watched.page.setContent(html);
    expect(await at(wrong.length === 0 ? patient : brief)).toEqual(wrong);
  });
});
