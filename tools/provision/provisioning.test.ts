import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type BuildInputs, buildKey, requiredVersion } from './build-key.ts';
import { buildOnce } from './build-once.ts';
import { cacheFolder } from './cache-folder.ts';
import { whyNoPackages } from './debian-packages.ts';
import { whyGoCannotBuild } from './go-binaries.ts';
import { controlPlaneRecipe, helmRecipe } from './go-recipes.ts';
import { type NeighbourRecipe, neighbourRecipes } from './neighbour-recipes.ts';
import { whyNoPython } from './python-environment.ts';
import { lastLine } from './run-command.ts';

const tools = dirname(dirname(fileURLToPath(import.meta.url)));

describe('the cache folder', () => {
  const rows: Record<string, [Record<string, string>, string]> = {
    'is the one that was named': [{ SVC_TOOLS_CACHE: '/c', XDG_CACHE_HOME: '/x' }, '/c'],
    'is below the user’s cache': [{ XDG_CACHE_HOME: '/x' }, '/x/svc-tools'],
    'is below home otherwise': [{ SVC_TOOLS_CACHE: '' }, '/home/me/.cache/svc-tools'],
  };
  for (const [sentence, [env, folder]] of Object.entries(rows)) {
    it(sentence, () => expect(cacheFolder(env, '/home/me')).toBe(folder));
  }
});

describe('the build key', () => {
  const inputs: BuildInputs = {
    files: { 'go.mod': 'module a', 'go.sum': 'sum' },
    ldflags: '-s',
    goVersion: 'go1.26.0',
    platform: 'linux/amd64',
  };

  it('does not depend on the order of the files', () => {
    const turned = { ...inputs, files: { 'go.sum': 'sum', 'go.mod': 'module a' } };
    expect(buildKey(turned)).toBe(buildKey(inputs));
  });

  const others: Record<string, BuildInputs> = {
    'a file': { ...inputs, files: { ...inputs.files, 'go.sum': 'other' } },
    'a file name': { ...inputs, files: { 'go.mod': 'module a', 'main.go': 'sum' } },
    'the linker flags': { ...inputs, ldflags: '-w' },
    'the Go version': { ...inputs, goVersion: 'go1.26.1' },
    'the platform': { ...inputs, platform: 'linux/arm64' },
  };
  for (const [what, other] of Object.entries(others)) {
    it(`changes with ${what}`, () => expect(buildKey(other)).not.toBe(buildKey(inputs)));
  }

  it('does not mix up where one part ends and the next begins', () => {
    fc.assert(
      fc.property(fc.string(), fc.string({ minLength: 1 }), (a, b) => {
        const joined = { ...inputs, files: { x: a + b, y: '' } };
        const split = { ...inputs, files: { x: a, y: b } };
        expect(buildKey(joined)).not.toBe(buildKey(split));
      }),
    );
  });
});

describe('the version in go.mod', () => {
  const goMod =
    'module m\n\nrequire single.io/one v1.2.3\n\nrequire (\n\tk8s.io/kubernetes v1.36.4\n\tk8s.io/kube v9.9.9\n)\n';
  it('is found in a block', () => expect(requiredVersion(goMod, 'k8s.io/kubernetes')).toBe('v1.36.4'));
  it('is found on a line of its own', () => expect(requiredVersion(goMod, 'single.io/one')).toBe('v1.2.3'));
  it('is asked for when it is missing', () => {
    expect(() => requiredVersion(goMod, 'a.io/b')).toThrow(
      'go.mod requires no a.io/b; add a line "require a.io/b vX.Y.Z"',
    );
  });

  it('is the one that the binaries say they are', async () => {
    const read = (module: string) => readFile(join(tools, module, 'go.mod'), 'utf8');
    const kubernetes = controlPlaneRecipe.version(await read('controlplane'));
    expect(controlPlaneRecipe.ldflags('v1.36.4')).toBe(
      '-s -w -X k8s.io/component-base/version.gitVersion=v1.36.4 -X k8s.io/component-base/version.gitMajor=1 -X k8s.io/component-base/version.gitMinor=36',
    );
    expect(kubernetes).toMatch(/^v1\.\d+\.\d+$/);
    const helm = helmRecipe.version(await read('helm'));
    expect(helmRecipe.ldflags(helm)).toBe(`-s -w -X helm.sh/helm/v4/internal/version.version=${helm}`);
  });
});

