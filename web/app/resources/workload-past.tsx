import { Box } from '@mui/material';
import type { WorkloadAnswer } from '../data/queries.ts';
import { DataTable } from '../parts/data-table.tsx';
import { Empty } from '../parts/empty.tsx';
import { NavLink } from '../parts/nav-link.tsx';
import { spanText } from '../parts/time-text.ts';
import { ZonedTime } from '../parts/zoned-time.tsx';
import { transitionAddress } from '../wake/address.ts';

type Past = WorkloadAnswer['past'];
type Night = Past['items'][number];

export function PastNights({ past, zone }: { past: Past; zone: string }) {
  if (past.items.length === 0) return <Empty title="No wake and no hibernation is in the log" />;
  return (
    <DataTable
      label="Its last nights"
      rows={past.items}
      keyOf={({ id }) => id}
      maxHeight={420}
      columns={[
        { name: 'Ended', of: ({ at }) => <ZonedTime at={at} zone={zone} /> },
        { name: 'What', of: ({ id, title }) => <NavLink to={transitionAddress(id)}>{title}</NavLink> },
        { name: 'Took', of: ({ durationMs }) => (durationMs === undefined ? null : spanText(durationMs)) },
        { name: 'This workload', of: (night) => <Verdict night={night} /> },
      ]}
    />
  );
}

const colors: Readonly<Record<Night['verdict'], string>> = {
  failed: 'error.main',
  recovered: 'success.main',
  still_starting: 'warning.main',
  not_named: 'text.primary',
};

function Verdict({ night: { verdict, sentence } }: { night: Night }) {
  return (
    <Box component="span" sx={{ color: colors[verdict], overflowWrap: 'anywhere' }}>
      {verdict === 'not_named' ? 'No casualty' : wordsOf(verdict, sentence)}
    </Box>
  );
}

function wordsOf(verdict: Exclude<Night['verdict'], 'not_named'>, sentence: string | undefined): string {
  if (verdict === 'still_starting') return 'Still starting when the wake ended';
  return `${verdict === 'failed' ? 'Failed' : 'Recovered'}: ${sentence ?? ''}`;
}
