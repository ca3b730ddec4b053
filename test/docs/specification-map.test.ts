import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const page = 'docs/contributing/specification-map.md';

interface Row {
  readonly line: number;
  readonly sentence: string;
  readonly shownBy: string;
}

function rowsOf(text: string): readonly Row[] {
  return text.split('\n').flatMap((row, index) => {
    const cells = row.split(' | ');
    const isRow = row.startsWith('| ') && cells.length === 3 && !row.startsWith('| Sentence');
    return isRow ? [{ line: index + 1, sentence: (cells[0] ?? '').slice(2), shownBy: cells[2] ?? '' }] : [];
  });
}

/** Why the line shows nothing, or undefined when a test of that name holds its words. */
function problemOf({ sentence, shownBy }: Row): string | undefined {
  const [, test = '', words = ''] = /^`([^`]+)` \*(.+)\* \|$/.exec(shownBy) ?? [];
  if (!/\.test\.tsx?$/.test(test)) return `${sentence}: names no test`;
  return readFileSync(test, 'utf8').includes(words) ? undefined : `${sentence}: ${test} no longer says "${words}"`;
}

describe('the map of the specification', () => {
  const rows = rowsOf(readFileSync(page, 'utf8'));

  it('has lines for each of the nine parts', () => {
    const parts = [...readFileSync(page, 'utf8').matchAll(/^## (\d)/gm)].map(([, part]) => part);
    expect([...new Set(parts)]).toEqual(['1', '2', '3', '4', '5', '6', '7', '8', '9']);
    expect(rows.length).toBeGreaterThan(80);
  });

  it('names for each sentence a test that still says so', () => {
    expect(rows.flatMap((row) => problemOf(row) ?? [])).toEqual([]);
  });

  it('finds a line whose test lost its words, and one without a test', () => {
    const test = 'src/domain/wake/ending.test.ts';
    expect(problemOf({ line: 1, sentence: 'A', shownBy: `\`${test}\` *says nothing like it* |` })).toBe(
      `A: ${test} no longer says "says nothing like it"`,
    );
    expect(problemOf({ line: 1, sentence: 'B', shownBy: '`src/domain/wake/ending.ts` |' })).toBe('B: names no test');
  });
});
