import { holidayRegion } from '../formats/names.ts';
import { flag, list, record, text } from '../formats/value-types.ts';

export const holidays = record(
  {
    regions: list(text({ format: holidayRegion, description: 'A region.' }), {
      maxItems: 50,
      description: 'Regions whose public holidays the calendar shows; empty shows none.',
    }),
    act: flag({ default: false, description: 'Treat a public holiday of these regions as a day that is `off`.' }),
  },
  { description: 'Public holidays.' },
);
