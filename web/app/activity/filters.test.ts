import { describe, expect, it } from 'vitest';
import { instantOf } from '../parts/time-text.ts';
import { auditQuery, readActivityFilters, writeActivityFilters } from './filters.ts';

const berlin = (local: string) => instantOf(local, 'Europe/Berlin');

describe('the filters of the activity', () => {
  it('come from the address and go back into it', () => {
    const search = 'kind=stand-down&result=failed&actor=ada%40example.com&q=web&from=2026-11-01&to=2026-11-03';
    expect(writeActivityFilters(readActivityFilters(search))).toBe(search);
  });

  it('leave out what the API would refuse', () => {
    expect(writeActivityFilters(readActivityFilters('kind=nap&result=odd&from=yesterday'))).toBe('');
  });

  it('ask the API for whole days of the zone', () => {
    expect(auditQuery(readActivityFilters('from=2026-11-01&to=2026-11-03&result=failed'), berlin)).toEqual({
      result: 'failed',
      from: '2026-10-31T23:00:00.000Z',
      to: '2026-11-03T22:59:59.999Z',
    });
    expect(auditQuery(readActivityFilters(''), berlin)).toEqual({});
  });
});
