import { describe, expect, it } from 'vitest';
import { findEntries, notFoundNote, paletteEntries, settingEntries, workloadEntries } from './palette-entries.ts';

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

  it('finds workloads by namespace and name, and leads to why', () => {
    const workloads = [
      { kind: 'Deployment', namespace: 'shop', name: 'cart' },
      { kind: 'StatefulSet', namespace: 'shop', name: 'cart-db' },
      { kind: 'Deployment', namespace: 'media', name: 'resizer' },
    ];
    expect(workloadEntries(workloads, 'Cart SHOP').map(({ title, note }) => [title, note])).toEqual([
      ['shop/cart', 'Deployment'],
      ['shop/cart-db', 'StatefulSet'],
    ]);
    expect(workloadEntries(workloads, 'resizer')[0]?.to).toBe('/resources/Deployment/media/resizer');
    expect(workloadEntries(workloads, ' ')).toEqual([]);
  });

  it('finds settings by words of their name, and leads to the value', () => {
    const settings = [{ path: 'operations.dryRun' }, { path: 'operations.logLevel' }];
    expect(settingEntries(settings, 'DRY op')).toEqual([
      { title: 'operations.dryRun', note: 'Setting', to: '/settings?q=operations.dryRun' },
    ]);
    expect(settingEntries(settings, '')).toEqual([]);
  });
});

describe('what the palette says below what it found', () => {
  const here = { data: [], error: null };
  const coming = { data: undefined, error: null };
  const gone = { data: undefined, error: new Error('gone') };
  it.each([
    [0, [here, here], 'Nothing is called that.'],
    [0, [], 'Nothing is called that.'],
    [3, [here, here], ''],
    [0, [coming, here], 'Workloads and settings are being looked up …'],
    [3, [here, coming], 'Workloads and settings are being looked up …'],
    [0, [gone, coming], 'Workloads and settings cannot be looked up now.'],
    [3, [here, gone], 'Workloads and settings cannot be looked up now.'],
  ])('after %i found', (found, reads, said) => {
    expect(notFoundNote({ found, reads })).toBe(said);
  });
});
