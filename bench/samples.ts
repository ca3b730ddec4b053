// Several samples of each thing that is compared, in turns: one of each says what the machine did meanwhile, not who is faster.

export interface Spread {
  readonly least: number;
  readonly median: number;
  readonly most: number;
}

export function spread(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (index: number) => sorted[index] ?? 0;
  const middle = (sorted.length - 1) / 2;
  return {
    least: at(0),
    median: (at(Math.floor(middle)) + at(Math.ceil(middle))) / 2,
    most: at(sorted.length - 1),
  };
}

/** `6.4 s (6.3 to 7.0)`; one sample has no spread to show. */
export function spreadText({ least, median, most }: Spread, digits: number, unit: string): string {
  const text = `${median.toFixed(digits)}${unit}`;
  return least === most ? text : `${text} (${least.toFixed(digits)} to ${most.toFixed(digits)})`;
}

/** Who goes first changes from run to run: the first after a pause finds another machine than the last. */
export function turns<T>(tools: readonly T[], run: number): readonly T[] {
  const first = run % tools.length;
  return [...tools.slice(first), ...tools.slice(0, first)];
}
