import { credentialsFile } from './harness/credentials.ts';
import { describeRows } from './harness/rows.ts';
import { answerCloud, cloudHost, costRows } from './rows/costs.ts';
import { admin } from './rows/sign-in.ts';

describeRows('cost-keys', costRows, {
  processes: ['api'],
  base: ({ mailPort, proxyUrl }) => ({
    clusterName: 'wired',
    externalUrl: 'https://svc.example.com',
    auth: { adminUsers: [admin] },
    smtp: { host: '127.0.0.1', port: mailPort },
    proxyURL: proxyUrl,
  }),
  values: {
    extraEnvVars: [
      { name: 'AWS_SHARED_CREDENTIALS_FILE', value: credentialsFile('first', 'second') },
      { name: 'AWS_EC2_METADATA_DISABLED', value: 'true' },
      { name: 'AWS_ENDPOINT_URL', value: `http://${cloudHost}` },
    ],
  },
  observe: ({ outside }) => answerCloud(outside),
});
