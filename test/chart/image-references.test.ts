import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { chartFolder, failureOf, render, smallestValues, template, type Values, valuesFile } from './harness/helm.ts';

const chart = parse(readFileSync(join(chartFolder, 'Chart.yaml'), 'utf8')) as { version: string; appVersion: string };
const names = ['api', 'controller', 'frontend', 'satellite'] as const;
const home = 'ghcr.io/cluster-hibernation-service';
const digestOf = (name: string) => `sha256:${Buffer.from(name.padEnd(32, '.')).toString('hex')}`;
const digests = Object.fromEntries(names.map((name) => [name, { digest: digestOf(name) }]));

const redirection = {
  config: { serviceRedirection: { enabled: true, services: [{ namespace: 'shop', name: 'web' }] } },
};

/** Every image that a pod of the release runs, that its controller gives to satellites, and that the policy lets them run. */
async function references(values: Values): Promise<readonly string[]> {
  const text = JSON.stringify(await render({ ...redirection, ...values }));
  const found = [
    /"image":"([^"]+)"/g,
    /"name":"SATELLITE_IMAGE","value":"([^"]+)"/g,
    /container\.image == '([^']+)'/g,
  ].map((pattern) => [...text.matchAll(pattern)].map(([, reference]) => reference ?? ''));
  expect(found.map((all) => all.length > 0)).toEqual([true, true, true]);
  return [...new Set(found.flat())].toSorted();
}

describe('the images of a release', () => {
  it("are those of the chart's application version, which is the chart's own", async () => {
    expect(chart.appVersion).toBe(chart.version);
    expect(await references({})).toEqual(names.map((name) => `${home}/${name}:${chart.appVersion}`));
  });

  it('are those of a tag', async () => {
    expect(await references({ image: { tag: '1.2.3' } })).toEqual(names.map((name) => `${home}/${name}:1.2.3`));
  });

  it('are those of their digests, each its own, wherever one is named', async () => {
    expect(await references({ image: digests })).toEqual(
      names.map((name) => `${home}/${name}:${chart.appVersion}@${digestOf(name)}`),
    );
  });

  it.each(['latest', 'sha256:abc', digestOf('api').toUpperCase()])('have no digest %s', async (digest) => {
    const result = await template([valuesFile(smallestValues), valuesFile({ image: { api: { digest } } })]);
    expect(result.status).not.toBe(0);
    expect(failureOf(result)).toContain('image/api/digest');
  });
});
