import { describe, expect, it } from 'vitest';
import { findEntries, paletteEntries } from './palette-entries.ts';

const pages = [
  { path: '/', title: 'Overview', admin: false },
  { path: '/settings', title: 'Settings', admin: true },
];

describe('the palette', () => {
  it('has pages and acts for an admin, and only open pages for others', () => {
    expect(paletteEntries(pages, false).map(({ title }) => title)).toEqual(['Overview']);
    expect(paletteEntries(pages, true).map(({ title }) => title)).toContain('Trigger Manual Hibernation');
  });

  it('finds by words in any order, beginnings first', () => {
    const found = (text: string) => findEntries(paletteEntries(pages, true), text).map(({ title }) => title);
    expect(found('up res')).toEqual(['Wake Up Resources']);
    expect(found('S')).toEqual([
      'Settings',
      'Stand down',
      'Set other hours for a date',
      'Wake Up Resources',
      'Resume Schedule',
    ]);
    expect(found('nothing')).toEqual([]);
  });
});
