import type { Chart } from '../../../bench/recorded.ts';
import { factorScale, linearScale } from './scales.ts';
import { escaped, shown, type Theme } from './themes.ts';

const size = { width: 720, height: 360, left: 72, right: 150, top: 44, bottom: 52 } as const;
const dashes = ['', '8 4', '2 4', '12 3 2 3'];
/** More than these are a line and no longer points. */
const mostDots = 12;

/** As SVG, without fonts or scripts of others. */
export function lineChart(chart: Chart, { text, grid, lines: colors }: Theme): string {
  const { title, x, y, lines } = chart;
  const right = size.width - size.right;
  const foot = size.height - size.bottom;
  const { across, up } = axesOf(chart, right, foot);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.width} ${size.height}" role="img" font-family="system-ui, sans-serif" font-size="13" fill="${text}">`,
    `<title>${escaped(title)}</title>`,
    `<text x="${size.left}" y="22" font-size="15" font-weight="600">${escaped(title)}</text>`,
    ...up.ticks.map(
      (value) =>
        `<path d="M${size.left} ${up.place(value)}H${right}" stroke="${grid}"/><text x="${size.left - 8}" y="${up.place(value) + 4}" text-anchor="end">${shown(value)}</text>`,
    ),
    ...across.ticks.map(
      (at) => `<text x="${across.place(at)}" y="${foot + 20}" text-anchor="middle">${shown(at)}</text>`,
    ),
    `<text x="${(size.left + right) / 2}" y="${size.height - 10}" text-anchor="middle">${escaped(x)}</text>`,
    `<text x="16" y="${size.top - 6}">${escaped(y)}</text>`,
    ...lines.flatMap(({ name, points }, index) => {
      const color = colors[index % colors.length];
      const places = points.map(([at, value]) => ({ x: across.place(at), y: up.place(value) }));
      const dots = points.length > mostDots ? [] : places;
      const end = points.at(-1);
      return [
        `<path d="M${places.map((place) => `${place.x} ${place.y}`).join('L')}" fill="none" stroke="${color}" stroke-width="2" stroke-dasharray="${dashes[index % dashes.length]}"/>`,
        ...dots.map((dot) => `<circle cx="${dot.x}" cy="${dot.y}" r="3.5" fill="${color}"/>`),
        end === undefined
          ? ''
          : `<text x="${right + 10}" y="${up.place(end[1]) + 4}" fill="${color}">${escaped(name)} ${shown(end[1])}</text>`,
      ];
    }),
    '</svg>',
    '',
  ].join('\n');
}

function axesOf({ scale, lines }: Chart, right: number, foot: number) {
  const all = lines.flatMap(({ points }) => points);
  const [ats, values] = [all.map(([at]) => at), all.map(([, value]) => value)];
  if (scale === 'linear')
    return { across: linearScale(ats, size.left, right), up: linearScale(values, foot, size.top) };
  // What was measured is few sizes: each has its number.
  const across = { ...factorScale(ats, size.left, right), ticks: [...new Set(ats)] };
  return { across, up: factorScale(values, foot, size.top) };
}
