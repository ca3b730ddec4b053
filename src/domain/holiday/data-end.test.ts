import { describe, expect, it } from 'vitest';
import { holidayDataEnd } from './data-end.ts';

describe('holidayDataEnd', () => {
  it('says nothing while more than a year is known', () => {
    expect(holidayDataEnd(2040, Date.UTC(2039, 11, 31, 23))).toBeUndefined();
  });

  it('warns from a year before the end on', () => {
    expect(holidayDataEnd(2040, Date.UTC(2040, 0, 1))).toBe(
      'No holiday after 2040 is known; upgrade to a release that knows later years before the year ends',
    );
  });

  it('says so plainly after the end', () => {
    expect(holidayDataEnd(2040, Date.UTC(2041, 5, 1))).toBe(
      'No holiday after 2040 is known: none is shown or acted on; upgrade to a release that knows later years',
    );
  });
});
