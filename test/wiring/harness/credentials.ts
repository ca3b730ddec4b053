import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A file of profiles for the cloud, told apart by the key that each signs with: `KEYOFFIRST`. */
export function credentialsFile(...names: readonly string[]): string {
  const file = join(mkdtempSync(join(tmpdir(), 'svc-wiring-aws-')), 'credentials');
  const profile = (name: string) =>
    `[${name}]\naws_access_key_id = KEYOF${name.toUpperCase()}\naws_secret_access_key = secret-of-${name}\n`;
  writeFileSync(file, names.map(profile).join('\n'));
  return file;
}
