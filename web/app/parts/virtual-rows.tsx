import { Box } from '@mui/material';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { windowOf } from './virtual-window.ts';

interface Props<T> {
  readonly items: readonly T[];
  readonly rowHeight: number;
  readonly keyOf: (item: T) => string;
  readonly row: (item: T, index: number) => ReactNode;
  readonly head: ReactNode;
  readonly headHeight: number;
  readonly label: string;
}

/** A table that draws only the rows in sight, however many there are. */
export function VirtualRows<T>({ items, rowHeight, keyOf, row, head, headHeight, label }: Props<T>) {
  const scroller = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 600 });
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return undefined;
    const look = () => setView({ top: element.scrollTop, height: element.clientHeight });
    const watcher = new ResizeObserver(look);
    watcher.observe(element);
    element.addEventListener('scroll', look, { passive: true });
    look();
    return () => {
      watcher.disconnect();
      element.removeEventListener('scroll', look);
    };
  }, []);
  const { first, last } = windowOf(items.length, rowHeight, view);
  return (
    <Box
      ref={scroller}
      role="table"
      aria-label={label}
      aria-rowcount={items.length + 1}
      tabIndex={0}
      data-testid="virtual-rows"
      // A row that scrolls out of sight takes the focus with it; here the keys go on working.
      data-keeps-focus
      // As high as its rows, up to what a screen holds.
      // What takes the focus comes to below the head, which stays.
      sx={{ overflow: 'auto', maxHeight: 'min(68vh, 720px)', minHeight: 240, scrollPaddingTop: `${headHeight + 4}px` }}
    >
      {head}
      <Box role="rowgroup" sx={{ position: 'relative', height: items.length * rowHeight }}>
        {items.slice(first, last).map((item, index) => (
          <Row key={keyOf(item)} index={first + index} height={rowHeight}>
            {row(item, first + index)}
          </Row>
        ))}
      </Box>
    </Box>
  );
}

/** A plain element: a styled one would cost more than what is in it. */
function Row({ index, height, children }: { index: number; height: number; children: ReactNode }) {
  const place = { position: 'absolute', top: index * height, left: 0, right: 0, height, contain: 'strict' } as const;
  // The head is the first row.
  const role = { role: 'row', 'aria-rowindex': index + 2 };
  return (
    <div {...role} style={place}>
      {children}
    </div>
  );
}
