import type { Page } from 'playwright-core';

/** A picture of the documents. */
export interface Picture {
  readonly name: string;
  /** Address in the app. */
  readonly at: string;
  readonly look: 'light' | 'dark' | 'narrow';
  /** Pixels; as much of the page as says what the picture is for. */
  readonly height: number;
  /** What has to be on the screen. */
  readonly shows: string;
  /** Brings about what is to be seen, from the address on. */
  prepare?(page: Page): Promise<void>;
}

export const folder = 'docs/images';
/** What one may weigh, and all of them: everybody who clones gets them. */
export const mostBytes = 60_000;
export const mostBytesInAll = 600_000;

export const pictures: readonly Picture[] = [
  { name: 'overview', at: '/', look: 'light', height: 900, shows: 'Latest activity' },
  { name: 'overview-on-a-phone', at: '/', look: 'narrow', height: 844, shows: 'Wake Complete' },
  { name: 'not-up', at: '/resources?state=not-up', look: 'light', height: 620, shows: 'since' },
  {
    name: 'workload',
    at: '/',
    look: 'light',
    height: 760,
    shows: 'Pods now',
    prepare: (page) => page.getByTestId('unfinished').getByRole('listitem').getByRole('link').first().click(),
  },
  {
    name: 'past-wake',
    at: '/',
    look: 'light',
    height: 860,
    shows: 'Where the time went',
    prepare: (page) => page.getByRole('link', { name: 'The whole transition' }).click(),
  },
  {
    name: 'wakes-compared',
    at: '/wake',
    look: 'dark',
    height: 820,
    shows: 'The last wakes compared',
    prepare: (page) => page.getByRole('heading', { name: 'The last wakes compared' }).evaluate(toTop),
  },
  { name: 'tonight', at: '/tonight', look: 'dark', height: 860, shows: 'would be scaled' },
  { name: 'calendar', at: '/calendar', look: 'light', height: 860, shows: 'Calendar' },
  { name: 'insights', at: '/insights', look: 'light', height: 900, shows: 'Hours asleep' },
  {
    name: 'stand-down-on-a-phone',
    at: '/control?act=stand-down',
    look: 'narrow',
    height: 700,
    shows: 'Stand the service down?',
  },
];

/** Below the bar, which stays where it is. */
function toTop(heading: Element): void {
  scrollTo(0, heading.getBoundingClientRect().top + scrollY - 96);
}

export const widths: Readonly<Record<Picture['look'], number>> = { light: 1100, dark: 1100, narrow: 390 };
