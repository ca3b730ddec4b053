import type { Bars } from '../../../bench/recorded.ts';
import { escaped, shown, type Theme } from './themes.ts';

const size = { width: 720, left: 300, right: 70, top: 70, row: 20 } as const;

/** A bar a row, as SVG: its length by factors, for some are met a thousand times as often as others, its parts by their share. */
export function barChart({ title, parts, bars }: Bars, { text, grid, parts: colors }: Theme): string {
  const totals = bars.map(({ values }) => sum(values));
  const longest = Math.log1p(Math.max(1, ...totals));
  const width = size.width - size.left - size.right;
  const height = size.top + bars.length * size.row + 16;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.width} ${height}" role="img" font-family="system-ui, sans-serif" font-size="12" fill="${text}">`,
    `<title>${escaped(title)}</title>`,
    `<text x="12" y="22" font-size="15" font-weight="600">${escaped(title)}</text>`,
    ...parts.map((part, index) => {
      const x = 12 + index * 112;
      return `<rect x="${x}" y="38" width="12" height="12" fill="${colors[index % colors.length]}" stroke="${grid}"/><text x="${x + 18}" y="48">${escaped(part)}</text>`;
    }),
    ...bars.flatMap(({ name, values }, row) => {
      const y = size.top + row * size.row;
      const total = totals[row] ?? 0;
      const length = (Math.log1p(total) / longest) * width;
      const ends = values.map((_, index) => (total === 0 ? 0 : (sum(values.slice(0, index + 1)) / total) * length));
      return [
        `<text x="${size.left - 8}" y="${y + 12}" text-anchor="end">${escaped(name)}</text>`,
        ...ends.map((end, index) => {
          const from = ends[index - 1] ?? 0;
          return `<rect x="${(size.left + from).toFixed(1)}" y="${y + 2}" width="${(end - from).toFixed(1)}" height="13" fill="${colors[index % colors.length]}"/>`;
        }),
        `<text x="${(size.left + length + 6).toFixed(1)}" y="${y + 12}">${shown(total)}</text>`,
      ];
    }),
    '</svg>',
    '',
  ].join('\n');
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
