import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { buildOnce } from './build-once.ts';
import { cacheFolder } from './cache-folder.ts';
import { type CommandResult, lastLine, progress, runCommand } from './run-command.ts';
import { Unavailable } from './unavailable.ts';

const motoRequirement = 'moto[server]==5.2.5';

/** A virtual environment in the cache with moto in it; answers the path of its server program. */
export async function motoServer(): Promise<string> {
  const python = await runCommand('python3', ['-c', 'import sys, venv; print(sys.version)']);
  const missing = whyNoPython(python);
  if (missing !== undefined) throw new Unavailable('moto', missing);
  const key = createHash('sha256').update(JSON.stringify([motoRequirement, python.stdout, process.arch]));
  // A virtual environment knows its own path and cannot be renamed, so a marker folder says that it is complete.
  const environment = join(cacheFolder(), `moto-${key.digest('hex').slice(0, 12)}-venv`);
  await buildOnce(cacheFolder(), environment.slice(cacheFolder().length + 1).replace(/-venv$/, ''), async () => {
    progress(`Installing ${motoRequirement} with pip (once) …`);
    await orUnavailable(runCommand('python3', ['-m', 'venv', '--clear', environment]));
    const pip = join(environment, 'bin', 'pip');
    await orUnavailable(runCommand(pip, ['install', '--quiet', '--disable-pip-version-check', motoRequirement]));
  });
  return join(environment, 'bin', 'moto_server');
}

export function whyNoPython(python: CommandResult): string | undefined {
  const instead = 'install Python 3.10 or newer with its venv module, or set MOTO_SERVER_PATH';
  if (python.status === 127) return `Python is not installed: ${instead}`;
  if (python.status !== 0) return `Python cannot make virtual environments (${lastLine(python)}): ${instead}`;
  return undefined;
}

async function orUnavailable(running: Promise<CommandResult>): Promise<void> {
  const result = await running;
  if (result.status !== 0) {
    throw new Unavailable('moto', `pip could not install ${motoRequirement}: ${lastLine(result)}`);
  }
}
