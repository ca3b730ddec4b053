import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { provision } from '../tools/provision/provision.ts';
import { Unavailable } from '../tools/provision/unavailable.ts';
import { openSharedClusters, type SharedClusters } from './cluster/harness/shared-cluster.ts';
import { type Chosen, parseArguments } from './run/arguments.ts';
import { hookErrorsVariable } from './run/hook-errors-entry.ts';
import { lanesOf } from './run/lanes.ts';
import { couldNotRun, countResults, type Outcome, type Report, slowest, summary } from './run/outcome.ts';
import { type Output, ownOutput, sharedOutput } from './run/output.ts';
import { type Suite, suites } from './suites.ts';

const artifacts = 'artifacts';

async function runSuite(suite: Suite, { env, rest }: Chosen, output: Output): Promise<Outcome> {
  output.heading(suite.name);
  const startedAt = performance.now();
  const outcome = (part: Omit<Outcome, 'suite' | 'seconds'>): Outcome => ({
    suite: suite.name,
    seconds: Math.round((performance.now() - startedAt) / 1000),
    ...part,
  });
  const missing = await whyNot(suite);
  if (missing !== undefined) return outcome(couldNotRun(missing));
  if (suite.name === 'check') {
    const code = await run({ suite, program: process.execPath, args: ['tools/check/main.ts'], env: {} }, output);
    return outcome({ passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1 });
  }
  const report = reportOf(suite);
  const hooks = join(artifacts, `${suite.name}-hooks.json`);
  for (const file of [report, hooks]) rmSync(file, { force: true });
  const [program, args] = programOf(suite, { env, rest }, report);
  const variables = { ...env, ...(await clusterFor(suite)), [hookErrorsVariable]: hooks };
  const code = await run({ suite, program, args, env: variables }, output);
  const read = readJson<Report>(report);
  const withHooks = read === undefined ? undefined : { ...read, hookErrors: readJson<readonly string[]>(hooks) ?? [] };
  return outcome(countResults(withHooks, code, narrowsByName(rest)));
}

function programOf(
  { name, programs = {} }: Suite,
  { env, rest }: Pick<Chosen, 'env' | 'rest'>,
  report: string,
): [string, readonly string[]] {
  const instead = Object.entries(programs).find(([variable]) => env[variable] !== undefined)?.[1];
  if (instead !== undefined) return [process.execPath, [instead, report]];
  const reporters = [
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
    '--reporter=./test/run/hook-errors-entry.ts',
  ];
  return ['vitest', ['run', '--project', `${name}*`, ...reporters, ...rest]];
}

const narrowsByName = (rest: readonly string[]) =>
  rest.some((flag) => flag === '-t' || flag.startsWith('--testNamePattern'));

const reportOf = ({ name }: Suite) => join(artifacts, `${name}.json`);

function readJson<T>(file: string): T | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as T;
  } catch {
    return undefined;
  }
}

/** The same control planes serve every suite of this run that needs one. */
let shared: SharedClusters | undefined;

async function clusterFor(suite: Suite): Promise<Readonly<Record<string, string>>> {
  if (!suite.needs.includes('controlplane')) return {};
  shared ??= await openSharedClusters();
  return shared.env;
}

/** Installs or builds what the suite needs; the reason why this machine cannot have it, if it cannot. */
async function whyNot(suite: Suite): Promise<string | undefined> {
  try {
    for (const need of suite.needs) await provision(need);
    return undefined;
  } catch (error) {
    if (error instanceof Unavailable) return error.message;
    throw error;
  }
}

/** What later suites need is built while the first ones run; whoever needs it waits for the same build, and meets its error. */
async function provisionAhead(chosen: readonly Suite[]): Promise<void> {
  for (const suite of chosen) await whyNot(suite).catch(() => undefined);
}

function chosenSuites(): Chosen {
  try {
    return parseArguments(process.argv.slice(2), suites);
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    process.exit(2);
  }
}

interface Program {
  readonly suite: Suite;
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

async function run({ suite, program, args, env }: Program, output: Output): Promise<number> {
  const { stdio } = output;
  const child = spawn(program, args, { stdio: ['ignore', stdio, stdio], env: { ...process.env, ...env } });
  const ended = new Promise<number>((resolve) => {
    child.on('error', () => resolve(127));
    child.on('exit', (code) => resolve(code ?? 1));
  });
  const printed = output.lines(suite.name, [child.stdout, child.stderr]);
  const code = await ended;
  // Whatever a program left running may hold its pipes open for good.
  await Promise.race([printed, setTimeout(5000, undefined, { ref: false })]);
  child.stdout?.destroy();
  child.stderr?.destroy();
  return code;
}

async function inOrder<T, R>(items: readonly T[], each: (item: T) => Promise<R>): Promise<readonly R[]> {
  const results: R[] = [];
  for (const item of items) results.push(await each(item));
  return results;
}

mkdirSync(artifacts, { recursive: true });
const chosen = chosenSuites();
void provisionAhead(chosen.suites);
const lanes = lanesOf(chosen.suites);
const output = lanes.length > 1 ? sharedOutput() : ownOutput;
const byLane = await Promise.all(lanes.map((lane) => inOrder(lane, (suite) => runSuite(suite, chosen, output))));
const outcomes = chosen.suites.flatMap(({ name }) => byLane.flat().filter(({ suite }) => suite === name));
await shared?.stop();
const reports = chosen.suites.flatMap((suite) => readJson<Report>(reportOf(suite)) ?? []);
writeFileSync(join(artifacts, 'slowest.txt'), `${slowest(reports, 30).join('\n')}\n`);
console.log(['', ...summary(outcomes, chosen.without)].join('\n'));
process.exitCode = outcomes.every(({ failed }) => failed === 0) ? 0 : 1;
