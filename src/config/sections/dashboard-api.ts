import { origin } from '../formats/urls.ts';
import { flag, list, record, text } from '../formats/value-types.ts';

export const dashboardApi = record(
  {
    enabled: flag({ default: false, description: 'Serve the dashboard status without a sign-in.' }),
    corsOrigins: list(text({ format: origin, description: 'An origin.' }), {
      maxItems: 100,
      description: 'Origins whose pages may read the dashboard endpoints in a browser.',
    }),
  },
  { description: 'Status for dashboards.' },
);
