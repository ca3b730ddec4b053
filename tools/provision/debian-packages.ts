import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
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

/** Why packages cannot be installed here, or undefined when they can. */
export function whyNoPackages(machine: PackageMachine, program: string, variable: string): string | undefined {
  const instead = `install ${program} and put it on the PATH, or set ${variable}`;
  if (!machine.apt) return `${program} is not installed and this is not Debian: ${instead}`;
  if (!machine.root) return `${program} is not installed and only root may install packages: ${instead}`;
  return undefined;
}

export async function installPackages(program: string, packages: readonly string[]): Promise<void> {
  progress(`Installing ${packages.join(', ')} …`);
  const args = [...waitForLock, 'install', '-y', '--no-install-recommends', ...packages];
  const result = await withFreshLists(() => runCommand('apt-get', args, { env: quietly }));
  if (result.status !== 0) throw new Unavailable(program, `apt-get could not install ${program}: ${lastLine(result)}`);
}

/** Unpacks a package into the cache without installing it: for a program whose package would also start a daemon. */
export async function unpackPackage(program: string, name: string): Promise<string> {
  const release = await readFile('/etc/os-release', 'utf8').then(
    (text) => /^VERSION_CODENAME=(\S+)/m.exec(text)?.[1] ?? 'debian',
    () => 'debian',
  );
  return buildOnce(cacheFolder(), `${name}-${release}-${process.arch}`, async (folder) => {
    progress(`Fetching the package ${name} for ${program} …`);
    const fetch = ['-o', 'APT::Sandbox::User=root', ...waitForLock, 'download', name];
    const download = await withFreshLists(() => runCommand('apt-get', fetch, { cwd: folder, env: quietly }));
    const archive = (await readdir(folder)).find((file) => file.endsWith('.deb'));
    if (download.status !== 0 || archive === undefined) {
      throw new Unavailable(program, `apt-get could not download ${name}: ${lastLine(download)}`);
    }
    const unpack = await runCommand('dpkg-deb', ['-x', join(folder, archive), folder]);
    if (unpack.status !== 0) throw new Unavailable(program, `dpkg-deb could not unpack ${name}: ${lastLine(unpack)}`);
  });
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
