import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { buildOnce } from './build-once.ts';
import { cacheFolder } from './cache-folder.ts';
import { type CommandResult, lastLine, progress, runCommand } from './run-command.ts';
import { Unavailable } from './unavailable.ts';

const quietly = { DEBIAN_FRONTEND: 'noninteractive' };
// Another apt on the machine (an image build, unattended upgrades) holds the lock for a while, not for ever.
const waitForLock = ['-o', 'DPkg::Lock::Timeout=300', '-o', 'Acquire::Retries=3'];

export interface PackageMachine {
  readonly root: boolean;
  readonly apt: boolean;
}

export function packageMachine(): PackageMachine {
  return { root: process.getuid?.() === 0, apt: existsSync('/usr/bin/apt-get') };
}

/** Why packages cannot be had here, or undefined when they can. Only installing one for everybody takes root. */
export function whyNoPackages(machine: PackageMachine, program: string, variable: string): string | undefined {
  if (machine.apt) return undefined;
  return `${program} is not installed and this is not Debian: install ${program} and put it on the PATH, or set ${variable}`;
}

export async function installPackages(program: string, packages: readonly string[]): Promise<void> {
  progress(`Installing ${packages.join(', ')} …`);
  const args = [...waitForLock, 'install', '-y', '--no-install-recommends', ...packages];
  const result = await withFreshLists(() => runCommand('apt-get', args, { env: quietly }));
  if (result.status !== 0) throw new Unavailable(program, `apt-get could not install ${program}: ${lastLine(result)}`);
}

/**
 * Unpacks packages into the cache without installing them: for a program whose package would also start a daemon, and for
 * whoever is not root. apt keeps its lists and archives in a folder of our own, so that it needs no rights.
 */
export async function unpackPackages(
  program: string,
  packages: readonly string[],
  options: { readonly dependencies?: boolean } = {},
): Promise<string> {
  const [name = program] = packages;
  const release = await readFile('/etc/os-release', 'utf8').then(
    (text) => /^VERSION_CODENAME=(\S+)/m.exec(text)?.[1] ?? 'debian',
    () => 'debian',
  );
  const suffix = options.dependencies ? '-with-dependencies' : '';
  return buildOnce(cacheFolder(), `${name}${suffix}-${release}-${process.arch}`, async (folder) => {
    progress(`Fetching the packages ${packages.join(', ')} for ${program} …`);
    const scratch = join(folder, 'apt');
    const archives = join(scratch, 'cache', 'archives');
    for (const part of [join(scratch, 'lists', 'partial'), join(archives, 'partial')]) {
      await mkdir(part, { recursive: true });
    }
    const run = (...args: string[]) =>
      runCommand('apt-get', [...privateApt(scratch), ...args], { cwd: archives, env: quietly });
    await run('update');
    const fetch = options.dependencies
      ? await run('install', '--download-only', '-y', '--no-install-recommends', ...packages)
      : await run('download', ...packages);
    const files = (await readdir(archives)).filter((file) => file.endsWith('.deb'));
    if (fetch.status !== 0 || files.length === 0) {
      throw new Unavailable(program, `apt-get could not download ${packages.join(', ')}: ${lastLine(fetch)}`);
    }
    for (const file of files) {
      const unpack = await runCommand('dpkg-deb', ['-x', join(archives, file), folder]);
      if (unpack.status !== 0) throw new Unavailable(program, `dpkg-deb could not unpack ${file}: ${lastLine(unpack)}`);
    }
    await rm(scratch, { recursive: true, force: true });
  });
}

function privateApt(folder: string): readonly string[] {
  const settings = {
    'Dir::State::lists': join(folder, 'lists'),
    'Dir::Cache': join(folder, 'cache'),
    'Debug::NoLocking': '1',
    'APT::Sandbox::User': '',
    // What a machine does after its own updates (an image deletes archives) is none of ours.
    'APT::Update::Post-Invoke': '',
    'DPkg::Post-Invoke': '',
    'Acquire::Retries': '3',
  };
  return Object.entries(settings).flatMap(([name, value]) => ['-o', `${name}=${value}`]);
}

let listsUpdated: Promise<CommandResult> | undefined;

/** Tries with the package lists as they are; a failure updates them, once a run, and tries again. */
async function withFreshLists(attempt: () => Promise<CommandResult>): Promise<CommandResult> {
  const first = await attempt();
  if (first.status === 0) return first;
  listsUpdated ??= runCommand('apt-get', [...waitForLock, 'update'], { env: quietly });
  const update = await listsUpdated;
  return update.status === 0 ? attempt() : update;
}
