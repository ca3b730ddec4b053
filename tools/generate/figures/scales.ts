/** One axis: where each value is, and which values are written beside it. */
export interface Scale {
  place(value: number): number;
  readonly ticks: readonly number[];
}

/** Each factor takes the same distance, so that a cost that is the same for each is a straight line. */
export function factorScale(values: readonly number[], from: number, to: number): Scale {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const span = Math.log(most) - Math.log(least) || 1;
  const ticks: number[] = [];
  for (let power = 10 ** Math.floor(Math.log10(least)); power <= most; power *= 10) {
    for (const tick of [power, 2 * power, 5 * power]) if (tick >= least && tick <= most) ticks.push(tick);
  }
  return {
    place: (value) => Math.round(from + ((Math.log(value) - Math.log(least)) / span) * (to - from)),
    ticks,
  };
}

const mostSteps = 6;

/** From zero to the first round number above all of them. */
export function linearScale(values: readonly number[], from: number, to: number): Scale {
  const most = Math.max(...values) || 1;
  const power = 10 ** Math.floor(Math.log10(most / mostSteps));
  const step = [1, 2, 5, 10].map((digit) => digit * power).find((size) => most / size <= mostSteps) ?? 10 * power;
  const end = Math.ceil(most / step) * step;
  return {
    place: (value) => Math.round(from + (value / end) * (to - from)),
    ticks: Array.from({ length: Math.round(end / step) + 1 }, (_, index) => index * step),
  };
}
