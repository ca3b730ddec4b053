import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import packageJson from '../../package.json' with { type: 'json' };

const out = mkdtempSync(join(tmpdir(), 'svc-krew-'));
afterAll(() => rmSync(out, { recursive: true }));

interface Manifest {
  readonly spec: { readonly platforms: readonly { uri: string; sha256: string; bin: string }[] };
}

describe('the krew manifest', () => {
  it('has the sum of the archive, whose program runs when it is linked as krew links it', () => {
    const uri = 'https://downloads.example.com/kubectl-svc.tar.gz';
    const main = join(import.meta.dirname, 'main.ts');
    execFileSync(process.execPath, [main, '--uri', uri, '--out', join(out, 'krew')], { encoding: 'utf8' });
    const manifest = parse(readFileSync(join(out, 'krew/svc.yaml'), 'utf8')) as Manifest;
    const [platform] = manifest.spec.platforms;
    const archive = join(out, 'krew/kubectl-svc.tar.gz');
    const sha256 = createHash('sha256').update(readFileSync(archive)).digest('hex');
    expect(platform).toMatchObject({ uri, sha256, bin: 'cli.mjs' });
    execFileSync('tar', ['-xzf', archive, '-C', out]);
    symlinkSync(join(out, platform?.bin ?? ''), join(out, 'kubectl-svc'));
    const said = execFileSync(process.execPath, [join(out, 'kubectl-svc'), '--version'], { encoding: 'utf8' });
    expect(said).toBe(`svc ${packageJson.version}\n`);
  });
});
