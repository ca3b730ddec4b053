import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type RunningFrontend, startFrontend } from '../src/frontend/main.ts';
import { createLogger } from '../src/platform/logger.ts';
import { systemClock } from '../src/platform/system-clock.ts';

export interface WebAppOptions {
  readonly port: number;
  readonly apiUrl: string;
}

const root = fileURLToPath(new URL('..', import.meta.url));
const built = join(root, 'dist', 'web');

/** The real frontend, on the machine's own time: a faster clock would only make its time-outs shorter. */
export async function serveWebApp({ port, apiUrl }: WebAppOptions): Promise<RunningFrontend> {
  await buildIfStale();
  return startFrontend({
    webRoot: built,
    apiUrl,
    externalUrl: `http://localhost:${port}`,
    trustedProxies: [],
    httpPort: port,
    httpsPort: 0,
    clock: systemClock,
    logger: createLogger({ process: 'frontend', level: 'warn' }),
  });
}

/** Builds the web app when it is missing, or when a source that goes into it has changed since. */
async function buildIfStale(): Promise<void> {
  const stamp = join(built, '.sources');
  const sources = sourcesHash();
  if (isFresh(stamp, sources)) return;
  process.stderr.write('Building the web app …\n');
  const { buildWeb } = await import('../web/build.ts');
  // In a folder of its own: two demos that start at the same time must not empty each other's.
  const folder = `${built}.${process.pid}`;
  try {
    await buildWeb(folder);
    writeFileSync(join(folder, '.sources'), sources);
    rmSync(built, { recursive: true, force: true });
    renameSync(folder, built);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    // The other one was faster, with the same sources.
    if (!isFresh(stamp, sources)) throw error;
  }
}

function isFresh(stamp: string, sources: string): boolean {
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === sources;
}

function sourcesHash(): string {
  const hash = createHash('sha256');
  const patterns = ['web/**/*', 'src/contract/**/*.ts', 'src/domain/**/*.ts', 'package-lock.json'];
  for (const file of globSync(patterns, { cwd: root }).toSorted()) {
    const path = join(root, file);
    if (/\.(tsx?|css|html|svg|json)$/.test(file) && !/\.test\./.test(file))
      hash.update(file).update(readFileSync(path));
  }
  return hash.digest('hex');
}
