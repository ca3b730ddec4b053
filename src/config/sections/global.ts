import { flag, record } from '../formats/value-types.ts';

export const global = record(
  {
    enabled: flag({ default: true, description: '`false` stands the service down until it is `true` again.' }),
  },
  { description: 'The switch for the whole service.' },
);
