import DateHolidays from 'date-holidays';
import { describe, expect, it } from 'vitest';
import { parseConfig } from '../../config/config.ts';
import { readHolidayData } from './holiday-data.ts';
import { daysOff, holidayProblems, holidaysOf, loadHolidayData } from './holidays.ts';
import { regionalHolidays } from './regional-holidays.ts';

const text = [
  '2026 2',
  "New Year's Day=0101",
  'Easter Monday:00406,10329',
  'Epiphany=0106',
  'Feast: of Colons:01231',
  '',
  'DE 0 1',
  'DE-BY +2 -1',
  'DE-BY-A +3',
  'ZZ',
].join('\n');

describe('the text of holidays', () => {
  const data = readHolidayData(text);

  it('gives a state what its country has, and what it has more and less', () => {
    expect(data.holidays('DE')?.map(({ date, name }) => `${date} ${name}`)).toEqual([
      "2026-01-01 New Year's Day",
      '2026-04-06 Easter Monday',
      "2027-01-01 New Year's Day",
      '2027-03-29 Easter Monday',
    ]);
    expect(data.holidays('DE-BY')?.map(({ date }) => date)).toEqual([
      '2026-01-01',
      '2026-01-06',
      '2027-01-01',
      '2027-01-06',
    ]);
    expect(data.holidays('DE-BY-A')?.find(({ date }) => date === '2026-12-31')).toEqual({
      date: '2026-12-31',
      name: 'Feast: of Colons',
      region: 'DE-BY-A',
    });
    expect(data.holidays('ZZ')).toEqual([]);
    expect(data.holidays('XX')).toBeUndefined();
    expect(data.lastYear).toBe(2027);
  });

  it('makes one day off of a date that several regions keep', () => {
    const off = daysOff(holidaysOf(data, ['DE', 'DE-BY', 'DE'], '2026-01-01', '2026-01-06'));
    expect(off).toEqual([
      { date: '2026-01-01', label: "New Year's Day (DE, DE-BY)" },
      { date: '2026-01-06', label: 'Epiphany (DE-BY)' },
    ]);
  });

  it('names every region of a country, however many it has', () => {
    const regions = ['DE', ...Array.from({ length: 30 }, (_, index) => `DE-${String(index).padStart(2, '0')}`)];
    expect(holidayProblems({ ...data, regions }, ['DE-XX'])[0]).toMatch(new RegExp(`; DE has ${regions.join(', ')}$`));
  });

  it('names the field of a region that does not exist, and what would be right', () => {
    expect(holidayProblems(data, ['DE', 'DE-XX', 'QQ'])).toEqual([
      'config.holidays.regions[1]: there are no holidays for "DE-XX"; DE has DE, DE-BY, DE-BY-A',
      'config.holidays.regions[2]: there are no holidays for "QQ"; QQ is not a country with known holidays',
    ]);
  });
});

describe('the generated holidays', () => {
  // The library itself is the second opinion; it is too heavy to be loaded by a process that runs in a cluster.
  for (const [country, state, region] of [
    ['DE'],
    ['DE', 'BY'],
    ['DE', 'BE'],
    ['US', 'LA', 'NO'],
    ['GB', 'SCT'],
    ['JP'],
    ['IL'],
    ['AE'],
    ['BR'],
    ['ZA'],
  ] as [string, string?, string?][]) {
    const code = [country, state, region].filter((part) => part !== undefined).join('-');
    it(`agree with the library about ${code}`, async () => {
      const data = await loadHolidayData();
      // The library's types ask for one, its constructor takes up to three.
      const library = new DateHolidays(...([country, state, region] as unknown as [string]));
      for (const year of [2026, 2032, 2040]) {
        const wanted = library
          .getHolidays(year, 'en')
          .filter(({ type, date }) => type === 'public' && date.slice(10).startsWith(' 00:00:00'));
        const found = new Map(
          holidaysOf(data, [code], `${year}-01-01`, `${year}-12-31`).map((one) => [`${one.date} ${one.name}`, one]),
        );
        expect(wanted.length).toBeGreaterThan(3);
        for (const { date, name } of wanted)
          expect(found.has(`${date.slice(0, 10)} ${name}`), `${date} ${name}`).toBe(true);
        const known = new Set(wanted.map(({ name }) => name));
        expect([...found.values()].filter(({ name }) => !known.has(name))).toEqual([]);
      }
    });
  }

  it('spread a feast of several days over them', async () => {
    const feast = holidaysOf(await loadHolidayData(), ['AE'], '2026-03-01', '2026-03-31').filter(({ name }) =>
      name.includes('Eid'),
    );
    expect(feast.map(({ date }) => date)).toEqual(['2026-03-20', '2026-03-21', '2026-03-22']);
  });

  it('know hundreds of regions, all in upper case', async () => {
    const { regions } = await loadHolidayData();
    expect(regions.length).toBeGreaterThan(600);
    expect(regions.filter((code) => code !== code.toUpperCase())).toEqual([]);
  });
});

describe('the codes of the library', () => {
  const library = new DateHolidays();
  const countries = Object.keys(library.getCountries('en'));
  const codes = countries.flatMap((country) => [
    country,
    ...Object.keys(library.getStates(country, 'en') ?? {}).flatMap((state) => [
      `${country}-${state}`,
      ...Object.keys(library.getRegions(country, state, 'en') ?? {}).map((region) => `${country}-${state}-${region}`),
    ]),
  ]);
  const inCapitals = codes.map((code) => code.toUpperCase());

  it('are all known', async () => {
    expect(new Set((await loadHolidayData()).regions)).toEqual(new Set(inCapitals));
  });

  it('may all be configured, the long ones as well', () => {
    expect(inCapitals).toContain('CK-PALMERSTON');
    for (let at = 0; at < inCapitals.length; at += 50) {
      const holidays = { regions: inCapitals.slice(at, at + 50) };
      const parsed = parseConfig({ clusterName: 'dev', externalUrl: 'https://svc.example.com', holidays });
      expect(parsed.ok ? [] : parsed.errors).toEqual([]);
    }
  });
});

describe('the holidays of a configuration', () => {
  const data = readHolidayData(text);

  it('are shown by name and region, and are days off when they are acted on', () => {
    const { on, off } = regionalHolidays({ regions: ['DE', 'DE-BY'], act: true }, data);
    expect(on('2026-01-01').map(({ name, region }) => `${name} ${region}`)).toEqual([
      "New Year's Day DE",
      "New Year's Day DE-BY",
    ]);
    expect(on('2026-01-02')).toEqual([]);
    expect(off[0]).toEqual({ date: '2026-01-01', label: "New Year's Day (DE, DE-BY)" });
  });

  it('are shown and no days off when they are not acted on', () => {
    const { on, off } = regionalHolidays({ regions: ['DE'], act: false }, data);
    expect([on('2026-04-06').length, off]).toEqual([1, []]);
  });
});