describe('a neighbour', () => {
  it.each(Object.entries<NeighbourRecipe>(neighbourRecipes))('%s is one set of files for ever', (_, recipe) => {
    expect(recipe.version).toMatch(/^v\d+\.\d+\.\d+$/);
    for (const sum of [recipe.sum, ...Object.values(recipe.nested ?? {})]) expect(sum).toMatch(/^h1:[\w+/]{43}=$/);
  });
});

describe('the reason why something cannot be had', () => {
  const answer = (status: number, stderr = '') => ({ status, stdout: '', stderr });
  const reasons: Record<string, [string | undefined, string | undefined]> = {
    'names the missing Go': [
      whyGoCannotBuild(answer(127), 'go 1.26.0', 'set KUBEBUILDER_ASSETS'),
      'Go is not installed: install Go 1.26 or newer, or set KUBEBUILDER_ASSETS',
    ],
    'names the Go that is too old': [
      whyGoCannotBuild(answer(1, 'go.mod requires go >= 1.26.0 (running go 1.19)'), 'go 1.26.0', 'set HELM_PATH'),
      'Go is too old (go.mod requires go >= 1.26.0 (running go 1.19)): install Go 1.26 or newer, or set HELM_PATH',
    ],
    'is absent when Go can build': [whyGoCannotBuild(answer(0), 'go 1.26.0', ''), undefined],
    'names the machine that is not Debian': [
      whyNoPackages({ root: true, apt: false }, 'chromium', 'CHROMIUM_PATH'),
      'chromium is not installed and this is not Debian: install chromium and put it on the PATH, or set CHROMIUM_PATH',
    ],
    'is absent for a user who is not root, who gets packages unpacked': [
      whyNoPackages({ root: false, apt: true }, 'promtool', 'PROMTOOL_PATH'),
      undefined,
    ],
    'is absent for root on Debian': [whyNoPackages({ root: true, apt: true }, 'chromium', 'C'), undefined],
    'names the missing Python': [
      whyNoPython(answer(127)),
      'Python is not installed: install Python 3.10 or newer with its venv module, or set MOTO_SERVER_PATH',
    ],
    'names the Python without virtual environments': [
      whyNoPython(answer(1, "ModuleNotFoundError: No module named 'venv'")),
      "Python cannot make virtual environments (ModuleNotFoundError: No module named 'venv'): install Python 3.10 or newer with its venv module, or set MOTO_SERVER_PATH",
    ],
  };
  for (const [sentence, [reason, expected]] of Object.entries(reasons)) {
    it(sentence, () => expect(reason).toBe(expected));
  }

  it('quotes the last line that a program said', () => {
    expect(lastLine({ status: 1, stdout: 'a\n', stderr: 'b\nc \n\n' })).toBe('c');
    expect(lastLine({ status: 3, stdout: '', stderr: '\n' })).toBe('exit status 3');
  });
});

describe('a folder that is built once', () => {
  let cache: string;
  beforeEach(async () => {
    cache = await mkdtemp(join(tmpdir(), 'build-once-'));
  });
  afterEach(() => rm(cache, { recursive: true, force: true }));

  it('is built by the first of two that ask at the same time', async () => {
    let builds = 0;
    const build = async (folder: string) => {
      builds++;
      await writeFile(join(folder, 'tool'), 'x');
    };
    const folders = await Promise.all([buildOnce(cache, 't', build), buildOnce(cache, 't', build)]);
    expect(folders).toEqual([join(cache, 't'), join(cache, 't')]);
    expect(builds).toBe(1);
    expect(await readdir(cache)).toEqual(['t']);
  });

  it('does not exist after a failure, and the next one may try', async () => {
    const failing = buildOnce(cache, 't', async (folder) => {
      await writeFile(join(folder, 'half'), '');
      throw new Error('broken');
    });
    await expect(failing).rejects.toThrow('broken');
    expect(await readdir(cache)).toEqual([]);
    await buildOnce(cache, 't', async () => {});
    expect(await readdir(cache)).toEqual(['t']);
  });

  it('takes over the lock and removes the remains of a builder that was killed', async () => {
    await leaveLock('999999999 1');
    await mkdir(join(cache, 'building-t-abc'));
    await buildOnce(cache, 't', async () => {});
    expect(await readdir(cache)).toEqual(['t']);
  });

  it('takes over the lock of one that was killed and whose number another process has now', async () => {
    await leaveLock(`${process.pid} 1`);
    await buildOnce(cache, 't', async () => {});
    expect(await readdir(cache)).toEqual(['t']);
  });

  async function leaveLock(holder: string): Promise<void> {
    await mkdir(join(cache, 't.lock'));
    await writeFile(join(cache, 't.lock', 'holder'), holder);
  }
});
