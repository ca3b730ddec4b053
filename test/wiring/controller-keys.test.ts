import { credentialsFile } from './harness/credentials.ts';
import { describeRows } from './harness/rows.ts';
import { wakeSecrets } from './rows/external-wake.ts';
import { hibernateAndWake, observeScalings, scalingBase, scalingObjects, scalingRows } from './rows/scaling.ts';

describeRows('controller-keys', scalingRows, {
  processes: ['api', 'controller'],
  base: scalingBase,
  objects: scalingObjects,
  values: {
    ...wakeSecrets,
    extraEnvVars: [
      { name: 'AWS_SHARED_CREDENTIALS_FILE', value: credentialsFile('first', 'second') },
      { name: 'AWS_EC2_METADATA_DISABLED', value: 'true' },
    ],
  },
  observe: observeScalings,
  prepare: hibernateAndWake,
});
