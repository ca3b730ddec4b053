import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { mutants } from './mutants.ts';

describe('the planted faults', () => {
  it.each(mutants.map((one) => [one.name, one] as const))('"%s" has its one place in the code', (_, { file, find }) => {
    expect(readFileSync(file, 'utf8').split(find)).toHaveLength(2);
  });

  it('have names of their own', () => {
    expect(new Set(mutants.map(({ name }) => name)).size).toBe(mutants.length);
  });
});
