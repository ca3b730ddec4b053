/** One thing that is drawn, told apart by color and by pattern: never by color alone. */
export interface Series {
  readonly name: string;
  readonly color: string;
  readonly pattern: 'solid' | 'hatched' | 'dotted' | 'outlined';
}

const colors = ['primary', 'success', 'warning', 'info', 'error'] as const;
const patterns: readonly Series['pattern'][] = ['solid', 'hatched', 'dotted', 'outlined'];

/** As many as are asked for: the pattern changes with the color, so that neighbours differ in both. */
export function seriesOf(names: readonly string[]): readonly Series[] {
  return names.map((name, index) => ({
    name,
    color: `var(--mui-palette-${colors[index % colors.length]}-main)`,
    pattern: patterns[index % patterns.length]!,
  }));
}

/** How a series fills a box. Where the system chooses colors, a pattern of the system's own is left. */
export function paint({ color, pattern }: Series) {
  const forced = { '@media (forced-colors: active)': { forcedColorAdjust: 'none', border: '1px solid CanvasText' } };
  const edge = { border: `1px solid ${color}` };
  switch (pattern) {
    case 'solid':
      return { backgroundColor: color, ...forced };
    case 'hatched':
      return {
        ...edge,
        background: `repeating-linear-gradient(45deg, ${color} 0 3px, transparent 3px 7px)`,
        ...forced,
      };
    case 'dotted':
      return { ...edge, background: `radial-gradient(${color} 35%, transparent 40%) 0 0 / 6px 6px`, ...forced };
    case 'outlined':
      return { ...edge, borderWidth: 2, ...forced };
  }
}
