import { Box, Stack, Typography } from '@mui/material';
import type { ReactNode } from 'react';
import { barGround } from '../theme/forced-colors.ts';
import { Legend } from './legend.tsx';
import { paint, type Series } from './series.ts';

export interface StackedRow {
  readonly key: string;
  readonly label: ReactNode;
  /** The whole of the row, in words. */
  readonly text: ReactNode;
  /** By the name of the series. */
  readonly parts: ReadonlyMap<string, number>;
}

interface Props {
  readonly label: string;
  readonly series: readonly Series[];
  readonly rows: readonly StackedRow[];
  /** `each`: every row is full. `all`: rows are as long as they are against the longest. */
  readonly scale: 'each' | 'all';
}

/** One bar a row, made of parts. The bars are for the eye; each row says the same in words, and the table says all of it. */
export function StackedRows({ label, series, rows, scale }: Props) {
  const totals = rows.map(({ parts }) => sum(parts));
  const longest = Math.max(0, ...totals);
  return (
    <Stack spacing={2}>
      <Legend series={series} />
      <Stack component="ul" spacing={1.5} aria-label={label} sx={{ m: 0, p: 0, listStyle: 'none' }}>
        {rows.map(({ key, label: name, text, parts }, index) => {
          const total = totals[index] ?? 0;
          const whole = scale === 'each' ? total : longest;
          return (
            <Box component="li" key={key}>
              <Stack direction="row" sx={{ justifyContent: 'space-between', columnGap: 2, flexWrap: 'wrap' }}>
                <Typography variant="body2" component="div" sx={{ overflowWrap: 'anywhere', minWidth: 0 }}>
                  {name}
                </Typography>
                <Typography variant="body2" component="div" color="textSecondary">
                  {text}
                </Typography>
              </Stack>
              <Box
                aria-hidden
                sx={{
                  display: 'flex',
                  gap: '2px',
                  height: 14,
                  mt: 0.5,
                  borderRadius: 1,
                  overflow: 'hidden',
                  ...barGround,
                }}
              >
                {series.map((one) => {
                  const value = parts.get(one.name) ?? 0;
                  if (value === 0 || whole === 0) return null;
                  return (
                    <Box
                      key={one.name}
                      title={one.name}
                      sx={{ ...paint(one), width: `${(value / whole) * 100}%`, minWidth: '2px' }}
                    />
                  );
                })}
              </Box>
            </Box>
          );
        })}
      </Stack>
    </Stack>
  );
}

function sum(parts: ReadonlyMap<string, number>): number {
  return parts.values().reduce((total, part) => total + part, 0);
}
