import { Box, ButtonBase } from '@mui/material';
import { type ComponentProps, memo } from 'react';
import { VirtualRows } from '../parts/virtual-rows.tsx';
import type { Filters, Row, SortKey } from './filters.ts';
import type { Since } from './since.ts';
import { StateMark } from './state-mark.tsx';
import { workloadAddress } from './workload-name.ts';

const rowHeight = 60;
const headHeight = 44;
// Two lines on a phone, a grid elsewhere. Plain style objects: five thousand rows would each pay for a styled cell.
const columns = 'minmax(0, 2.4fr) 120px 150px minmax(0, 1.6fr) 44px';

interface Props {
  readonly rows: readonly Row[];
  readonly filters: Filters;
  readonly onSort: (filters: Filters) => void;
  readonly since: (row: Row) => Since | undefined;
}

export function ResourceTable({ rows, filters, onSort, since }: Props) {
  return (
    <Box
      sx={{
        '& .row': {
          display: 'grid',
          gridTemplateColumns: { xs: 'minmax(0, 1fr) 112px 36px', md: columns },
          columnGap: 1.5,
          alignItems: 'center',
          height: '100%',
          px: 2,
          borderBottom: '1px solid',
          borderColor: 'divider',
          fontSize: 14,
        },
        '& .wide': { display: { xs: 'none', md: 'block' } },
        '& .cut': { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
        // The namespace tells two of one name apart: it comes first, and a phone gives it two lines.
        '& .where': {
          display: '-webkit-box',
          WebkitBoxOrient: 'vertical',
          WebkitLineClamp: { xs: '2', md: '1' },
          overflow: 'hidden',
          overflowWrap: 'anywhere',
          lineHeight: '17px',
        },
        '& .why': {
          display: 'grid',
          placeItems: 'center',
          width: 32,
          height: 32,
          borderRadius: '50%',
          textDecoration: 'none',
          border: '1px solid',
          borderColor: 'divider',
          color: 'text.secondary',
          '&:hover': { bgcolor: 'action.hover' },
        },
        '& .name': { display: 'block', color: 'primary.main', textDecorationColor: 'currentcolor' },
        '& .dim': { color: 'text.secondary', fontSize: 13 },
      }}
    >
      <VirtualRows
        label="Workloads"
        items={rows}
        rowHeight={rowHeight}
        keyOf={({ key }) => key}
        headHeight={headHeight}
        head={<Head filters={filters} onSort={onSort} />}
        row={(row) => <Cells row={row} {...since(row)} />}
      />
    </Box>
  );
}

/** A part of a table that is drawn as a grid, because only the rows in sight exist. */
function Part({ as, ...rest }: { as: 'row' | 'cell' | 'columnheader' } & ComponentProps<'div'>) {
  return <div role={as} {...rest} />;
}

const heads: readonly (readonly [SortKey, string, string])[] = [
  ['name', 'Workload', ''],
  ['state', 'State', ''],
  ['replicas', 'Now / recorded', 'wide'],
];

function Head({ filters, onSort }: Pick<Props, 'filters' | 'onSort'>) {
  const sortBy = (sort: SortKey) =>
    onSort({ ...filters, sort, order: filters.sort === sort && filters.order === 'asc' ? 'desc' : 'asc' });
  return (
    <Box
      role="rowgroup"
      sx={{ position: 'sticky', top: 0, zIndex: 1, bgcolor: 'background.paper', height: headHeight }}
    >
      <Part as="row" aria-rowindex={1} className="row">
        {heads.map(([key, title, when]) => (
          <Part
            key={key}
            as="columnheader"
            className={when}
            aria-sort={filters.sort === key ? (filters.order === 'asc' ? 'ascending' : 'descending') : 'none'}
          >
            <ButtonBase
              onClick={() => sortBy(key)}
              sx={{ font: 'inherit', fontWeight: 650, borderRadius: 1, px: 0.5, py: 0.25 }}
            >
              {title}
              {filters.sort === key ? (filters.order === 'asc' ? ' ↑' : ' ↓') : ''}
            </ButtonBase>
          </Part>
        ))}
        <Part as="columnheader" className="wide" style={{ fontWeight: 650 }}>
          Owner, or why left alone
        </Part>
        <Part as="columnheader">
          <Box
            component="span"
            sx={{ position: 'absolute', width: 1, height: 1, overflow: 'hidden', clip: 'rect(0 0 0 0)' }}
          >
            Why
          </Box>
        </Part>
      </Part>
    </Box>
  );
}

/** Texts and no object, so that a row is drawn again only when they change. */
const Cells = memo(function Cells({ row, text, means }: { row: Row } & Partial<Since>) {
  const counts = countText(row);
  const address = `#${workloadAddress(row)}`;
  const note = noteOf(row);
  return (
    <div className="row">
      <Part as="cell" style={{ minWidth: 0 }}>
        <a className="cut name" href={address} title={`${row.namespace}/${row.name}`}>
          {row.name}
        </a>
        <div className="where dim" title={`${row.kind} in ${row.namespace}`}>
          {row.namespace} · {row.kind}
        </div>
      </Part>
      <Part as="cell">
        <StateMark state={row.state} />
        {text === undefined ? null : (
          <div className="dim" style={{ lineHeight: '17px' }} title={means}>
            {text}
          </div>
        )}
      </Part>
      <Part as="cell" className="wide">
        {counts}
      </Part>
      <Part as="cell" className="wide cut dim" title={note}>
        {note}
      </Part>
      <Part as="cell">
        <a className="why" href={address} aria-label={`Why is ${row.namespace}/${row.name} ${row.state}?`}>
          ?
        </a>
      </Part>
    </div>
  );
});

/** `2 of 3 ready / 3`, for CronJobs whether they are suspended. */
export function countText({ managed }: Pick<Row, 'managed'>): string {
  if (managed === undefined) return '';
  const { replicas, readyReplicas, suspended, recorded } = managed;
  const now =
    suspended === undefined
      ? `${readyReplicas ?? 0} of ${replicas ?? 0} ready`
      : suspended
        ? 'suspended'
        : 'not suspended';
  if (recorded === null) return now;
  const then =
    recorded.replicas === undefined ? (recorded.suspended ? 'suspended' : 'not suspended') : String(recorded.replicas);
  return `${now} / ${then}`;
}

function noteOf({ managed, reason }: Row): string {
  const owner = managed?.owner === undefined ? '' : `Also driven by ${managed.owner}`;
  return [owner, reason].filter(Boolean).join(' · ');
}
