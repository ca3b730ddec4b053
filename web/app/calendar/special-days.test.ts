import { expect, it } from 'vitest';
import { schedule } from '../../fixtures/schedule.ts';
import { specialDays } from './special-days.ts';

it('a day is special for other hours, for holidays by name and region, and for clocks that change', () => {
  const [plain] = schedule().plan.days.filter(({ source }) => source === 'schedule');
  const day = { ...plain!, holidays: [] };
  const holidays = [
    { name: 'Christmas Day', region: 'DE' },
    { name: 'Christmas Day', region: 'GB' },
  ];
  const told = specialDays([
    day,
    { ...day, date: '2026-12-24', hours: '08:00-12:00', source: 'override', label: 'half a day' },
    { ...day, date: '2026-12-25', hours: 'off', source: 'holiday', holidays },
    { ...day, date: '2026-12-26', holidays: [{ name: 'Boxing Day', region: 'GB' }] },
    {
      ...day,
      date: '2027-03-28',
      clockChange: { at: '2027-03-28T01:00:00Z', shiftMinutes: 60, text: 'Clocks go forward 1 hour' },
    },
  ]);
  expect(told.map(({ date, hours, what, onlyShown }) => [date, hours, what, onlyShown])).toEqual([
    ['2026-12-24', '08:00-12:00', ['Other hours: half a day'], false],
    ['2026-12-25', 'off', ['Christmas Day (DE)', 'Christmas Day (GB)'], false],
    ['2026-12-26', day.hours, ['Boxing Day (GB)'], true],
    ['2027-03-28', day.hours, ['Clocks go forward 1 hour'], true],
  ]);
});
