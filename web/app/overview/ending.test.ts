import { describe, expect, it } from 'vitest';
import type { AuditEntry, Resource } from '../data/queries.ts';
import { type Asked, cardColor, type Ending, endingOf } from './ending.ts';

const sentence = 'Deployment shop/cart was still Unschedulable after 15 minutes';
const failed: AuditEntry = {
  id: 'w',
  at: '2026-11-03T07:20:00.000Z',
  kind: 'wake-failed',
  title: 'Wake Complete - 1 workload failed',
  actor: 'schedule',
  workloads_failed_detail: [sentence],
};
const good: AuditEntry = { ...failed, kind: 'wake', workloads_failed_detail: [] };
const cart = (state: Resource['state']): readonly Resource[] => [
  { kind: 'Deployment', namespace: 'shop', name: 'cart', state, recorded: null },
];
const here = <T>(data: T): Asked<T> => ({ data, error: null, errorUpdateCount: 0 });
const awaited = { data: undefined, error: null, errorUpdateCount: 0 };
const refused = { data: undefined, error: new Error('500'), errorUpdateCount: 1 };
const askedAgain = { ...awaited, errorUpdateCount: 1 };
const left = { entry: failed, failed: [sentence], until: 'up' } as const;

const rows: readonly (readonly [
  string,
  Asked<readonly AuditEntry[]>,
  Asked<readonly Resource[]>,
  Ending,
  color: string,
])[] = [
  ['a good end', here([good]), awaited, { known: 'yes', checked: true }, 'success.main'],
  ['a failure', here([failed]), here(cart('starting')), { known: 'yes', checked: true, left }, 'error.main'],
  ['one that was seen to', here([failed]), here(cart('up')), { known: 'yes', checked: true }, 'success.main'],
  ['a log that is being read', awaited, awaited, { known: 'reading' }, 'text.secondary'],
  ['a log that cannot be read', refused, awaited, { known: 'no' }, 'text.secondary'],
  ['a log that is asked for again', askedAgain, awaited, { known: 'no' }, 'text.secondary'],
  ['a log that could be read before', { ...here([good]), ...refused }, awaited, { known: 'no' }, 'text.secondary'],
  ['workloads that are being read', here([failed]), awaited, { known: 'reading' }, 'text.secondary'],
  ['workloads that cannot be read', here([failed]), refused, { known: 'yes', checked: false, left }, 'error.main'],
  ['workloads asked for again', here([failed]), askedAgain, { known: 'yes', checked: false, left }, 'error.main'],
  ['workloads that matter to no failure', here([good]), refused, { known: 'yes', checked: true }, 'success.main'],
];

describe('the end of the last transition, with', () => {
  it.each(rows)('%s', (_, turns, resources, ending, color) => {
    expect(endingOf(turns, resources)).toEqual(ending);
    expect(cardColor('awake', 'fresh', ending)).toBe(color);
  });

  it('no color of a state while its answer is late', () => {
    expect(cardColor('awake', 'late', { known: 'yes', checked: true })).toBe('text.secondary');
    expect(cardColor('awake', 'late', { known: 'yes', checked: true, left })).toBe('text.secondary');
  });
});
