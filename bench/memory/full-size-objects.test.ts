import { describe, expect, it } from 'vitest';
import { objectText } from './full-size-objects.ts';

interface Parsed {
  readonly metadata: { readonly namespace: string; readonly name: string; readonly managedFields: unknown };
}

describe('the objects of the memory benchmark', () => {
  it.each([
    ['deployments', 7_000, 7_600],
    ['pods', 7_500, 8_200],
  ] as const)('are as large as real %s, and a third of that or more is managedFields', (kind, least, most) => {
    const text = objectText(kind, { index: 17, resourceVersion: 1, round: 0 });
    const managed = JSON.stringify((JSON.parse(text) as Parsed).metadata.managedFields);
    expect(text.length).toBeGreaterThan(least);
    expect(text.length).toBeLessThan(most);
    expect(managed.length / text.length).toBeGreaterThan(0.3);
  });

  it.each(['deployments', 'pods'] as const)('have names of their own and differ from round to round: %s', (kind) => {
    const names = new Set<string>();
    for (let index = 0; index < 2_000; index++) {
      const { namespace, name } = (JSON.parse(objectText(kind, { index, resourceVersion: 1, round: 0 })) as Parsed)
        .metadata;
      names.add(`${namespace}/${name}`);
    }
    expect(names.size).toBe(2_000);
    const round = (number: number) => objectText(kind, { index: 0, resourceVersion: 1, round: number });
    expect(round(0)).not.toBe(round(1));
  });
});
