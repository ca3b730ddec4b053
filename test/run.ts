import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { provision } from '../tools/provision/provision.ts';
import { Unavailable } from '../tools/provision/unavailable.ts';
import { openSharedClusters, type SharedClusters } from './cluster/harness/shared-cluster.ts';
import { type Suite, suites } from './suites.ts';

interface Outcome {
  readonly suite: string;
  readonly passed: number;
  readonly failed: number;
  readonly seconds: number;
  /** Why the suite could not run on this machine. */
  readonly missing?: string;
  /** The tests that failed, each with the first line of why. */
  readonly failures?: readonly string[];
}

interface Report {
  readonly numPassedTests?: number;
  readonly numFailedTests?: number;
  readonly numFailedTestSuites?: number;
  readonly testResults?: readonly {
    readonly name: string;
    readonly status: string;
    readonly message?: string;
    readonly assertionResults: readonly { fullName: string; status: string; failureMessages?: readonly string[] }[];
  }[];
}

const artifacts = 'artifacts';
const ci = process.env['CI'] === 'true';

/** `npm test -- [suite…] [--flag value…]`: the suites named, or all of them. */
function parseArguments(args: readonly string[]): {
  chosen: readonly Suite[];
  env: Record<string, string>;
  rest: string[];
} {
  const names: string[] = [];
  const env: Record<string, string> = {};
  const rest: string[] = [];
  for (let i = 0; i < args.length; i++) {
    const arg = args[i]!;
    const variable = suites.map((suite) => suite.flags?.[arg]).find((name) => name !== undefined);
    if (variable !== undefined) env[variable] = args[++i] ?? '';
    else if (suites.some((suite) => suite.name === arg)) names.push(arg);
    else rest.push(arg);
  }
  return { chosen: names.length === 0 ? suites : suites.filter((suite) => names.includes(suite.name)), env, rest };
}

async function runSuite(suite: Suite, env: Record<string, string>, rest: readonly string[]): Promise<Outcome> {
  const startedAt = performance.now();
  const outcome = (part: Pick<Outcome, 'passed' | 'failed' | 'missing' | 'failures'>): Outcome => ({
    suite: suite.name,
    seconds: Math.round((performance.now() - startedAt) / 1000),
    ...part,
  });
  const missing = await whyNot(suite);
  if (missing !== undefined) return outcome({ passed: 0, failed: ci ? 1 : 0, missing });
  if (suite.name === 'check') {
    const code = await run(process.execPath, ['tools/check/main.ts'], {});
    return outcome({ passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1 });
  }
  const report = join(artifacts, `${suite.name}.json`);
  rmSync(report, { force: true });
  const code = await run(
    'vitest',
    [
      'run',
      '--project',
      `${suite.name}*`,
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
      ...rest,
    ],
    { ...env, ...(await clusterFor(suite)) },
  );
  return outcome(countResults(report, code));
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

/** A suite that crashed, or that ran no test at all, counts as a failure: silence is not success. */
function countResults(report: string, code: number): Pick<Outcome, 'passed' | 'failed' | 'failures'> {
  try {
    const results = JSON.parse(readFileSync(report, 'utf8')) as Report;
    const { numPassedTests: passed = 0, numFailedTests = 0, numFailedTestSuites } = results;
    const failed = Math.max(numFailedTests, numFailedTestSuites ? 1 : 0, code !== 0 ? 1 : 0, passed === 0 ? 1 : 0);
    return { passed, failed, failures: failuresOf(results) };
  } catch {
    return { passed: 0, failed: 1 };
  }
}

/** Repeated at the very end, where whoever reads only the last lines of a run finds them. */
function failuresOf({ testResults = [] }: Report): readonly string[] {
  return testResults.flatMap(({ name, status, message, assertionResults }) => {
    const tests = assertionResults.filter((test) => test.status === 'failed');
    const whole = status === 'failed' && tests.length === 0 ? [`${relative('.', name)}: ${firstLines(message)}`] : [];
    const single = tests.map(
      ({ fullName, failureMessages }) => `${relative('.', name)}: ${fullName}: ${firstLines(failureMessages?.[0])}`,
    );
    return [...whole, ...single];
  });
}

function firstLines(text = ''): string {
  return text.split('\n').slice(0, 12).join('\n    ');
}

function run(program: string, args: readonly string[], env: Record<string, string>): Promise<number> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit'], env: { ...process.env, ...env } });
    child.on('error', () => resolve(127));
    child.on('exit', (code) => resolve(code ?? 1));
  });
}

mkdirSync(artifacts, { recursive: true });
const { chosen, env, rest } = parseArguments(process.argv.slice(2));
const outcomes: Outcome[] = [];
for (const suite of chosen) {
  console.log(`\n── ${suite.name} ──`);
  outcomes.push(await runSuite(suite, env, rest));
}
await shared?.stop();
console.log('');
for (const { suite, passed, failed, seconds, missing } of outcomes) {
  const result = missing === undefined ? `${passed} passed, ${failed} failed` : `could not run: ${missing}`;
  console.log(`${suite.padEnd(12)}${result}  (${seconds} s)`);
}
for (const failure of outcomes.flatMap(({ failures = [] }) => failures)) console.log(`  failed: ${failure}`);
const failed = outcomes.reduce((sum, outcome) => sum + outcome.failed, 0);
console.log(`${outcomes.reduce((sum, outcome) => sum + outcome.passed, 0)} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
