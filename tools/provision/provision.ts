import { accessSync, constants } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { installPackages, packageMachine, unpackPackages, whyNoPackages } from './debian-packages.ts';
import { goBinaries } from './go-binaries.ts';
import { type ControlPlaneName, controlPlaneNames, controlPlaneRecipe, helmRecipe } from './go-recipes.ts';
import { type NeighbourProgram, neighbourProgram } from './neighbour-programs.ts';
import { type NeighbourName, neighbourRecipes } from './neighbour-recipes.ts';
import { type OlderNode, olderNodePrograms } from './node-versions.ts';
import { motoServer } from './python-environment.ts';
import { Unavailable } from './unavailable.ts';

export type ControlPlaneBinaries = Readonly<Record<ControlPlaneName, string>>;

/** What is provided for each name: paths of programs that can be run. */
export interface Provisions extends Readonly<Record<NeighbourName, NeighbourProgram>> {
  controlplane: ControlPlaneBinaries;
  helm: string;
  /** Any that the machine has, or the one of the control plane. */
  kubectl: string;
  chromium: string;
  promtool: string;
  moto: string;
  nodes: Readonly<Record<OlderNode, string>>;
  git: string;
  redis: string;
}

const providers: { [What in keyof Provisions]: () => Promise<Provisions[What]> } = {
  controlplane: controlPlane,
  helm: async () => named('HELM_PATH') ?? join(await goBinaries(helmRecipe, 'set HELM_PATH'), 'helm'),
  kubectl: async () => named('KUBECTL_PATH') ?? onPath('kubectl') ?? (await provision('controlplane')).kubectl,
  chromium,
  promtool,
  moto: async () => named('MOTO_SERVER_PATH') ?? (await motoServer()),
  nodes: olderNodePrograms,
  'kustomize-controller': () => neighbour('kustomize-controller'),
  'source-controller': () => neighbour('source-controller'),
  'argo-rollouts': () => neighbour('argo-rollouts'),
  keda: () => neighbour('keda'),
  'argo-cd': () => neighbour('argo-cd'),
  redis,
  git,
};

const neighbour = (name: NeighbourName) => neighbourProgram(name, neighbourRecipes[name]);

const started = new Map<keyof Provisions, Promise<unknown>>();

/** Finds or installs it, once a process; throws `Unavailable` with the reason when this machine cannot have it. */
export function provision<What extends keyof Provisions>(what: What): Promise<Provisions[What]> {
  const running = started.get(what) ?? providers[what]();
  started.set(what, running);
  return running as Promise<Provisions[What]>;
}

async function controlPlane(): Promise<ControlPlaneBinaries> {
  const assets = process.env['KUBEBUILDER_ASSETS'];
  const found = controlPlaneNames.filter((name) => assets !== undefined && isExecutable(join(assets, name)));
  // The usual asset folders have no controller-manager and no scheduler; ours fill the gaps.
  const built =
    found.length === controlPlaneNames.length ? '' : await goBinaries(controlPlaneRecipe, 'set KUBEBUILDER_ASSETS');
  const path = (name: ControlPlaneName) => join(assets !== undefined && found.includes(name) ? assets : built, name);
  return Object.fromEntries(controlPlaneNames.map((name) => [name, path(name)])) as Record<ControlPlaneName, string>;
}

async function chromium(): Promise<string> {
  const find = () => named('CHROMIUM_PATH') ?? onPath('chromium', 'chromium-browser', 'google-chrome');
  const found = find();
  if (found !== undefined) return found;
  const missing = whyNoPackages(packageMachine(), 'chromium', 'CHROMIUM_PATH');
  if (missing !== undefined) throw new Unavailable('chromium', missing);
  // Without a font package pages render as empty boxes.
  const packages = ['chromium', 'fonts-liberation'];
  if (!packageMachine().root)
    return unpackedChromium(await unpackPackages('chromium', packages, { dependencies: true }));
  await installPackages('chromium', packages);
  return find() ?? fail('chromium', 'the package chromium was installed but put no chromium on the PATH');
}

function unpackedChromium(folder: string): Promise<string> {
  const variables = `XDG_DATA_HOME='${join(folder, 'usr', 'share')}'`;
  return runningWithin(folder, { name: 'run-chromium', program: 'usr/lib/chromium/chromium', variables });
}

/** A program that finds its libraries where they were unpacked. */
async function runningWithin(
  folder: string,
  { name, program, variables }: { readonly name: string; readonly program: string; readonly variables: string },
): Promise<string> {
  const script = join(folder, name);
  const libraries = (await readdir(join(folder, 'usr', 'lib'))).filter((one) => one.endsWith('-linux-gnu'));
  const path = libraries.map((one) => join(folder, 'usr', 'lib', one)).join(':');
  const line = `LD_LIBRARY_PATH='${path}' ${variables} exec '${join(folder, program)}' "$@"`;
  await writeFile(script, `#!/bin/sh\n${line}\n`, { mode: 0o755 });
  return script;
}

async function promtool(): Promise<string> {
  const found = named('PROMTOOL_PATH') ?? onPath('promtool');
  if (found !== undefined) return found;
  const missing = whyNoPackages(packageMachine(), 'promtool', 'PROMTOOL_PATH');
  if (missing !== undefined) throw new Unavailable('promtool', missing);
  return join(await unpackPackages('promtool', ['prometheus']), 'usr', 'bin', 'promtool');
}

async function redis(): Promise<string> {
  const found = named('REDIS_SERVER_PATH') ?? onPath('redis-server');
  if (found !== undefined) return found;
  const missing = whyNoPackages(packageMachine(), 'redis-server', 'REDIS_SERVER_PATH');
  if (missing !== undefined) throw new Unavailable('redis', missing);
  // Unpacked: installed it would also be started.
  const folder = await unpackPackages('redis', ['redis-server'], { dependencies: true });
  return runningWithin(folder, { name: 'run-redis', program: 'usr/bin/redis-server', variables: '' });
}

async function git(): Promise<string> {
  const find = () => named('GIT_PATH') ?? onPath('git');
  const found = find();
  if (found !== undefined) return found;
  // Unpacked it would look for its own parts in the wrong place.
  const machine = packageMachine();
  if (!machine.root || !machine.apt)
    fail('git', 'git is not installed: install git and put it on the PATH, or set GIT_PATH');
  await installPackages('git', ['git']);
  return find() ?? fail('git', 'the package git was installed but put no git on the PATH');
}

function named(variable: string): string | undefined {
  const path = process.env[variable];
  if (path === undefined || path === '') return undefined;
  return isExecutable(path)
    ? path
    : fail(variable, `${variable}=${path} is not an executable file: correct or unset it`);
}

function onPath(...names: string[]): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function fail(what: string, reason: string): never {
  throw new Unavailable(what, reason);
}
