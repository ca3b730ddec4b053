import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import packageJson from '../../package.json' with { type: 'json' };
import {
  chartFolder,
  find,
  helm,
  type Rendered,
  render,
  renderText,
  smallestValues,
  valuesFile,
} from './harness/helm.ts';

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

describe('the values', () => {
  it.each([
    ["what an umbrella chart's condition leaves there", { enabled: true }],
    [
      'a number for the label of the sidecar',
      { metrics: { grafanaDashboard: { enabled: true, sidecarLabelValue: 1 } } },
    ],
  ])('take %s', async (_, values) => {
    expect(await renderText(values)).toContain('kind: Deployment');
  });

  it('take every time zone that the service takes, in any case', async () => {
    for (const timezone of ['UTC', 'Asia/Kolkata', 'US/Pacific', 'Etc/GMT+3', 'america/argentina/buenos_aires']) {
      expect(await renderText({ config: { workingHours: { timezone } } })).toContain('kind: Deployment');
    }
  });
});

describe('what the chart renders', () => {
  it('replaces the app at once: two of them would not know of each other', async () => {
    const { strategy } = find(await render(), 'Deployment', 'svc-app')['spec'] as { strategy: object };
    expect(strategy).toEqual({ type: 'Recreate' });
  });

  it('has a hand-back that goes away by itself and that no mesh keeps running', async () => {
    const { ttlSecondsAfterFinished, template } = find(await render(), 'Job', 'svc-hand-back')['spec'] as {
      ttlSecondsAfterFinished: number;
      template: Pick<Rendered, 'metadata'>;
    };
    expect(ttlSecondsAfterFinished).toBe(86_400);
    expect(template.metadata.labels).toMatchObject({ 'sidecar.istio.io/inject': 'false' });
    expect(template.metadata.annotations).toMatchObject({ 'linkerd.io/inject': 'disabled' });
  });
});

/** Lint renders under a release name of its own. */
function named(values: object) {
  return { ...values, fullnameOverride: 'svc' };
}
