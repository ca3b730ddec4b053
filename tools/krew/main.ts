// npm run krew -- --uri URL    builds the archive of `kubectl svc` and the manifest of krew for it
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { stringify } from 'yaml';
import packageJson from '../../package.json' with { type: 'json' };
import { bundle, bundles } from '../build/bundle.ts';
import { krewManifest } from './manifest.ts';

const { values } = parseArgs({
  options: { uri: { type: 'string' }, out: { type: 'string', default: 'artifacts/krew' } },
});
if (!values.uri || !URL.canParse(values.uri)) {
  console.error('--uri is where the archive will lie, such as https://downloads.example.com/kubectl-svc.tar.gz');
  process.exit(1);
}
const folder = join(values.out, 'files');
const archive = join(values.out, 'kubectl-svc.tar.gz');
rmSync(values.out, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
await bundle({ cli: bundles.cli }, folder);
chmodSync(join(folder, 'cli.mjs'), 0o755);
const packed = spawnSync('tar', ['-czf', archive, '-C', folder, '.'], { stdio: 'inherit' });
if (packed.status !== 0) process.exit(1);
const sha256 = createHash('sha256').update(readFileSync(archive)).digest('hex');
const manifest = join(values.out, 'svc.yaml');
writeFileSync(manifest, stringify(krewManifest({ version: packageJson.version, uri: values.uri, sha256 })));
console.log(`${archive}\n${manifest}`);
