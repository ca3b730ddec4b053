import { Box } from '@mui/material';
import { useEffect, useId, useRef, useState } from 'react';
import { axisOf, labelEvery } from './scale.ts';
import type { Series } from './series.ts';

interface DrawnColumn {
  readonly key: string;
  /** Under the column. */
  readonly label: string;
  /** For who rests the pointer on it. */
  readonly text: string;
  readonly values: readonly number[];
}

interface Props {
  /** All of it in a sentence, for who does not see it. */
  readonly says: string;
  readonly series: readonly Series[];
  readonly columns: readonly DrawnColumn[];
  readonly tick: (value: number) => string;
}

const height = 240;
const margin = { top: 8, right: 8, bottom: 24, left: 52 };
const labelWidth = 58;
const widestColumn = 72;

/** Columns side by side, drawn by hand: two shapes and an axis are less code than a library that draws anything. */
export function Columns({ says, series, columns, tick }: Props) {
  const [box, width] = useWidth();
  const id = useId();
  const inner = { width: Math.max(0, width - margin.left - margin.right), height: height - margin.top - margin.bottom };
  const { top, ticks } = axisOf(columns.flatMap(({ values }) => values));
  const y = (value: number) => margin.top + inner.height - (value / top) * inner.height;
  const step = columns.length === 0 ? 0 : inner.width / columns.length;
  const group = Math.min(widestColumn, step * 0.8);
  const every = labelEvery(columns.length, inner.width, labelWidth);
  return (
    <Box ref={box} sx={{ width: '100%', '& text': { fill: 'var(--mui-palette-text-secondary)', fontSize: 12 } }}>
      <svg width={width} height={height} role="img" aria-label={says} style={{ display: 'block', maxWidth: '100%' }}>
        <Patterns id={id} series={series} />
        {ticks.map((value) => (
          <g key={value}>
            <line
              x1={margin.left}
              x2={width - margin.right}
              y1={y(value)}
              y2={y(value)}
              stroke="var(--mui-palette-divider)"
            />
            <text x={margin.left - 6} y={y(value) + 4} textAnchor="end">
              {tick(value)}
            </text>
          </g>
        ))}
        {columns.map((column, index) => {
          const left = margin.left + index * step + (step - group) / 2;
          return (
            <g key={column.key}>
              <title>{column.text}</title>
              <rect x={left} y={margin.top} width={group} height={inner.height} fill="transparent" />
              {column.values.map((value, part) => {
                const one = series[part];
                if (one === undefined || value <= 0) return null;
                const thick = group / column.values.length;
                return (
                  <rect
                    key={one.name}
                    x={left + part * thick + 0.5}
                    y={y(value)}
                    width={Math.max(1, thick - 1)}
                    height={Math.max(1, y(0) - y(value))}
                    fill={one.pattern === 'solid' ? one.color : `url(#${id}-${part})`}
                    stroke={one.color}
                    style={{ forcedColorAdjust: 'none' }}
                  />
                );
              })}
              {index % every === 0 ? (
                <text x={left + group / 2} y={height - 6} textAnchor="middle">
                  {column.label}
                </text>
              ) : null}
            </g>
          );
        })}
      </svg>
    </Box>
  );
}

function Patterns({ id, series }: { id: string; series: readonly Series[] }) {
  return (
    <defs>
      {series.map(({ name, color, pattern }, index) =>
        pattern === 'solid' ? null : (
          <pattern
            key={name}
            id={`${id}-${index}`}
            width="6"
            height="6"
            patternUnits="userSpaceOnUse"
            patternTransform="rotate(45)"
          >
            <line x1="0" y1="0" x2="0" y2="6" stroke={color} strokeWidth="3" />
          </pattern>
        ),
      )}
    </defs>
  );
}

/** Until the first measure, and where there is none. */
const firstWidth = 640;

function useWidth() {
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(firstWidth);
  useEffect(() => {
    if (box.current === null) return undefined;
    const observer = new ResizeObserver(([entry]) => entry && setWidth(Math.floor(entry.contentRect.width)));
    observer.observe(box.current);
    return () => observer.disconnect();
  }, []);
  return [box, width] as const;
}
