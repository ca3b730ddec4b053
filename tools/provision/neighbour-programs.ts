import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../src/platform/system-clock.ts';
import { buildKey } from './build-key.ts';
import { buildOnce } from './build-once.ts';
import { cacheFolder } from './cache-folder.ts';
import { whyGoCannotBuild } from './go-binaries.ts';
import type { NeighbourRecipe } from './neighbour-recipes.ts';
import { lastLine, progress, runCommand } from './run-command.ts';
import { Unavailable } from './unavailable.ts';

/** A neighbour that can be run, and what a cluster has to know before. */
export interface NeighbourProgram {
  readonly program: string;
  /** Files with the CustomResourceDefinitions of the same version. */
  readonly definitions: readonly string[];
}

const ldflags = '-s -w';

/** Builds the neighbour from its own release, with its own go.mod: its replacements count only there. */
export async function neighbourProgram(name: string, recipe: NeighbourRecipe): Promise<NeighbourProgram> {
  const go = await runCommand('go', ['env', 'GOVERSION', 'GOOS', 'GOARCH']);
  const missing = whyGoCannotBuild(go, '', `leave the suite out`);
  if (missing !== undefined) throw new Unavailable(name, missing);
  const [goVersion = '', os = '', architecture = ''] = go.stdout.trim().split('\n');
  const files = { recipe: JSON.stringify(recipe) };
  const key = buildKey({ files, ldflags, goVersion, platform: `${os}/${architecture}` });
  const folder = await buildOnce(cacheFolder(), `${name}-${recipe.version}-${key}`, async (into) => {
    progress(`Building ${name} ${recipe.version} with Go (once; many minutes on a cold machine) …`);
    const begun = systemClock.monotonic();
    const source = await mkdtemp(join(tmpdir(), `svc-${name}-`));
    try {
      await unpack(name, recipe, source);
      const args = ['build', '-trimpath', '-ldflags', ldflags, '-o', join(into, name), recipe.target];
      const built = await runCommand('go', args, { cwd: source });
      if (built.status !== 0) {
        throw new Unavailable(name, `Go could not build ${name} ${recipe.version}: ${lastLine(built)}`);
      }
      await keepDefinitions(join(source, recipe.definitions), join(into, 'definitions'));
    } finally {
      await rm(source, { recursive: true, force: true });
    }
    progress(`Built ${name} in ${Math.round((systemClock.monotonic() - begun) / 1000)} s.`);
  });
  const definitions = join(folder, 'definitions');
  return {
    program: join(folder, name),
    definitions: (await readdir(definitions)).toSorted().map((file) => join(definitions, file)),
  };
}

/** The whole source of the release: the module, and the modules inside it at the places where its go.mod looks for them. */
async function unpack(name: string, { module, version, sum, nested = {} }: NeighbourRecipe, into: string) {
  await copyModule(name, { module, version, sum }, into);
  for (const [folder, itsSum] of Object.entries(nested)) {
    await copyModule(name, { module: `${module}/${folder}`, version, sum: itsSum }, join(into, folder));
  }
}

async function copyModule(
  name: string,
  { module, version, sum }: Pick<NeighbourRecipe, 'module' | 'version' | 'sum'>,
  into: string,
): Promise<void> {
  const reference = `${module}@${version}`;
  const asked = await runCommand('go', ['mod', 'download', '-json', reference], { cwd: tmpdir() });
  const { Dir: from, Sum: found, Error: refusal } = answerOf(asked.stdout);
  if (from === undefined) throw new Unavailable(name, `Go could not download it: ${refusal ?? lastLine(asked)}`);
  if (found !== sum) throw new Unavailable(name, `${reference} is ${found} at the module proxy and should be ${sum}`);
  await mkdir(into, { recursive: true });
  // What Go keeps is read-only, for whoever builds in it too.
  for (const [command, args] of [
    ['cp', ['-R', `${from}/.`, into]],
    ['chmod', ['-R', 'u+w', into]],
  ] as const) {
    const result = await runCommand(command, args);
    if (result.status !== 0) throw new Unavailable(name, `${command} failed: ${lastLine(result)}`);
  }
}

function answerOf(text: string): { readonly Dir?: string; readonly Sum?: string; readonly Error?: string } {
  try {
    return JSON.parse(text) as ReturnType<typeof answerOf>;
  } catch {
    return {};
  }
}

async function keepDefinitions(from: string, to: string): Promise<void> {
  await mkdir(to);
  // A kustomization lies beside them, which defines nothing.
  const files = (await readdir(from)).filter((file) => file.endsWith('.yaml') && file !== 'kustomization.yaml');
  for (const file of files) await rename(join(from, file), join(to, file));
}
