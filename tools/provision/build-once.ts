import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '../../src/platform/system-clock.ts';
import { sleep } from '../../src/ports/clock.ts';
import { identify, isAlive } from '../cluster/process-identity.ts';
import { progress } from './run-command.ts';

/**
 * Makes `<cache>/<name>` by running `build` on a temporary folder and renaming it, so that it is complete or absent.
 * Two runs at the same time build it once: the second waits for the first.
 */
export async function buildOnce(
  cache: string,
  name: string,
  build: (folder: string) => Promise<void>,
): Promise<string> {
  const finished = join(cache, name);
  if (existsSync(finished)) return finished;
  await mkdir(cache, { recursive: true });
  const release = await acquireLock(join(cache, `${name}.lock`));
  try {
    if (existsSync(finished)) return finished;
    await removeAbandoned(cache, name);
    const folder = await mkdtemp(join(cache, `building-${name}-`));
    try {
      await build(folder);
      await rename(folder, finished).catch((error) => {
        // Two that took over the same dead holder's lock may both have built it; either result will do.
        if (!existsSync(finished)) throw error;
      });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
    return finished;
  } finally {
    await release();
  }
}

/** What a killed build left; only the holder of the lock may come here. */
async function removeAbandoned(cache: string, name: string): Promise<void> {
  for (const entry of await readdir(cache)) {
    if (entry.startsWith(`building-${name}-`)) await rm(join(cache, entry), { recursive: true, force: true });
  }
}

/** A lock is a folder that names its holder; one whose holder is gone is taken over. */
async function acquireLock(path: string): Promise<() => Promise<void>> {
  const holderFile = join(path, 'holder');
  for (let attempt = 0; ; attempt++) {
    try {
      await mkdir(path);
      const { pid, started } = identify('builder', process.pid);
      await writeFile(holderFile, `${pid} ${started}`);
      return () => rm(path, { recursive: true, force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const [pid = '', started = ''] = await readFile(holderFile, 'utf8').then(
      (text) => text.split(' '),
      () => [],
    );
    // A lock without a name is one that is just being taken, unless it stays so.
    const abandoned = pid === '' ? attempt > 10 : !isAlive({ name: 'builder', pid: Number(pid), started });
    if (abandoned) await rm(path, { recursive: true, force: true });
    else if (attempt === 0) progress(`Waiting for process ${pid || '(unknown)'}, which holds ${path} …`);
    await sleep(systemClock, 300);
  }
}
