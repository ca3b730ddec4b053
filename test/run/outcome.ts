import { relative } from 'node:path';

export interface Outcome {
  readonly suite: string;
  readonly passed: number;
  readonly failed: number;
  readonly seconds: number;
  /** Why the suite could not run on this machine. */
  readonly missing?: string;
  /** The tests that failed, each with the first line of why. */
  readonly failures?: readonly string[];
}

/** What vitest writes as JSON, and what hooks failed with, which it leaves out. */
export interface Report {
  readonly hookErrors?: readonly string[];
  readonly numPassedTests?: number;
  readonly numFailedTests?: number;
  readonly numFailedTestSuites?: number;
  readonly testResults?: readonly {
    readonly name: string;
    readonly status: string;
    readonly message?: string;
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly duration?: number;
      readonly failureMessages?: readonly string[];
    }[];
  }[];
}

type Counted = Pick<Outcome, 'passed' | 'failed' | 'failures' | 'missing'>;

/** A suite that could not run has failed: who wants to do without it says so with `--without`. */
export function couldNotRun(missing: string): Counted {
  return { passed: 0, failed: 1, missing };
}

/**
 * A suite that crashed, that ran no test at all or that skipped one counts as a failure: silence is not success.
 * `narrowed`: a pattern chose some tests by name, and vitest calls the others skipped.
 */
export function countResults(report: Report | undefined, code: number, narrowed = false): Counted {
  if (report === undefined) return { passed: 0, failed: 1, failures: ['it left no report'] };
  const { numPassedTests: passed = 0, numFailedTests = 0, numFailedTestSuites } = report;
  const skipped = narrowed ? [] : skippedIn(report);
  const others = Math.max(numFailedTestSuites ? 1 : 0, code !== 0 ? 1 : 0, passed === 0 ? 1 : 0);
  // What failed comes last, where it is read: a hook that fails has every test behind it skipped.
  const named = [...skipped.map(skippedLine), ...failuresIn(report)];
  return {
    passed,
    failed: Math.max(numFailedTests, others) + skipped.reduce((sum, { tests }) => sum + tests.length, 0),
    failures: code !== 0 && named.length === 0 ? [outsideOfTests(code)] : named,
  };
}

/** Which suite it was, the lines above the total say. */
const outsideOfTests = (code: number) => `every test passed, and the run ended with ${code}: an error outside of tests`;

/** The last lines of a run, which are all that many people read. */
export function summary(outcomes: readonly Outcome[], without: readonly string[]): readonly string[] {
  const total = (count: (outcome: Outcome) => number) => outcomes.reduce((sum, outcome) => sum + count(outcome), 0);
  return [
    ...outcomes.map(({ suite, passed, failed, seconds, missing }) => {
      const result = missing === undefined ? `${passed} passed, ${failed} failed` : `could not run: ${missing}`;
      return `${suite.padEnd(12)}${result}  (${seconds} s)`;
    }),
    ...outcomes.flatMap(({ failures = [] }) => failures).map((failure) => `  failed: ${failure}`),
    ...without.map((suite) => `${suite.padEnd(12)}left out by --without`),
    `${total(({ passed }) => passed)} passed, ${total(({ failed }) => failed)} failed`,
  ];
}

/** The tests that took longest, the slowest first. */
export function slowest(reports: readonly Report[], count: number): readonly string[] {
  return reports
    .flatMap(({ testResults = [] }) =>
      testResults.flatMap(({ name, assertionResults }) =>
        assertionResults.map(({ fullName, duration = 0 }) => ({ file: relative('.', name), fullName, duration })),
      ),
    )
    .toSorted((a, b) => b.duration - a.duration)
    .slice(0, count)
    .map(({ file, fullName, duration }) => `${(duration / 1000).toFixed(1).padStart(6)} s  ${file}: ${fullName}`);
}

interface Skipped {
  readonly file: string;
  readonly tests: readonly string[];
}

/** By file. */
function skippedIn({ testResults = [] }: Report): readonly Skipped[] {
  return testResults
    .map(({ name, assertionResults }) => ({
      file: relative('.', name),
      tests: assertionResults.filter(({ status }) => notRun.has(status)).map(({ fullName }) => fullName),
    }))
    .filter(({ tests }) => tests.length > 0);
}

const notRun: ReadonlySet<string> = new Set(['skipped', 'pending', 'todo', 'disabled']);
const mostNamed = 3;

function skippedLine({ file, tests }: Skipped): string {
  if (tests.length === 1) return `${file}: ${tests[0]}: it was skipped`;
  const named = tests.slice(0, mostNamed).join('; ');
  const more = tests.length > mostNamed ? ` and ${tests.length - mostNamed} more` : '';
  return `${file}: ${tests.length} tests were skipped: ${named}${more}`;
}

function failuresIn({ testResults = [], hookErrors = [] }: Report): readonly string[] {
  const ofTests = testResults.flatMap(({ name, status, message, assertionResults }) => {
    const tests = assertionResults.filter((test) => test.status === 'failed');
    const file = relative('.', name);
    const saidByHook = hookErrors.some((error) => error.startsWith(`${file}: `));
    const whole = status === 'failed' && tests.length === 0 && !saidByHook ? [`${file}: ${firstLines(message)}`] : [];
    const single = tests.map(
      ({ fullName, failureMessages }) => `${file}: ${fullName}: ${firstLines(failureMessages?.[0])}`,
    );
    return [...whole, ...single];
  });
  return [...ofTests, ...hookErrors.map(firstLines)];
}

function firstLines(text = ''): string {
  return text.split('\n').slice(0, 12).join('\n    ');
}
