import { homedir } from 'node:os';
import { join } from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

/** Where built tools are kept between runs: never inside the checkout, so that a clean clone stays warm. */
export function cacheFolder(env: Environment = process.env, home: string = homedir()): string {
  if (env['SVC_TOOLS_CACHE']) return env['SVC_TOOLS_CACHE'];
  if (env['XDG_CACHE_HOME']) return join(env['XDG_CACHE_HOME'], 'svc-tools');
  return join(home, '.cache', 'svc-tools');
}
