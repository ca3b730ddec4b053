import { Alert, Stack } from '@mui/material';
import {
  type DatabaseRow,
  type SatelliteRow,
  useDatabases,
  useSatellites,
  useTransition,
  useZone,
} from '../data/queries.ts';
import { Answer } from '../parts/answer.tsx';
import { DataTable } from '../parts/data-table.tsx';
import { Empty } from '../parts/empty.tsx';
import { Page } from '../parts/page.tsx';
import { Section } from '../parts/section.tsx';
import { ZonedTime } from '../parts/zoned-time.tsx';
import { databaseWords, satelliteWords } from './words.ts';

/** Databases and satellites go down and up with the cluster like workloads do. */
export function DatabasesPage() {
  return (
    <Page
      title="Databases and Satellites"
      lead="Cloud databases that are stopped and started with the schedule, and the pages that stand in for services meanwhile."
    >
      <Stack spacing={3}>
        <Databases />
        <Satellites />
      </Stack>
    </Page>
  );
}

function Databases() {
  const databases = useDatabases();
  const waking = useWakingStatuses();
  return (
    <Section title="Databases" flush={databases.data !== undefined}>
      <Answer of={databases}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty title="No databases are configured">
              <code>config.databases</code> names those that are stopped and started with the schedule.
            </Empty>
          ) : (
            <DatabaseTable rows={items} waking={waking} />
          )
        }
      </Answer>
    </Section>
  );
}

/** A running wake tells of its own databases before the next answer does. */
function useWakingStatuses(): ReadonlyMap<string, string> {
  const frame = useTransition().data?.frame;
  const running = frame?.kind === 'wake' && frame.progress.endedAt === undefined ? frame.progress.tiers : [];
  return new Map(running.flatMap(({ databases }) => databases.map(({ name, status }) => [name, status])));
}

function DatabaseTable({ rows, waking }: { rows: readonly DatabaseRow[]; waking: ReadonlyMap<string, string> }) {
  const zone = useZone();
  return (
    <DataTable
      label="Databases"
      rows={rows}
      keyOf={({ name }) => name}
      columns={[
        { name: 'Name', of: ({ name }) => name },
        { name: 'Status', of: (row) => databaseWords(row, waking.get(row.name)) },
        { name: 'Seen', of: ({ at }) => (at === undefined ? 'not yet' : <ZonedTime at={at} zone={zone} />) },
        { name: 'Where', of: ({ type, identifier, region }) => `${type} ${identifier} in ${region}` },
      ]}
    />
  );
}

function Satellites() {
  const satellites = useSatellites();
  return (
    <Section title="Satellites" flush={satellites.data !== undefined}>
      <Answer of={satellites}>
        {({ enabled, items }) => (
          <>
            {enabled ? null : (
              <Alert severity="info" sx={{ m: 2 }}>
                Service redirection is off: <code>config.serviceRedirection.enabled</code> is <code>false</code>.
              </Alert>
            )}
            {items.length === 0 ? (
              <Empty title="No service is redirected">
                While it hibernates, a named service can show a page that says so and wakes it.
              </Empty>
            ) : (
              <SatelliteTable rows={items} />
            )}
          </>
        )}
      </Answer>
    </Section>
  );
}

function SatelliteTable({ rows }: { rows: readonly SatelliteRow[] }) {
  const zone = useZone();
  return (
    <DataTable
      label="Satellites"
      rows={rows}
      keyOf={({ namespace, service }) => `${namespace}/${service}`}
      columns={[
        { name: 'Service', of: ({ namespace, service }) => `${namespace}/${service}` },
        { name: 'Who answers', of: satelliteWords },
        { name: 'Since', of: ({ since }) => (since === undefined ? null : <ZonedTime at={since} zone={zone} />) },
      ]}
    />
  );
}
