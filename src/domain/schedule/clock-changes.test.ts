import { describe, expect, it } from 'vitest';
import { type Days, edgesText, exampleSchedule, officeWeek } from '../../../test/support/examples/schedule-examples.ts';

type EdgeRow = [zone: string, days: Days, from: string, edges: string[]];

function checkEdges(rows: Record<string, EdgeRow>): void {
  it.each(Object.entries(rows))('%s', (_name, [zone, days, from, edges]) => {
    expect(edgesText(exampleSchedule(zone, days), from, edges.length)).toEqual(edges);
  });
}

describe('edges when clocks go forward', () => {
  checkEdges({
    'an opening in the skipped hour happens right after it': [
      'Europe/Berlin',
      { sunday: '02:30-06:00' },
      '2026-03-28T12:00Z',
      ['opens 2026-03-29T03:00+02:00', 'closes 2026-03-29T06:00+02:00'],
    ],
    'an opening at the first skipped minute happens right after the hour': [
      'Europe/Berlin',
      { sunday: '02:00-06:00' },
      '2026-03-28T12:00Z',
      ['opens 2026-03-29T03:00+02:00', 'closes 2026-03-29T06:00+02:00'],
    ],
    'a closing in the skipped hour happens right after it': [
      'Europe/Berlin',
      { sunday: '00:30-02:30' },
      '2026-03-28T12:00Z',
      ['opens 2026-03-29T00:30+01:00', 'closes 2026-03-29T03:00+02:00'],
    ],
    'a closing at the start of the skipped hour is on time': [
      'Europe/Berlin',
      { sunday: '00:30-02:00' },
      '2026-03-28T12:00Z',
      ['opens 2026-03-29T00:30+01:00', 'closes 2026-03-29T03:00+02:00'],
    ],
    'an edge at the end of the skipped hour is on time': [
      'Europe/Berlin',
      { sunday: '03:00-06:00' },
      '2026-03-28T12:00Z',
      ['opens 2026-03-29T03:00+02:00', 'closes 2026-03-29T06:00+02:00'],
    ],
    'a range inside the skipped hour does not happen': [
      'Europe/Berlin',
      { sunday: '02:15-02:45' },
      '2026-03-28T12:00Z',
      ['opens 2026-04-05T02:15+02:00', 'closes 2026-04-05T02:45+02:00'],
    ],
    'a range that is the skipped hour does not happen': [
      'Europe/Berlin',
      { sunday: '02:00-03:00' },
      '2026-03-28T12:00Z',
      ['opens 2026-04-05T02:00+02:00', 'closes 2026-04-05T03:00+02:00'],
    ],
    'a break inside the skipped hour does not happen': [
      'Europe/Berlin',
      { sunday: '00:00-02:15,02:45-06:00' },
      '2026-03-28T12:00Z',
      ['opens 2026-03-29T00:00+01:00', 'closes 2026-03-29T06:00+02:00'],
    ],
    'a day around the skipped hour keeps its wall-clock hours': [
      'Europe/Berlin',
      { sunday: '01:00-08:00' },
      '2026-03-28T12:00Z',
      ['opens 2026-03-29T01:00+01:00', 'closes 2026-03-29T08:00+02:00'],
    ],
    'officeWeek hours move with the clock over the weekend': [
      'Europe/Berlin',
      officeWeek,
      '2026-03-27T12:00Z',
      ['closes 2026-03-27T20:00+01:00', 'opens 2026-03-30T08:00+02:00'],
    ],
    'New York skips an hour on its own date': [
      'America/New_York',
      { sunday: '02:30-06:00' },
      '2026-03-07T12:00Z',
      ['opens 2026-03-08T03:00-04:00', 'closes 2026-03-08T06:00-04:00'],
    ],
    'Lord Howe skips half an hour': [
      'Australia/Lord_Howe',
      { sunday: '02:10-06:00' },
      '2026-10-03T00:00Z',
      ['opens 2026-10-04T02:30+11:00', 'closes 2026-10-04T06:00+11:00'],
    ],
    'Lord Howe does not skip the other half hour': [
      'Australia/Lord_Howe',
      { sunday: '02:40-06:00' },
      '2026-10-03T00:00Z',
      ['opens 2026-10-04T02:40+11:00', 'closes 2026-10-04T06:00+11:00'],
    ],
    'Troll skips two hours': [
      'Antarctica/Troll',
      { sunday: '01:30-06:00' },
      '2026-03-28T00:00Z',
      ['opens 2026-03-29T03:00+02:00', 'closes 2026-03-29T06:00+02:00'],
    ],
    'Chatham skips 02:45 to 03:45': [
      'Pacific/Chatham',
      { sunday: '03:00-06:00' },
      '2026-09-26T00:00Z',
      ['opens 2026-09-27T03:45+13:45', 'closes 2026-09-27T06:00+13:45'],
    ],
    'Sao Paulo skipped midnight: the day opens at 01:00': [
      'America/Sao_Paulo',
      { sunday: 'on' },
      '2018-11-03T12:00Z',
      ['opens 2018-11-04T01:00-02:00', 'closes 2018-11-05T00:00-02:00'],
    ],
    'Sao Paulo skipped midnight: the day before closes there': [
      'America/Sao_Paulo',
      { saturday: '20:00-00:00' },
      '2018-11-03T12:00Z',
      ['opens 2018-11-03T20:00-03:00', 'closes 2018-11-04T01:00-02:00'],
    ],
    'Sao Paulo skipped midnight: a night shift goes on through it': [
      'America/Sao_Paulo',
      { saturday: '20:00-00:00', sunday: '00:00-06:00' },
      '2018-11-03T12:00Z',
      ['opens 2018-11-03T20:00-03:00', 'closes 2018-11-04T06:00-02:00'],
    ],
    'Cairo skips midnight of a friday': [
      'Africa/Cairo',
      { friday: '00:30-06:00' },
      '2026-04-23T12:00Z',
      ['opens 2026-04-24T01:00+03:00', 'closes 2026-04-24T06:00+03:00'],
    ],
    'Beirut skips midnight of a sunday': [
      'Asia/Beirut',
      { saturday: '20:00-00:00', sunday: '00:00-00:30' },
      '2026-03-28T12:00Z',
      ['opens 2026-03-28T20:00+02:00', 'closes 2026-03-29T01:00+03:00'],
    ],
    'Apia skipped a whole friday: its hours do not happen': [
      'Pacific/Apia',
      { thursday: '08:00-20:00', friday: '08:00-20:00', saturday: '09:00-10:00' },
      '2011-12-29T12:00Z',
      [
        'opens 2011-12-29T08:00-10:00',
        'closes 2011-12-29T20:00-10:00',
        'opens 2011-12-31T09:00+14:00',
        'closes 2011-12-31T10:00+14:00',
      ],
    ],
    'Apia skipped a friday that was on, between days that were off': [
      'Pacific/Apia',
      { friday: 'on' },
      '2011-12-29T12:00Z',
      ['opens 2012-01-06T00:00+14:00', 'closes 2012-01-07T00:00+14:00'],
    ],
    'Apia skipped a friday that was off, between days that were on': [
      'Pacific/Apia',
      { rest: 'on', friday: 'off' },
      '2011-12-29T12:00Z',
      ['closes 2012-01-06T00:00+14:00', 'opens 2012-01-07T00:00+14:00'],
    ],
    'Pyongyang moved half an hour at midnight in 2018': [
      'Asia/Pyongyang',
      { friday: '23:00-23:45', saturday: '00:00-06:00' },
      '2018-05-04T00:00Z',
      ['opens 2018-05-04T23:00+08:30', 'closes 2018-05-05T06:00+09:00'],
    ],
  });
});

