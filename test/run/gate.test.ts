import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { Suite } from '../suites.ts';
import { parseArguments } from './arguments.ts';
import { lanesOf } from './lanes.ts';
import { couldNotRun, countResults, type Report, slowest, summary } from './outcome.ts';
import { sharedOutput } from './output.ts';

const all: readonly Suite[] = [
  { name: 'unit', needs: [] },
  { name: 'simulation', needs: [], flags: { '--seeds': 'SIMULATION_SEEDS' } },
  { name: 'cluster', needs: ['helm'] },
  {
    name: 'neighbours',
    needs: ['helm'],
    needsOfFile: { 'flux.test.ts': ['git'], 'keda.test.ts': ['keda'] },
    onlyByName: true,
  },
];

describe('what is asked for', () => {
  it.each([
    ['everything', [], ['unit', 'simulation', 'cluster'], {}, []],
    ['one suite with a flag', ['simulation', '--seeds', '9'], ['simulation'], { SIMULATION_SEEDS: '9' }, []],
    ['everything but one', ['--without', 'cluster'], ['unit', 'simulation'], {}, []],
    ['a suite that runs only by name', ['neighbours'], ['neighbours'], {}, []],
    ['a pattern for vitest', ['unit', 'x.test', '-t', 'it'], ['unit'], {}, ['x.test', '-t', 'it']],
  ] as const)('%s', (_, args, names, env, rest) => {
    const chosen = parseArguments(args, all);
    expect([chosen.suites.map(({ name }) => name), chosen.env, chosen.rest]).toEqual([names, env, rest]);
  });

  it.each([
    ['all files', [], ['helm', 'git', 'keda']],
    ['one file', ['keda'], ['helm', 'keda']],
    ['one test, whatever its file', ['-t', 'flux'], ['helm', 'git', 'keda']],
    ['a file of none', ['nobody'], ['helm']],
  ] as const)('what %s needs', (_, args, needs) => {
    expect(parseArguments(['neighbours', ...args], all).suites[0]?.needs).toEqual(needs);
  });

  it('a suite left out that does not exist is an error: a misspelt one would have run unnoticed', () => {
    expect(() => parseArguments(['--without', 'clustre'], all)).toThrow(
      '--without clustre: there is no such suite. It must be one of unit, simulation, cluster, neighbours.',
    );
  });
});

describe('suites at the same time', () => {
  const onCluster = (name: string): Suite => ({ name, needs: ['helm', 'controlplane'] });
  const other = (name: string): Suite => ({ name, needs: [] });
  const names = (suites: readonly Suite[]) => lanesOf(suites).map((lane) => lane.map(({ name }) => name));

  it('one of those that share control planes beside one of the others, in their order', () => {
    expect(names([other('unit'), onCluster('contract'), other('docs'), onCluster('cluster')])).toEqual([
      ['unit', 'docs'],
      ['contract', 'cluster'],
    ]);
    expect(names([other('unit'), other('docs')])).toEqual([['unit', 'docs']]);
  });

  it('each line says whose it is, the last without an end as well', async () => {
    const lines: string[] = [];
    const output = sharedOutput((line) => lines.push(line));
    const from = (...chunks: string[]) => Readable.from(chunks.map((chunk) => Buffer.from(chunk)));
    await Promise.all([
      output.lines('unit', [from('on', 'e\ntwo\n'), null]),
      output.lines('cluster', [from('three\nfour')]),
    ]);
    expect(lines.toSorted()).toEqual([
      'cluster    │ four',
      'cluster    │ three',
      'unit       │ one',
      'unit       │ two',
    ]);
  });
});

const report = (...statuses: readonly string[]): Report => ({
  numPassedTests: statuses.filter((status) => status === 'passed').length,
  numFailedTests: statuses.filter((status) => status === 'failed').length,
  testResults: [
    {
      name: 'a.test.ts',
      status: statuses.includes('failed') ? 'failed' : 'passed',
      assertionResults: statuses.map((status, index) => ({
        fullName: `test ${index}`,
        status,
        duration: index * 1000,
      })),
    },
  ],
});

describe('a run is green only when everything ran', () => {
  it.each([
    ['all passed', report('passed', 'passed'), 0, 0],
    ['one failed', report('passed', 'failed'), 1, 1],
    ['one was skipped', report('passed', 'skipped'), 0, 1],
    ['one is to be written', report('passed', 'todo'), 0, 1],
    ['none ran', report(), 0, 1],
    ['it crashed after the report', report('passed'), 1, 1],
    ['it left no report', undefined, 0, 1],
    ['a file could not be loaded', { ...report('passed'), numFailedTestSuites: 1 }, 1, 1],
  ] as const)('%s', (_, results, code, failed) => {
    expect(countResults(results, code).failed).toBe(failed);
  });

  it('and what failed outside of every test is said too: its tests name nothing', () => {
    expect(countResults(report('passed'), 1).failures).toEqual([expect.stringContaining('an error outside of tests')]);
    expect(countResults(report('passed', 'failed'), 1).failures).toHaveLength(1);
  });

  it('a hook that failed is the last to be said, and the tests behind it take one line', () => {
    const skipped = { ...report('passed', 'skipped', 'skipped', 'skipped', 'skipped'), numFailedTestSuites: 1 };
    const { failed, failures } = countResults({ ...skipped, hookErrors: ['a.test.ts: outer: a hook failed: no'] }, 1);
    expect(failed).toBe(5);
    expect(failures).toEqual([
      'a.test.ts: 4 tests were skipped: test 1; test 2; test 3 and 1 more',
      'a.test.ts: outer: a hook failed: no',
    ]);
  });

  it('a file that failed by a hook is not said a second time without its reason', () => {
    const [result] = report('skipped').testResults!;
    const broken = {
      ...report('skipped'),
      testResults: [{ ...result!, status: 'failed', message: 'as vitest has it' }],
    };
    const said = (hookErrors: string[]) => countResults({ ...broken, hookErrors }, 1).failures?.slice(1);
    expect(said(['a.test.ts: a hook failed: no'])).toEqual(['a.test.ts: a hook failed: no']);
    expect(said([])).toEqual(['a.test.ts: as vitest has it']);
  });

  it('tests that a pattern left out are not missed', () => {
    expect(countResults(report('passed', 'skipped'), 0, true).failed).toBe(0);
  });

  it('a suite that could not run is a failure, with its reason in the last lines', () => {
    const outcomes = [
      { suite: 'unit', seconds: 3, ...countResults(report('passed'), 0) },
      { suite: 'aws', seconds: 1, ...couldNotRun('there is no python3') },
    ];
    expect(summary(outcomes, ['browser'])).toEqual([
      'unit        1 passed, 0 failed  (3 s)',
      'aws         could not run: there is no python3  (1 s)',
      'browser     left out by --without',
      '1 passed, 1 failed',
    ]);
  });

  it('names the slowest tests', () => {
    expect(slowest([report('passed', 'passed', 'passed')], 2)).toEqual([
      '   2.0 s  a.test.ts: test 2',
      '   1.0 s  a.test.ts: test 1',
    ]);
  });
});
