import { describe, expect, it } from 'vitest';
import { type FeedBand, type FeedDay, feedEvents } from './feed.ts';

const hour = 3_600_000;
const band = (from: number, to: number, awake: boolean, source: FeedBand['source'], label = 'label'): FeedBand => ({
  from: from * hour,
  to: to * hour,
  awake,
  source,
  label,
});
const day = (more: Partial<FeedDay> = {}): FeedDay => ({
  date: '2026-12-24',
  hours: '08:00-20:00',
  source: 'schedule',
  label: 'Working hours',
  holidays: [],
  ...more,
});
const told = (bands: readonly FeedBand[], days: readonly FeedDay[]) =>
  feedEvents({ clusterName: 'demo', bands, days }).map(({ uid, summary, description, when }) => [
    uid,
    summary,
    description,
    'date' in when ? when.date : [when.from / hour, when.to / hour],
  ]);

describe('the entries of the feed', () => {
  it('are the nights, one each, however they are cut; waking hours are none', () => {
    const bands = [
      band(0, 8, false, 'schedule'),
      band(8, 20, true, 'schedule'),
      band(20, 24, false, 'schedule', 'Outside working hours'),
      band(24, 32, false, 'schedule', 'Outside working hours'),
    ];
    expect(told(bands, [day()])).toEqual([
      ['asleep-0@demo.svc', 'demo hibernated', 'label', [0, 8]],
      [`asleep-${20 * hour}@demo.svc`, 'demo hibernated', 'Outside working hours', [20, 32]],
    ]);
  });

  it('are what people and other clusters keep awake, and a stop for today alone', () => {
    expect(told([band(0, 2, true, 'act', 'woken by ada'), band(2, 900, true, 'stop', 'stood down')], [day()])).toEqual([
      ['awake-0@demo.svc', 'demo kept awake', 'woken by ada', [0, 2]],
      ['stop-2026-12-24@demo.svc', 'demo is not scaled', 'stood down', '2026-12-24'],
    ]);
  });

  it('are holidays by name and region, other hours, and the days on which clocks change', () => {
    const days = [
      day({ source: 'override', hours: 'off', label: 'company day' }),
      day({ date: '2026-12-25', source: 'holiday', hours: 'off', holidays: [{ name: 'Christmas', region: 'DE' }] }),
      day({ date: '2026-12-26', holidays: [{ name: 'Boxing Day', region: 'GB' }] }),
      day({ date: '2027-03-28', clockChange: { text: 'Clocks go forward 1 hour' } }),
    ];
    expect(told([], days)).toEqual([
      ['hours-2026-12-24@demo.svc', 'demo has other hours: off', 'company day', '2026-12-24'],
      ['holiday-2026-12-25-DE@demo.svc', 'Christmas (DE)', 'demo stays hibernated.', '2026-12-25'],
      ['holiday-2026-12-26-GB@demo.svc', 'Boxing Day (GB)', 'demo keeps its hours: 08:00-20:00.', '2026-12-26'],
      ['clocks-2027-03-28@demo.svc', 'Clocks go forward 1 hour', undefined, '2027-03-28'],
    ]);
  });
});
