import { Box, Stack, Typography } from '@mui/material';
import { useCallback, useDeferredValue, useEffect, useMemo } from 'react';
import { useLocation } from 'wouter';
import { useNow } from '../data/now.ts';
import { type Ignored, type Resource, useIgnored, useResources, useTurns, useZone } from '../data/queries.ts';
import { useHashSearch } from '../hash-location.ts';
import { Answer } from '../parts/answer.tsx';
import { Empty } from '../parts/empty.tsx';
import { Page } from '../parts/page.tsx';
import { Section } from '../parts/section.tsx';
import { counted, isoDate } from '../parts/time-text.ts';
import { FilterBar } from './filter-bar.tsx';
import {
  type Filters,
  filterRows,
  kindsAmong,
  type Row,
  readFilters,
  rowsOf,
  sortRows,
  writeFilters,
} from './filters.ts';
import { ResourceTable } from './resource-table.tsx';
import { lastWake, type Since, sinceOf } from './since.ts';

const minuteMs = 60_000;

export function ResourcesPage() {
  const resources = useResources();
  const ignored = useIgnored();
  return (
    <Page title="Resources" lead="What the service scales, what it leaves alone, and why.">
      <Answer of={resources} lines={8}>
        {(managed) => <Answer of={ignored}>{(left) => <AllResources managed={managed} left={left} />}</Answer>}
      </Answer>
    </Page>
  );
}

function AllResources({ managed, left }: { managed: readonly Resource[]; left: readonly Ignored[] }) {
  const { data } = useTurns();
  const zone = useZone();
  const today = isoDate(useNow(minuteMs), zone);
  const wake = useMemo(() => lastWake(data ?? []), [data]);
  const since = useCallback((row: Row) => sinceOf(row, wake, { zone, today }), [wake, zone, today]);
  return <Resources rows={useMemo(() => rowsOf(managed, left), [managed, left])} since={since} zone={zone} />;
}

interface ResourcesProps {
  readonly rows: readonly Row[];
  /** Since when it is not up, in a few letters. */
  readonly since: (row: Row) => Since | undefined;
  readonly zone: string;
}

export function Resources({ rows, since, zone }: ResourcesProps) {
  const [path, navigate] = useLocation();
  const search = useHashSearch();
  const asked = new URLSearchParams(search).get('why');
  const filters = useMemo(() => readFilters(search), [search]);
  // Typing stays quick: the table follows when there is time.
  const applied = useDeferredValue(filters);
  const { sort, order } = applied;
  const sorted = useMemo(() => sortRows(rows, { sort, order }), [rows, sort, order]);
  const shown = useMemo(() => filterRows(sorted, applied), [sorted, applied]);
  const namespaces = useMemo(() => [...new Set(rows.map(({ namespace }) => namespace))].sort(), [rows]);
  const kinds = useMemo(() => kindsAmong(rows), [rows]);
  const change = (next: Filters) => {
    const query = writeFilters(next);
    navigate(query === '' ? path : `${path}?${query}`, { replace: true });
  };
  // Links of earlier releases name the workload in the query.
  useEffect(() => {
    if (asked !== null) navigate(`/resources/${asked}`, { replace: true });
  }, [asked, navigate]);
  return (
    <Stack spacing={2}>
      <FilterBar filters={filters} namespaces={namespaces} kinds={kinds} onChange={change} />
      <Section flush>
        <Box sx={{ px: 2, py: 1 }}>
          <Typography variant="body2" color="textSecondary" role="status">
            {counted(shown.length, 'workload')} of {rows.length.toLocaleString('en-GB')}. Times by the clock of {zone}.
          </Typography>
        </Box>
        {shown.length === 0 ? (
          <Empty title={rows.length === 0 ? 'The cluster has no workloads' : 'No workload fits the filters'} />
        ) : (
          <ResourceTable rows={shown} filters={filters} onSort={change} since={since} />
        )}
      </Section>
    </Stack>
  );
}
