import { readFile, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { systemClock } from '../../src/platform/system-clock.ts';
import { buildKey } from './build-key.ts';
import { buildOnce } from './build-once.ts';
import { cacheFolder } from './cache-folder.ts';
import type { GoRecipe } from './go-recipes.ts';
import { type CommandResult, lastLine, progress, runCommand } from './run-command.ts';
import { Unavailable } from './unavailable.ts';

const toolsFolder = dirname(dirname(fileURLToPath(import.meta.url)));

/** Answers the folder in the cache that holds the recipe's binary and links, building it when it is not there. */
export async function goBinaries(recipe: GoRecipe, instead: string): Promise<string> {
  const moduleFolder = join(toolsFolder, recipe.module);
  const files: Record<string, string> = {};
  for (const name of recipe.inputFiles) files[name] = await readFile(join(moduleFolder, name), 'utf8');
  const goMod = files['go.mod'] ?? '';

  // Asked inside the module: there Go switches to the toolchain that go.mod wants, or says why it cannot.
  const go = await runCommand('go', ['env', 'GOVERSION', 'GOOS', 'GOARCH'], { cwd: moduleFolder });
  const missing = whyGoCannotBuild(go, goMod, instead);
  if (missing !== undefined) throw new Unavailable(recipe.module, missing);
  const [goVersion = '', os = '', architecture = ''] = go.stdout.trim().split('\n');

  const version = recipe.version(goMod);
  const ldflags = recipe.ldflags(version);
  const key = buildKey({ files, ldflags, goVersion, platform: `${os}/${architecture}` });
  return buildOnce(cacheFolder(), `${recipe.module}-${version}-${key}`, async (folder) => {
    progress(`Building ${recipe.module} ${version} with Go (once; minutes on a cold machine) …`);
    const begun = systemClock.monotonic();
    const args = ['build', '-ldflags', ldflags, '-o', join(folder, recipe.binary), recipe.target];
    const result = await runCommand('go', args, { cwd: moduleFolder });
    if (result.status !== 0) {
      throw new Unavailable(recipe.module, `Go could not build ${recipe.module} ${version}: ${lastLine(result)}`);
    }
    for (const name of recipe.links) await symlink(recipe.binary, join(folder, name));
    progress(`Built ${recipe.module} in ${Math.round((systemClock.monotonic() - begun) / 1000)} s.`);
  });
}

/** Why this machine cannot build the module, or undefined when it can. */
export function whyGoCannotBuild(go: CommandResult, goMod: string, instead: string): string | undefined {
  const wanted = /^go (\d+\.\d+)/m.exec(goMod)?.[1] ?? '1.26';
  if (go.status === 127) return `Go is not installed: install Go ${wanted} or newer, or ${instead}`;
  if (go.status !== 0) return `Go is too old (${lastLine(go)}): install Go ${wanted} or newer, or ${instead}`;
  return undefined;
}
