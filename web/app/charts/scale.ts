/** A round figure at or above the largest, and where lines are drawn below it. */
export function axisOf(
  values: readonly number[],
  lines = 4,
): { readonly top: number; readonly ticks: readonly number[] } {
  const largest = Math.max(0, ...values);
  if (largest === 0) return { top: 1, ticks: [0, 1] };
  const rough = largest / lines;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((one) => one >= rough - power * 1e-9)!;
  const count = Math.ceil(largest / step - 1e-9);
  return {
    top: count * step,
    ticks: Array.from({ length: count + 1 }, (_, index) => Number((index * step).toPrecision(6))),
  };
}

/** Every so many columns have a name under them, so that no two names touch. */
export function labelEvery(columns: number, width: number, labelWidth: number): number {
  const room = Math.max(1, Math.floor(width / labelWidth));
  return Math.max(1, Math.ceil(columns / room));
}
