import { everyDay } from './harness/hours.ts';
import { describeRows } from './harness/rows.ts';
import { booksRow } from './rows/insights.ts';
import { admin } from './rows/sign-in.ts';

describeRows('books-keys', [booksRow], {
  processes: ['api', 'controller'],
  // Over since a minute past midnight, whenever this runs.
  base: ({ mailPort }) => ({
    clusterName: 'wired',
    externalUrl: 'https://svc.example.com',
    auth: { adminUsers: [admin] },
    smtp: { host: '127.0.0.1', port: mailPort },
    ...everyDay('00:00-00:01'),
  }),
  streamingLists: false,
});
