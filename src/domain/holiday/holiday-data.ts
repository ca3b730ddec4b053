// Public holidays as one text, so that a process that shows a region or two decodes a region or two. Written by
// `tools/generate/holidays.ts`, read here:
//
//   2026 7                     first year, number of years
//   New Year's Day=0101        a holiday on the same date each year
//   Easter Monday:00406,10329  one that moves: year after the first, month and day
//                              (blank line)
//   DE 0 1 c                   a country: its holidays, by line number in base 36
//   DE-BY +2 -c                a state: what it has more and less than its country

export interface Holiday {
  /** `YYYY-MM-DD` */
  readonly date: string;
  readonly name: string;
  readonly region: string;
}

export interface HolidayData {
  readonly lastYear: number;
  readonly regions: readonly string[];
  /** Of one region, by date; undefined when there is no such region. */
  holidays(region: string): readonly Holiday[] | undefined;
}

export function readHolidayData(text: string): HolidayData {
  const [head = '', ...rest] = text.split('\n');
  const [firstYear = 0, years = 0] = head.split(' ').map(Number);
  const blank = rest.indexOf('');
  const rules = rest.slice(0, blank);
  const lines = new Map(
    rest
      .slice(blank + 1)
      .filter((line) => line !== '')
      .map((line) => {
        const space = line.indexOf(' ');
        return space < 0 ? ([line, ''] as const) : ([line.slice(0, space), line.slice(space + 1)] as const);
      }),
  );
  const rulesOf = (region: string): ReadonlySet<number> => {
    const parent = region.lastIndexOf('-');
    const own = new Set(parent < 0 ? [] : rulesOf(region.slice(0, parent)));
    for (const entry of (lines.get(region) ?? '').split(' ')) {
      if (entry === '') continue;
      const rule = Number.parseInt(entry.replace(/^[+-]/, ''), 36);
      if (entry.startsWith('-')) own.delete(rule);
      else own.add(rule);
    }
    return own;
  };
  return {
    lastYear: firstYear + years - 1,
    regions: [...lines.keys()],
    holidays(region) {
      if (!lines.has(region)) return undefined;
      const all = [...rulesOf(region)].flatMap((rule) => datesOf(rules[rule] ?? '', firstYear, years));
      return all
        .map((one) => ({ ...one, region }))
        .toSorted((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0));
    },
  };
}

function datesOf(rule: string, firstYear: number, years: number): readonly { date: string; name: string }[] {
  const fixed = /^(.*)=(\d{4})$/.exec(rule);
  if (fixed !== null) {
    const [, name = '', day = ''] = fixed;
    return Array.from({ length: years }, (_, year) => ({ date: dated(firstYear + year, day), name }));
  }
  const colon = rule.lastIndexOf(':');
  const name = rule.slice(0, colon);
  return rule
    .slice(colon + 1)
    .split(',')
    .map((date) => ({ date: dated(firstYear + Number(date.slice(0, -4)), date.slice(-4)), name }));
}

function dated(year: number, monthAndDay: string): string {
  return `${year}-${monthAndDay.slice(0, 2)}-${monthAndDay.slice(2)}`;
}
