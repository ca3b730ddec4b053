import { defineConfig } from 'vitest/config';

const suite = (name: string, include: string[], extra: Record<string, unknown> = {}) => ({
  test: { name, include, environment: 'node', ...extra },
});

// One project a suite. The slow suites bring clusters up in their own global set-up and run one file at a time,
// because the files share one control plane.
export default defineConfig({
  test: {
    projects: [
      suite('unit', [
        'src/**/*.test.ts',
        'web/**/*.test.{ts,tsx}',
        'tools/**/*.test.ts',
        'bench/**/*.test.ts',
        'test/builders/**/*.test.ts',
      ]),
      suite('contract', ['test/contract/**/*.test.ts'], {
        fileParallelism: false,
        testTimeout: 60_000,
        hookTimeout: 300_000,
      }),
      suite('simulation', ['test/simulation/**/*.test.ts'], { testTimeout: 600_000 }),
      suite('cluster', ['test/cluster/**/*.test.ts'], {
        fileParallelism: false,
        testTimeout: 300_000,
        hookTimeout: 300_000,
      }),
      suite('chart', ['test/chart/**/*.test.ts'], {
        fileParallelism: false,
        testTimeout: 300_000,
        hookTimeout: 300_000,
      }),
      suite('aws', ['test/aws/**/*.test.ts'], { fileParallelism: false, testTimeout: 60_000, hookTimeout: 300_000 }),
      suite('browser', ['test/browser/**/*.test.ts'], {
        fileParallelism: false,
        testTimeout: 120_000,
        hookTimeout: 300_000,
      }),
    ],
  },
});
