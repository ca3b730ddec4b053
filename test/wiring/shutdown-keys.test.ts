import { describeRows } from './harness/rows.ts';
import { shutdownRow } from './rows/api-process.ts';
import { admin } from './rows/sign-in.ts';

describeRows('shutdown-keys', [shutdownRow], {
  processes: ['api'],
  base: ({ mailPort, proxyUrl }) => ({
    clusterName: 'wired',
    externalUrl: 'https://svc.example.com',
    auth: { adminUsers: [admin] },
    smtp: { host: '127.0.0.1', port: mailPort },
    urlReadinessCheck: { enabled: true, whitelist: ['*.ok.test'], proxyURL: proxyUrl },
  }),
});
