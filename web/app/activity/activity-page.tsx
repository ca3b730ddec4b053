import { Button, Stack, TextField } from '@mui/material';
import { useMutation } from '@tanstack/react-query';
import { useLocation, useRoute } from 'wouter';
import { type AuditFilter, useStatus } from '../data/queries.ts';
import { useHashSearch } from '../hash-location.ts';
import { DownloadIcon } from '../icons.tsx';
import { NativeChoice } from '../parts/native-choice.tsx';
import { Page } from '../parts/page.tsx';
import { actErrorText } from '../parts/problem.tsx';
import { instantOf } from '../parts/time-text.ts';
import { useClient } from '../session/session-context.tsx';
import { useToast } from '../shell/toast.tsx';
import { Entries } from './entries.tsx';
import { EntryDetail } from './entry-detail.tsx';
import {
  type ActivityFilters,
  auditQuery,
  kindChoices,
  readActivityFilters,
  results,
  writeActivityFilters,
} from './filters.ts';

export function ActivityPage() {
  const zone = useStatus().data?.timezone ?? 'UTC';
  const [path, navigate] = useLocation();
  const search = useHashSearch();
  const [single, params] = useRoute('/activity/:id');
  const filters = readActivityFilters(search);
  const query = auditQuery(filters, (local) => instantOf(local, zone));
  const change = (next: ActivityFilters) => {
    const text = writeActivityFilters(next);
    navigate(text === '' ? path : `${path}?${text}`, { replace: true });
  };
  if (single) return <EntryDetail id={decodeURIComponent(params.id)} zone={zone} />;
  return (
    <Page title="Activity" lead="What was done, by whom, and how it ended." actions={<CsvButton query={query} />}>
      <FilterBar filters={filters} onChange={change} />
      <Entries key={JSON.stringify(query)} query={query} zone={zone} />
    </Page>
  );
}

function FilterBar({ filters, onChange }: { filters: ActivityFilters; onChange: (next: ActivityFilters) => void }) {
  const sx = { minWidth: { xs: '100%', sm: 150 }, flex: { sm: 1 } };
  const set = (name: keyof ActivityFilters) => (value: string) => onChange({ ...filters, [name]: value });
  return (
    <Stack direction="row" sx={{ gap: 1.5, flexWrap: 'wrap' }} role="search" aria-label="Filters">
      <NativeChoice label="Act" value={filters.kind} options={kindChoices} onChange={set('kind')} sx={sx} />
      <NativeChoice label="Result" value={filters.result} options={results} onChange={set('result')} sx={sx} />
      <TextField label="Actor" value={filters.actor} onChange={(event) => set('actor')(event.target.value)} sx={sx} />
      <TextField
        label="Text"
        type="search"
        value={filters.q}
        onChange={(event) => set('q')(event.target.value)}
        sx={sx}
      />
      <TextField
        label="From"
        type="date"
        value={filters.from}
        onChange={(event) => set('from')(event.target.value)}
        slotProps={{ inputLabel: { shrink: true } }}
        sx={sx}
      />
      <TextField
        label="To"
        type="date"
        value={filters.to}
        onChange={(event) => set('to')(event.target.value)}
        slotProps={{ inputLabel: { shrink: true } }}
        sx={sx}
      />
    </Stack>
  );
}

/** A link could not carry the token, so the file is fetched and handed to the browser. */
function CsvButton({ query }: { query: AuditFilter }) {
  const client = useClient();
  const toast = useToast();
  const save = useMutation({
    mutationFn: async () => {
      const response = await client.raw('audit', { query: { ...query, format: 'csv' } });
      const address = URL.createObjectURL(await response.blob());
      const link = Object.assign(document.createElement('a'), { href: address, download: 'audit.csv' });
      link.click();
      URL.revokeObjectURL(address);
    },
    onError: (error) => toast(`The file was not made. ${actErrorText(error)}`, 'error'),
  });
  return (
    <Button variant="outlined" startIcon={<DownloadIcon />} onClick={() => save.mutate()} loading={save.isPending}>
      Export CSV
    </Button>
  );
}
