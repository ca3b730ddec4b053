import type { Chart } from '../../../bench/recorded.ts';

/** The colours of one appearance; the lines take theirs in order, each told from the next without its hue, too. */
export interface Theme {
  readonly name: 'light' | 'dark';
  readonly text: string;
  readonly grid: string;
  readonly lines: readonly string[];
}

export const themes: readonly Theme[] = [
  { name: 'light', text: '#24292f', grid: '#d0d7de', lines: ['#0b57d0', '#b3261e', '#57606a', '#1a7f37'] },
  { name: 'dark', text: '#e6edf3', grid: '#3d444d', lines: ['#7cacf8', '#f2b8b5', '#9ea7b3', '#7ee2a8'] },
];

const size = { width: 720, height: 360, left: 72, right: 150, top: 44, bottom: 52 } as const;
const dashes = ['', '8 4', '2 4', '12 3 2 3'];

/** As SVG, without fonts or scripts of others. Both axes grow by factors, so that a cost that is the same for each is a straight line. */
export function lineChart({ title, x, y, lines }: Chart, { text, grid, lines: colours }: Theme): string {
  const all = lines.flatMap(({ points }) => points);
  const across = factorScale(
    all.map(([at]) => at),
    size.left,
    size.width - size.right,
  );
  const up = factorScale(
    all.map(([, value]) => value),
    size.height - size.bottom,
    size.top,
  );
  const right = size.width - size.right;
  const foot = size.height - size.bottom;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.width} ${size.height}" role="img" font-family="system-ui, sans-serif" font-size="13" fill="${text}">`,
    `<title>${escaped(title)}</title>`,
    `<text x="${size.left}" y="22" font-size="15" font-weight="600">${escaped(title)}</text>`,
    ...ticksOf(all.map(([, value]) => value)).map(
      (value) =>
        `<path d="M${size.left} ${up(value)}H${right}" stroke="${grid}"/><text x="${size.left - 8}" y="${up(value) + 4}" text-anchor="end">${shown(value)}</text>`,
    ),
    ...[...new Set(all.map(([at]) => at))].map(
      (at) => `<text x="${across(at)}" y="${foot + 20}" text-anchor="middle">${shown(at)}</text>`,
    ),
    `<text x="${(size.left + right) / 2}" y="${size.height - 10}" text-anchor="middle">${escaped(x)}</text>`,
    `<text x="16" y="${size.top - 6}">${escaped(y)}</text>`,
    ...lines.flatMap(({ name, points }, index) => {
      const colour = colours[index % colours.length];
      const places = points.map(([at, value]) => `${across(at)} ${up(value)}`);
      const end = points.at(-1);
      return [
        `<path d="M${places.join('L')}" fill="none" stroke="${colour}" stroke-width="2" stroke-dasharray="${dashes[index % dashes.length]}"/>`,
        ...points.map(([at, value]) => `<circle cx="${across(at)}" cy="${up(value)}" r="3.5" fill="${colour}"/>`),
        end === undefined
          ? ''
          : `<text x="${right + 10}" y="${up(end[1]) + 4}" fill="${colour}">${escaped(name)} ${shown(end[1])}</text>`,
      ];
    }),
    '</svg>',
    '',
  ].join('\n');
}

/** From values to places, each factor the same distance. */
function factorScale(values: readonly number[], from: number, to: number): (value: number) => number {
  const [least, most] = [Math.log(Math.min(...values)), Math.log(Math.max(...values))];
  const span = most - least || 1;
  return (value) => Math.round(from + ((Math.log(value) - least) / span) * (to - from));
}

/** Round numbers between the least and the most. */
function ticksOf(values: readonly number[]): readonly number[] {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const ticks: number[] = [];
  for (let power = 10 ** Math.floor(Math.log10(least)); power <= most; power *= 10) {
    for (const tick of [power, 2 * power, 5 * power]) if (tick >= least && tick <= most) ticks.push(tick);
  }
  return ticks;
}

function shown(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: 1 });
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
