import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { alertName } from '../../tools/generate/alerts-reference.ts';
import { knownHere, listedFiles, readPages } from './harness/repository.ts';

// Wherever the product sends somebody to a page, the page is there, and the heading too.
const known = knownHere(readPages());
const sources = listedFiles.filter((file) => /^(?:src|charts|web)\/.*\.(?:tsx?|tpl|ya?ml|txt|json)$/.test(file));

function signposts(file: string): readonly string[] {
  return [...readFileSync(file, 'utf8').matchAll(/\bdocs\/[\w/-]+\.md(?:#[\w-]+)?/g)].map(([place]) => place);
}

function isThere(place: string): boolean {
  const [file = '', anchor] = place.split('#');
  return known.hasFile(file) && (anchor === undefined || known.anchorsOf(file)?.has(anchor) === true);
}

describe('pages that the product names', () => {
  const found = sources.flatMap((file) => signposts(file).map((place) => [place, file] as const));

  it('are named by the command line, by the notes of helm and by the alerts', () => {
    const files = new Set(found.map(([, file]) => file));
    for (const file of ['src/cli/commands/doctor.ts', 'src/cli/help-pages.ts', 'charts/svc/templates/NOTES.txt']) {
      expect(files).toContain(file);
    }
  });

  it.each(found)('%s of %s', (place) => {
    expect(isThere(place), place).toBe(true);
  });

  it('has a runbook for every alert, where its annotation leads', () => {
    const { metrics } = parse(readFileSync('charts/svc/values.yaml', 'utf8')) as {
      metrics: { prometheusRule: { alerts: Readonly<Record<string, unknown>> } };
    };
    const template = readFileSync('charts/svc/templates/prometheus-rule.yaml', 'utf8');
    expect(template).toContain('(printf "docs/reference/alerts.md#%s" (lower .alert))');
    const places = Object.keys(metrics.prometheusRule.alerts).map(
      (key) => `docs/reference/alerts.md#${alertName(key).toLowerCase()}`,
    );
    expect(places.filter((place) => !isThere(place))).toEqual([]);
  });

  it('finds a dead one', () => {
    expect(isThere('docs/nowhere.md')).toBe(false);
    expect(isThere('docs/license.md#nothing')).toBe(false);
  });
});
