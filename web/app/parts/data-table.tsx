import { Table, TableBody, TableCell, TableContainer, TableHead, TableRow } from '@mui/material';
import type { ReactNode } from 'react';

interface Column<Row> {
  readonly name: string;
  readonly align?: 'left' | 'right';
  readonly of: (row: Row) => ReactNode;
}

interface Props<Row> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** Higher ones scroll, their head staying in sight. */
  readonly maxHeight?: number;
}

/** A phone has no room for columns: there each row is a small list, every value below its name. */
const stackedOnPhone = {
  '@media (max-width: 599.95px)': {
    '& thead': { display: 'none' },
    '& tbody tr': { display: 'block', py: 1 },
    '& tbody tr:not(:last-of-type)': { borderBottom: '1px solid var(--mui-palette-divider)' },
    '& tbody td': { display: 'block', border: 0, py: 0.5, textAlign: 'left', overflowWrap: 'anywhere' },
    '& tbody td:empty': { display: 'none' },
    '& tbody td::before': {
      content: 'attr(data-name)',
      display: 'block',
      color: 'text.secondary',
      fontSize: '0.75rem',
    },
  },
} as const;

export function DataTable<Row>({ label, columns, rows, keyOf, maxHeight }: Props<Row>) {
  const sticky = maxHeight !== undefined;
  return (
    <TableContainer tabIndex={0} aria-label={label} role="group" sx={sticky ? { maxHeight: { sm: maxHeight } } : {}}>
      <Table size="small" stickyHeader={sticky} sx={stackedOnPhone}>
        <TableHead>
          <TableRow>
            {columns.map(({ name, align = 'left' }) => (
              <TableCell key={name} align={align}>
                {name}
              </TableCell>
            ))}
          </TableRow>
        </TableHead>
        <TableBody>
          {rows.map((row) => (
            <TableRow key={keyOf(row)}>
              {columns.map(({ name, align = 'left', of }) => (
                <TableCell key={name} align={align} data-name={name}>
                  {of(row)}
                </TableCell>
              ))}
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </TableContainer>
  );
}
