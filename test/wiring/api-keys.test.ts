import { describeRows } from './harness/rows.ts';
import { dashboardRows } from './rows/dashboard.ts';
import { signInRows } from './rows/sign-in.ts';

describeRows('api-keys', [...signInRows, ...dashboardRows], {
  processes: ['api'],
  base: () => ({ clusterName: 'wired', externalUrl: 'https://svc.example.com' }),
});
