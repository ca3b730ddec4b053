import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeRows } from './harness/rows.ts';
import { wakeSecrets } from './rows/external-wake.ts';
import { hibernateAndWake, observeScalings, scalingBase, scalingObjects, scalingRows } from './rows/scaling.ts';

/** Two profiles, told apart by the key that they sign with. */
const credentials = join(mkdtempSync(join(tmpdir(), 'svc-wiring-aws-')), 'credentials');
const profile = (name: string) =>
  `[${name}]\naws_access_key_id = KEYOF${name.toUpperCase()}\naws_secret_access_key = secret-of-${name}\n`;
writeFileSync(credentials, ['first', 'second'].map(profile).join('\n'));

describeRows('controller-keys', scalingRows, {
  processes: ['api', 'controller'],
  base: scalingBase,
  objects: scalingObjects,
  values: {
    ...wakeSecrets,
    extraEnvVars: [
      { name: 'AWS_SHARED_CREDENTIALS_FILE', value: credentials },
      { name: 'AWS_EC2_METADATA_DISABLED', value: 'true' },
    ],
  },
  observe: observeScalings,
  prepare: hibernateAndWake,
});
