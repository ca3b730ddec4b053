/** One thing that is drawn, told apart by colour and by pattern: never by colour alone. */
export interface Series {
  readonly name: string;
  readonly colour: string;
  readonly pattern: 'solid' | 'hatched' | 'dotted' | 'outlined';
}

const colours = ['primary', 'success', 'warning', 'info', 'error'] as const;
const patterns: readonly Series['pattern'][] = ['solid', 'hatched', 'dotted', 'outlined'];

/** As many as are asked for: the pattern changes with the colour, so that neighbours differ in both. */
export function seriesOf(names: readonly string[]): readonly Series[] {
  return names.map((name, index) => ({
    name,
    colour: `var(--mui-palette-${colours[index % colours.length]}-main)`,
    pattern: patterns[index % patterns.length]!,
  }));
}

/** How a series fills a box. Where the system chooses colours, a pattern of the system's own is left. */
export function paint({ colour, pattern }: Series) {
  const forced = { '@media (forced-colors: active)': { forcedColorAdjust: 'none', border: '1px solid CanvasText' } };
  const edge = { border: `1px solid ${colour}` };
  switch (pattern) {
    case 'solid':
      return { backgroundColor: colour, ...forced };
    case 'hatched':
      return {
        ...edge,
        background: `repeating-linear-gradient(45deg, ${colour} 0 3px, transparent 3px 7px)`,
        ...forced,
      };
    case 'dotted':
      return { ...edge, background: `radial-gradient(${colour} 35%, transparent 40%) 0 0 / 6px 6px`, ...forced };
    case 'outlined':
      return { ...edge, borderWidth: 2, ...forced };
  }
}
