import { describe, expect, it } from 'vitest';
import type { AuditEntry } from '../data/queries.ts';
import type { Row } from './filters.ts';
import { lastWake, notUpSince, sinceOf, sinceText } from './since.ts';

const at = (time: string) => Date.parse(`2026-11-03T${time}:00Z`);
const wake: AuditEntry = {
  id: 'w',
  at: '2026-11-03T07:20:00.000Z',
  kind: 'wake-failed',
  title: 'Wake Complete - 1 workload failed',
  actor: 'schedule',
  workloads_failed_detail: ['StatefulSet shop/db was still Unschedulable after 15 minutes'],
  durationMs: 1_200_000,
  details: { still_starting: ['StatefulSet shop/archive: walked_past'] },
};
const row = (name: string, state: Row['state'], since?: string): Row => ({
  key: `StatefulSet/shop/${name}`,
  kind: 'StatefulSet',
  namespace: 'shop',
  name,
  state,
  managed: {
    kind: 'StatefulSet',
    namespace: 'shop',
    name,
    state: state === 'excluded' ? 'up' : state,
    recorded: null,
    ...(since === undefined ? {} : { since }),
  },
});

describe('since when a workload is not up', () => {
  it.each([
    ['as the API tells', row('db', 'starting', '2026-11-03T07:03:00.000Z'), at('07:03')],
    ['since the wake in which it failed began', row('db', 'starting'), at('07:00')],
    ['since the wake that walked past it began', row('archive', 'starting'), at('07:00')],
    ['not known of one that fell over later', row('cart', 'starting'), undefined],
    ['not asked of one that is up again', row('db', 'up'), undefined],
  ])('%s', (_, one, expected) => {
    expect(notUpSince(one, lastWake([wake]))).toBe(expected);
  });

  it.each([
    ['with its time', row('db', 'starting'), 'since 08:00'],
    ['with that of the record', row('db', 'hibernated', '2026-11-02T19:00:00.000Z'), 'since 2 Nov 20:00'],
    ['by its owner where nobody noted it', row('old', 'down'), 'by its owner, time not recorded'],
    ['after the wake that did not name it', row('cart', 'starting'), 'after 08:20'],
    ['not of what is up', row('cart', 'up'), undefined],
    ['not of what is left alone', row('cart', 'excluded'), undefined],
  ])('is answered %s', (_, one, text) => {
    const zone = { zone: 'Europe/Berlin', today: '2026-11-03' };
    expect(sinceOf(one, lastWake([wake]), zone)?.text).toBe(text);
  });

  it('is answered before the first wake too', () => {
    const zone = { zone: 'Europe/Berlin', today: '2026-11-03' };
    expect(sinceOf(row('cart', 'starting'), lastWake([]), zone)?.text).toBe('time not recorded');
  });

  it('does not begin anew when one of them is tried again', () => {
    const retry = { ...wake, at: '2026-11-03T08:00:00.000Z', durationMs: 60_000, details: { resources: ['shop/db'] } };
    expect(notUpSince(row('archive', 'starting'), lastWake([retry, wake]))).toBe(at('07:00'));
  });

  it('is nothing before the first wake', () => {
    expect(notUpSince(row('db', 'starting'), lastWake([]))).toBeUndefined();
  });

  it('is said with the day where that is not today', () => {
    expect(sinceText(at('07:03'), 'Europe/Berlin', '2026-11-03')).toBe('since 08:03');
    expect(sinceText(at('07:03'), 'Europe/Berlin', '2026-11-04')).toBe('since 3 Nov 08:03');
  });
});
