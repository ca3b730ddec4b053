import { describeRows } from './harness/rows.ts';
import { apiProcessRows } from './rows/api-process.ts';
import { dashboardRows } from './rows/dashboard.ts';
import { externalWakeRows, wakeSecrets } from './rows/external-wake.ts';
import { insightRows, ledger } from './rows/insights.ts';
import { scheduleRows } from './rows/schedule.ts';
import { signInRows } from './rows/sign-in.ts';

const rows = [...signInRows, ...dashboardRows, ...scheduleRows, ...insightRows, ...externalWakeRows, ...apiProcessRows];

describeRows('api-keys', rows, { processes: ['api'], objects: [ledger], values: wakeSecrets });
