import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { chooseMutants } from './choose-mutants.ts';
import { mutants } from './mutants.ts';
import { endingOf, type Judged, rowOf } from './table.ts';

describe('the planted faults', () => {
  it.each(mutants.map((one) => [one.name, one] as const))('"%s" has its one place in the code', (_, { file, find }) => {
    expect(readFileSync(file, 'utf8').split(find)).toHaveLength(2);
  });

  it('have names of their own', () => {
    expect(new Set(mutants.map(({ name }) => name)).size).toBe(mutants.length);
  });

  it.each(['src/adapters', 'src/api', 'src/controller', 'src/domain', 'src/frontend'])('are in %s too', (layer) => {
    expect(mutants.filter(({ file }) => file.startsWith(`${layer}/`)).length).toBeGreaterThanOrEqual(7);
  });
});

describe('a run of them', () => {
  it('can be split: each is in one part', () => {
    const parts = [1, 2, 3, 4].map((part) => chooseMutants(['--part', `${part}/4`], mutants));
    expect(
      parts
        .flat()
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual(mutants.map(({ name }) => name).toSorted());
    expect(
      Math.max(...parts.map(({ length }) => length)) - Math.min(...parts.map(({ length }) => length)),
    ).toBeLessThan(2);
  });

  it('takes those of a name', () => {
    expect(chooseMutants(['record after', 'override is ignored'], mutants).map(({ name }) => name)).toEqual([
      'a wake override is ignored',
      'record after act',
    ]);
  });

  it.each([
    [['--part', '5/4'], '--part 5/4: it must be such as 1/4'],
    [['--part', '0/4'], '--part 0/4: it must be such as 1/4'],
    [['--part'], '--part : it must be such as 1/4'],
    [['no such fault'], 'There is no planted fault for no such fault.'],
  ])('cannot be %j', (args, message) => {
    expect(() => chooseMutants(args, mutants)).toThrow(message);
  });

  it('says by which tests, after how long, and what was missed', () => {
    const [first, second] = chooseMutants(['record after', 'override is ignored'], mutants) as [never, never];
    const found: Judged = { mutant: first, verdict: 'found', suite: ['unit', 'src/domain'], seconds: 12.4 };
    const missed: Judged = { mutant: second, verdict: 'missed', seconds: 30 };
    expect(rowOf(found)).toMatch(/^found +12 s {2}src\/domain +a wake override is ignored {2}by unit src\/domain$/);
    const lines = endingOf([found, missed], 90).split('\n');
    expect(lines[0]).toBe('src/controller 0 of 1, src/domain 1 of 1');
    expect(lines[1]).toContain('missed: record after act (');
    expect(lines[2]).toBe('1 of 2 planted faults were found, in 1.5 min.');
  });
});
