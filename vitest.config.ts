import { randomUUID } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { clustersOfARun } from './test/cluster/harness/shared-cluster.ts';
import { playerFlags } from './test/simulation/player-flags.ts';

// For what is stuck; a busy machine takes several times as long as a quiet one for what it does at once.
const patience = { poll: { timeout: 60_000 } };

const suite = (name: string, include: string[], extra: Record<string, unknown> = {}) => ({
  test: { name, include, environment: 'node', expect: patience, ...extra },
});

// Vitest keeps a core for itself, which is half of a small machine; what these suites wait for is the processor.
const onAllCores = { maxWorkers: availableParallelism() };

// A control plane serves one file at a time; a cluster that somebody lent us is one for all.
const onClusters = {
  maxWorkers: process.env['TEST_KUBECONFIG'] ? 1 : clustersOfARun,
  hookTimeout: 300_000,
};

// The tables count what this run has seen, and nothing that an earlier one left behind; the workers inherit the name.
process.env['WIRING_RUN'] ??= randomUUID();
const tablesOfWiring = 'test/wiring/tables.test.ts';
const onWires = { testTimeout: 180_000, hookTimeout: 400_000 };

const pageMatrix = 'test/browser/matrix/matrix.test.ts';
const timedInBrowser = 'test/browser/many-rows.test.ts';
const inBrowsers = { testTimeout: 120_000, hookTimeout: 300_000 };

// One project a suite, but for what has to run alone.
export default defineConfig({
  test: {
    projects: [
      // Test files of a worker share their modules: starting 225 times anew would be half of the suite's time.
      suite(
        'unit',
        [
          'src/**/*.test.ts',
          'embedded-cluster/**/*.test.ts',
          'demo/**/*.test.ts',
          'web/**/*.test.{ts,tsx}',
          'tools/**/*.test.ts',
          'bench/**/*.test.ts',
          'test/support/**/*.test.ts',
          'test/run/**/*.test.ts',
        ],
        // Generous: a time-out is for what hangs, and a busy machine takes its time.
        { ...onAllCores, isolate: false, testTimeout: 180_000, hookTimeout: 180_000 },
      ),
      suite('docs', ['test/docs/**/*.test.ts'], { testTimeout: 180_000, hookTimeout: 120_000 }),
      suite('contract', ['test/contract/**/*.test.ts'], { ...onClusters, testTimeout: 60_000 }),
      suite('simulation', ['test/simulation/**/*.test.ts'], {
        ...onAllCores,
        testTimeout: 600_000,
        execArgv: [...playerFlags],
      }),
      suite('cluster', ['test/cluster/**/*.test.ts'], { ...onClusters, testTimeout: 300_000 }),
      suite('chart', ['test/chart/**/*.test.ts'], { ...onClusters, testTimeout: 300_000 }),
      // One at a time: what a neighbour applies is for its own release alone.
      suite('neighbours', ['test/neighbours/**/*.test.ts'], { ...onClusters, maxWorkers: 1, testTimeout: 300_000 }),
      suite('wiring', ['test/wiring/**/*.test.ts'], { ...onWires, exclude: [tablesOfWiring], maxWorkers: 2 }),
      // The tables hold what the others of the suite have seen.
      suite('wiring-tables', [tablesOfWiring], { ...onWires, sequence: { groupOrder: 2 } }),
      suite('aws', ['test/aws/**/*.test.ts'], { fileParallelism: false, testTimeout: 60_000, hookTimeout: 300_000 }),
      suite('browser', ['test/browser/**/*.test.ts'], {
        ...inBrowsers,
        exclude: [timedInBrowser, pageMatrix],
        maxWorkers: 2,
      }),
      // Two conditions at a time in one browser.
      suite('browser-matrix', [pageMatrix], {
        ...inBrowsers,
        maxWorkers: 1,
        maxConcurrency: 2,
        sequence: { groupOrder: 1 },
      }),
      // Frames are timed, so nothing else runs then.
      suite('browser-timed', [timedInBrowser], { ...inBrowsers, maxWorkers: 1, sequence: { groupOrder: 2 } }),
    ],
  },
});
