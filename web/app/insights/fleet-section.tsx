import { Stack, Typography } from '@mui/material';
import type { AnswerOf } from '../../../src/contract/contract.ts';
import { Picture } from '../charts/picture.tsx';
import { seriesOf } from '../charts/series.ts';
import { StackedRows } from '../charts/stacked-rows.tsx';
import { DataTable } from '../parts/data-table.tsx';
import { Section } from '../parts/section.tsx';
import { counted } from '../parts/time-text.ts';

type Fleet = AnswerOf<'fleet'>;
type Shares = Fleet['total'];

/** In the order of the picture: what sleeps, then what keeps the rest up. */
const shares: readonly (readonly [keyof Shares, string])[] = [
  ['sleeps', 'Sleeps'],
  ['excluded', 'Excluded'],
  ['neverScaled', 'Never scaled'],
  ['ownedByOthers', 'Owned by others'],
  ['raisedByOwners', 'Raised by owners'],
  ['downByOwners', 'Down by owners'],
];

const few = 12;

/** Which share of the fleet sleeps, a bar a namespace, and what keeps the rest up. */
export function FleetSection({ fleet: { total, namespaces } }: { fleet: Fleet }) {
  const known = shares.filter(([name]) => total[name] > 0);
  const all = { namespace: 'All namespaces', ...total };
  return (
    <Section title="What sleeps, and what keeps the rest up" note="Workloads of the whole cluster, as they are now.">
      <Stack spacing={2} data-testid="fleet">
        <Typography sx={{ fontWeight: 600 }}>
          {counted(total.sleeps, 'workload')} of {total.workloads} {total.sleeps === 1 ? 'sleeps' : 'sleep'} with the
          cluster
          {percent(total)}
        </Typography>
        <Picture
          picture={
            <StackedRows
              label="The fleet by namespace"
              scale="each"
              series={seriesOf(known.map(([, title]) => title))}
              rows={[all, ...namespaces.slice(0, few)].map((row) => ({
                key: row.namespace,
                label: row.namespace,
                text: wordsOf(row),
                parts: new Map(known.map(([name, title]) => [title, row[name]])),
              }))}
            />
          }
          table={
            <DataTable
              label="The fleet by namespace"
              rows={[all, ...namespaces]}
              keyOf={({ namespace }) => namespace}
              maxHeight={480}
              columns={[
                { name: 'Namespace', of: ({ namespace }) => namespace },
                { name: 'Workloads', align: 'right', of: ({ workloads }) => workloads },
                ...shares.map(([name, title]) => ({
                  name: title,
                  align: 'right' as const,
                  of: (row: Shares) => row[name],
                })),
              ]}
            />
          }
        />
        {namespaces.length > few ? (
          <Typography variant="body2" color="textSecondary">
            The {few} largest of {namespaces.length} namespaces; the table has all of them.
          </Typography>
        ) : null}
      </Stack>
    </Section>
  );
}

function wordsOf(row: Shares): string {
  const kept = shares
    .slice(1)
    .flatMap(([name, title]) => (row[name] === 0 ? [] : [`${row[name]} ${title.toLowerCase()}`]));
  return [`${row.sleeps} of ${row.workloads} ${row.sleeps === 1 ? 'sleeps' : 'sleep'}`, ...kept].join(', ');
}

function percent({ sleeps, workloads }: Shares): string {
  return workloads === 0 ? '' : ` (${Math.round((sleeps / workloads) * 100)} %)`;
}
