import type { Mutant, Suite } from './mutant.ts';

export interface Judged {
  readonly mutant: Mutant;
  readonly verdict: 'found' | 'missed' | 'does not apply' | 'the tests are broken';
  /** The tests that failed. */
  readonly suite?: Suite;
  /** From the first test that ran against it to the verdict. */
  readonly seconds: number;
}

/** One line: what became of it, after how long, where it was planted, its name, and the tests that failed. */
export function rowOf({ mutant: { name, file }, verdict, suite, seconds }: Judged): string {
  const by = suite === undefined ? '' : `  by ${suite.join(' ')}`;
  return `${verdict.padEnd(20)} ${seconds.toFixed(0).padStart(4)} s  ${layerOf(file).padEnd(14)} ${name}${by}`;
}

/** The score by layer and in all, and what was not found, with the tests that should have. */
export function endingOf(judged: readonly Judged[], seconds: number): string {
  const isFound = ({ verdict }: Judged) => verdict === 'found';
  const layers = [...Map.groupBy(judged, ({ mutant }) => layerOf(mutant.file))]
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([layer, ones]) => `${layer} ${ones.filter(isFound).length} of ${ones.length}`);
  const others = judged
    .filter((one) => !isFound(one))
    .map(
      ({ mutant, verdict }) =>
        `  ${verdict}: ${mutant.name} (${mutant.tests.map((suite) => suite.join(' ')).join('; ')})`,
    );
  return [
    layers.join(', '),
    ...others,
    `${judged.filter(isFound).length} of ${judged.length} planted faults were found, in ${(seconds / 60).toFixed(1)} min.`,
  ].join('\n');
}

function layerOf(file: string): string {
  return file.split('/').slice(0, 2).join('/');
}
