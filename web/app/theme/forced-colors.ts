/** A surface that means something by its color: where the system chooses the colors, it takes one of the system's. */
export function meansByColor(systemColor: 'Highlight' | 'CanvasText' | 'LinkText' | 'Canvas') {
  return {
    '@media (forced-colors: active)': { forcedColorAdjust: 'none', backgroundColor: systemColor },
  } as const;
}

/** The same, told apart from its neighbour of that color by stripes. */
export function meansByStripes(systemColor: 'Highlight' | 'CanvasText') {
  return {
    '@media (forced-colors: active)': {
      forcedColorAdjust: 'none',
      backgroundColor: systemColor,
      backgroundImage: 'repeating-linear-gradient(45deg, Canvas 0 2px, transparent 2px 5px)',
    },
  } as const;
}

/** The ground of a bar or a row, which would otherwise be as invisible as what is on it. */
export const barGround = {
  '@media (forced-colors: active)': {
    forcedColorAdjust: 'none',
    backgroundColor: 'Canvas',
    outline: '1px solid CanvasText',
  },
} as const;

/** What is chosen is marked by a line where its ground cannot tell. */
export const chosen = {
  '@media (forced-colors: active)': { outline: '2px solid Highlight', outlineOffset: '-3px' },
} as const;
