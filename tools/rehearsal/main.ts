// npm run rehearsal                       every step of a release, in a clean clone, as a user without rights
// npm run rehearsal -- --suites check,unit  these test suites instead of all
//
// Started by root, it runs the steps as the user 1001, as the runners of GitHub do; started by anybody else, as who they are.

import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import packageJson from '../../package.json' with { type: 'json' };
import { cacheFolder } from '../provision/cache-folder.ts';
import { provision } from '../provision/provision.ts';
import { searchPath } from './search-path.ts';
import { type Step, stepsOf } from './steps.ts';

const root = join(import.meta.dirname, '../..');
const { values } = parseArgs({ options: { suites: { type: 'string' } } });
const asRoot = process.getuid?.() === 0;
const user = asRoot ? 1001 : (process.getuid?.() ?? 0);
const asUser = asRoot ? { uid: user, gid: user } : {};

const folder = mkdtempSync(join(tmpdir(), 'svc-rehearsal-'));
chmodSync(folder, 0o755);
const clone = join(folder, 'clone');
const home = join(folder, 'home');

function git(...args: readonly string[]): void {
  const { status, stderr } = spawnSync('git', args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`git ${args[0]}: ${stderr}`);
}

async function prepare(): Promise<void> {
  const helm = await provision('helm');
  git('clone', '--quiet', '--no-local', root, clone);
  mkdirSync(join(home, '.cache'), { recursive: true });
  mkdirSync(join(home, 'bin'));
  cpSync(helm, join(home, 'bin', 'helm'));
  // As the cache of the workflow gives it back: building the control plane anew takes Go minutes.
  const tools = cacheFolder();
  if (existsSync(tools)) spawnSync('cp', ['-r', tools, join(home, '.cache', 'svc-tools')]);
  if (asRoot) spawnSync('chown', ['-R', `${user}:${user}`, folder]);
}

const nodeFolder = dirname(process.env['npm_node_execpath'] ?? process.execPath);

/** Whether the user of the steps may run it; root may enter folders that they may not. */
function usable(program: string): boolean {
  return spawnSync('test', ['-x', program], { ...asUser }).status === 0;
}

/** Nothing of whoever started it but where packages come from, and whom to believe that it is there. */
function environment(): NodeJS.ProcessEnv {
  const packages = Object.entries(process.env).filter(([key]) =>
    /^(npm_config_(registry|cafile)|NODE_EXTRA_CA_CERTS|SSL_CERT_FILE|GOPROXY|PIP_)/i.test(key),
  );
  return {
    ...Object.fromEntries(packages),
    PATH: searchPath([join(home, 'bin'), nodeFolder], process.env['PATH'] ?? '', usable),
    HOME: home,
    LANG: 'C.UTF-8',
    GITHUB_REF_NAME: `v${packageJson.version}`,
  };
}

function run({ run: command }: Step): { readonly ok: boolean; readonly seconds: number } {
  const begun = performance.now();
  const text = values.suites === undefined ? command : command?.replace(/npm test$/m, `npm test -- ${suiteNames()}`);
  const { status } = spawnSync('bash', ['-e', '-o', 'pipefail', '-c', text ?? ''], {
    cwd: clone,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: environment(),
    ...asUser,
  });
  return { ok: status === 0, seconds: Math.round((performance.now() - begun) / 1000) };
}

function suiteNames(): string {
  return (values.suites ?? '').split(',').join(' ');
}

const lines: string[] = [];
let failed = false;
try {
  await prepare();
  const textOf = (file: string) => readFileSync(join(clone, file), 'utf8');
  for (const step of stepsOf(textOf('.github/workflows/release.yml'), textOf)) {
    const note = step.differs === undefined ? '' : ` (${step.differs})`;
    console.log(`\n── ${step.job}: ${step.name}${note} ──`);
    if (step.run === undefined) {
      lines.push(`not run  ${step.job}: ${step.name}${note}`);
      continue;
    }
    const { ok, seconds } = run(step);
    lines.push(`${ok ? 'ok      ' : 'FAILED  '} ${step.job}: ${step.name}${note}  (${seconds} s)`);
    failed ||= !ok;
    if (!ok) break;
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(`\nAs the user ${user}, from a clean clone:\n${lines.join('\n')}`);
process.exitCode = failed ? 1 : 0;
