import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import packageJson from '../../package.json' with { type: 'json' };
import { chartFolder, helm, smallestValues, valuesFile } from './harness/helm.ts';

describe('the chart', () => {
  it('passes helm lint', async () => {
    const result = await helm(['lint', '--strict', chartFolder, '--values', valuesFile(named(smallestValues))]);
    expect(result.stdout).toContain('1 chart(s) linted, 0 chart(s) failed');
    expect(result.status).toBe(0);
  });

  it('carries the version of the package', () => {
    const chart = parse(readFileSync(join(chartFolder, 'Chart.yaml'), 'utf8')) as Record<string, string>;
    expect([chart['version'], chart['appVersion']]).toEqual([packageJson.version, packageJson.version]);
  });
});

/** Lint renders under a release name of its own. */
function named(values: object) {
  return { ...values, fullnameOverride: 'svc' };
}