describe('edges when clocks go back', () => {
  checkEdges({
    'an opening in the repeated hour happens the first time': [
      'Europe/Berlin',
      { sunday: '02:30-06:00' },
      '2026-10-24T12:00Z',
      ['opens 2026-10-25T02:30+02:00', 'closes 2026-10-25T06:00+01:00'],
    ],
    'a closing in the repeated hour happens the second time': [
      'Europe/Berlin',
      { sunday: '00:30-02:30' },
      '2026-10-24T12:00Z',
      ['opens 2026-10-25T00:30+02:00', 'closes 2026-10-25T02:30+01:00'],
    ],
    'a closing at the start of the repeated hour happens the second time': [
      'Europe/Berlin',
      { sunday: '00:30-02:00' },
      '2026-10-24T12:00Z',
      ['opens 2026-10-25T00:30+02:00', 'closes 2026-10-25T02:00+01:00'],
    ],
    'an opening at the start of the repeated hour happens the first time': [
      'Europe/Berlin',
      { sunday: '02:00-06:00' },
      '2026-10-24T12:00Z',
      ['opens 2026-10-25T02:00+02:00', 'closes 2026-10-25T06:00+01:00'],
    ],
    'an edge at the end of the repeated hour happens once': [
      'Europe/Berlin',
      { sunday: '03:00-06:00' },
      '2026-10-24T12:00Z',
      ['opens 2026-10-25T03:00+01:00', 'closes 2026-10-25T06:00+01:00'],
    ],
    'a range inside the repeated hour is one range, not two': [
      'Europe/Berlin',
      { sunday: '02:15-02:45' },
      '2026-10-24T12:00Z',
      ['opens 2026-10-25T02:15+02:00', 'closes 2026-10-25T02:45+01:00', 'opens 2026-11-01T02:15+01:00'],
    ],
    'a break inside the repeated hour is worked through': [
      'Europe/Berlin',
      { sunday: '00:00-02:15,02:45-06:00' },
      '2026-10-24T12:00Z',
      ['opens 2026-10-25T00:00+02:00', 'closes 2026-10-25T06:00+01:00'],
    ],
    'a break around the repeated hour stays': [
      'Europe/Berlin',
      { sunday: '00:00-01:45,03:15-06:00' },
      '2026-10-24T12:00Z',
      [
        'opens 2026-10-25T00:00+02:00',
        'closes 2026-10-25T01:45+02:00',
        'opens 2026-10-25T03:15+01:00',
        'closes 2026-10-25T06:00+01:00',
      ],
    ],
    'officeWeek hours move with the clock over the weekend': [
      'Europe/Berlin',
      officeWeek,
      '2026-10-23T12:00Z',
      ['closes 2026-10-23T20:00+02:00', 'opens 2026-10-26T08:00+01:00'],
    ],
    'New York repeats an hour on its own date': [
      'America/New_York',
      { sunday: '01:30-01:45' },
      '2026-10-31T12:00Z',
      ['opens 2026-11-01T01:30-04:00', 'closes 2026-11-01T01:45-05:00'],
    ],
    'Lord Howe repeats half an hour': [
      'Australia/Lord_Howe',
      { sunday: '01:40-01:50' },
      '2026-04-04T00:00Z',
      ['opens 2026-04-05T01:40+11:00', 'closes 2026-04-05T01:50+10:30'],
    ],
    'Lord Howe does not repeat the other half hour': [
      'Australia/Lord_Howe',
      { sunday: '01:10-01:20' },
      '2026-04-04T00:00Z',
      ['opens 2026-04-05T01:10+11:00', 'closes 2026-04-05T01:20+11:00'],
    ],
    'Troll repeats two hours': [
      'Antarctica/Troll',
      { sunday: '01:30-02:30' },
      '2026-10-24T12:00Z',
      ['opens 2026-10-25T01:30+02:00', 'closes 2026-10-25T02:30+00:00'],
    ],
    'Sao Paulo repeated the last hour of a saturday': [
      'America/Sao_Paulo',
      { saturday: '20:00-23:30' },
      '2018-02-17T12:00Z',
      ['opens 2018-02-17T20:00-02:00', 'closes 2018-02-17T23:30-03:00'],
    ],
    'Sao Paulo repeated the last hour: midnight still comes once': [
      'America/Sao_Paulo',
      { saturday: '20:00-00:00' },
      '2018-02-17T12:00Z',
      ['opens 2018-02-17T20:00-02:00', 'closes 2018-02-18T00:00-03:00'],
    ],
    'Cairo repeats the last hour of a thursday': [
      'Africa/Cairo',
      { thursday: '23:30-00:00' },
      '2026-10-29T12:00Z',
      ['opens 2026-10-29T23:30+03:00', 'closes 2026-10-30T00:00+02:00'],
    ],
    'Beirut repeats the last hour of a saturday': [
      'Asia/Beirut',
      { saturday: 'on' },
      '2026-10-23T12:00Z',
      ['opens 2026-10-24T00:00+03:00', 'closes 2026-10-25T00:00+02:00'],
    ],
    'Havana repeats midnight: the day before closes the second time': [
      'America/Havana',
      { saturday: '20:00-00:00' },
      '2026-10-31T12:00Z',
      ['opens 2026-10-31T20:00-04:00', 'closes 2026-11-01T00:00-05:00'],
    ],
    'Havana repeats midnight: the day opens the first time': [
      'America/Havana',
      { sunday: '00:00-06:00' },
      '2026-10-31T12:00Z',
      ['opens 2026-11-01T00:00-04:00', 'closes 2026-11-01T06:00-05:00'],
    ],
    'Havana repeats midnight: a night shift goes on through it': [
      'America/Havana',
      { saturday: '20:00-00:00', sunday: '00:00-06:00' },
      '2026-10-31T12:00Z',
      ['opens 2026-10-31T20:00-04:00', 'closes 2026-11-01T06:00-05:00'],
    ],
    'the Azores repeat midnight': [
      'Atlantic/Azores',
      { sunday: '00:30-06:00' },
      '2026-10-24T12:00Z',
      ['opens 2026-10-25T00:30+00:00', 'closes 2026-10-25T06:00-01:00'],
    ],
    'St John’s once went back over midnight, into the day before': [
      'America/St_Johns',
      { saturday: '20:00-23:30', sunday: 'off' },
      '2006-10-28T12:00Z',
      ['opens 2006-10-28T20:00-02:30', 'closes 2006-10-28T23:30-03:30'],
    ],
    'St John’s: a sunday that is on opens at its first midnight': [
      'America/St_Johns',
      { sunday: 'on' },
      '2006-10-28T12:00Z',
      ['opens 2006-10-29T00:00-02:30', 'closes 2006-10-30T00:00-03:30'],
    ],
    'Pyongyang moved back half an hour at midnight in 2015': [
      'Asia/Pyongyang',
      { friday: '20:00-23:45' },
      '2015-08-14T00:00Z',
      ['opens 2015-08-14T20:00+09:00', 'closes 2015-08-14T23:45+08:30'],
    ],
    'Casablanca leaves its offset for Ramadan and takes it again': [
      'Africa/Casablanca',
      { sunday: '02:15-02:45' },
      '2026-02-14T12:00Z',
      [
        'opens 2026-02-15T02:15+01:00',
        'closes 2026-02-15T02:45+00:00',
        'opens 2026-02-22T02:15+00:00',
        'closes 2026-02-22T02:45+00:00',
      ],
    ],
  });
});
