import { Alert, Stack, Table, TableBody, TableCell, TableContainer, TableHead, TableRow } from '@mui/material';
import type { AnswerOf } from '../../../src/contract/contract.ts';
import { useDashboard, useSettings, useTransition } from '../data/queries.ts';
import { Answer } from '../parts/answer.tsx';
import { Empty } from '../parts/empty.tsx';
import { Page } from '../parts/page.tsx';
import { Section } from '../parts/section.tsx';
import { databasesOf, redirectionOf } from './configured.ts';

type Settings = AnswerOf<'settings'>['settings'];

/** Databases and satellites go down and up with the cluster like workloads do. */
export function DatabasesPage() {
  const settings = useSettings();
  return (
    <Page
      title="Databases and Satellites"
      lead="Cloud databases that are stopped and started with the schedule, and the pages that stand in for services meanwhile."
    >
      <Answer of={settings}>
        {(value) => (
          <Stack spacing={3}>
            <Databases settings={value.settings} />
            <Satellites settings={value.settings} />
          </Stack>
        )}
      </Answer>
    </Page>
  );
}

function Databases({ settings }: { settings: Settings }) {
  const statuses = useDatabaseStatuses(settings);
  const databases = databasesOf(settings);
  return (
    <Section title="Databases" flush>
      {databases.length === 0 ? (
        <Empty title="No databases are configured">
          <code>config.databases</code> names those that are stopped and started with the schedule.
        </Empty>
      ) : (
        <TableContainer tabIndex={0}>
          <Table size="small">
            <TableHead>
              <TableRow>
                <TableCell>Name</TableCell>
                <TableCell>Status</TableCell>
                <TableCell>Settings</TableCell>
              </TableRow>
            </TableHead>
            <TableBody>
              {databases.map(({ name, fields }) => (
                <TableRow key={name}>
                  <TableCell>{name}</TableCell>
                  <TableCell>{statuses[name] ?? 'not told'}</TableCell>
                  <TableCell>{fields.map(([key, value]) => `${key}: ${value}`).join(', ')}</TableCell>
                </TableRow>
              ))}
            </TableBody>
          </Table>
        </TableContainer>
      )}
    </Section>
  );
}

/** The dashboard tells them where it is on, a running wake tells its own. */
function useDatabaseStatuses(settings: Settings): Readonly<Record<string, string>> {
  const dashboardOn = settings.some(({ path, value }) => path === 'dashboardApi.enabled' && value === true);
  const dashboard = useDashboard(dashboardOn);
  const { data: frame } = useTransition();
  const running = frame?.progress.endedAt === undefined ? (frame?.progress.tiers ?? []) : [];
  const waking = running.flatMap(({ databases }) => databases.map(({ name, status }) => [name, status] as const));
  return { ...dashboard.data?.databases.statuses, ...Object.fromEntries(waking) };
}

function Satellites({ settings }: { settings: Settings }) {
  const { enabled, services } = redirectionOf(settings);
  return (
    <Section title="Satellites" flush>
      {enabled ? null : (
        <Alert severity="info" sx={{ m: 2 }}>
          Service redirection is off: <code>config.serviceRedirection.enabled</code> is <code>false</code>.
        </Alert>
      )}
      {services.length === 0 ? (
        <Empty title="No service is redirected">
          While it hibernates, a named service can show a page that says so and wakes it.
        </Empty>
      ) : (
        <TableContainer tabIndex={0}>
          <Table size="small">
            <TableHead>
              <TableRow>
                <TableCell>Service</TableCell>
                <TableCell>Namespace</TableCell>
              </TableRow>
            </TableHead>
            <TableBody>
              {services.map(({ namespace, name }) => (
                <TableRow key={`${namespace}/${name}`}>
                  <TableCell>{name}</TableCell>
                  <TableCell>{namespace}</TableCell>
                </TableRow>
              ))}
            </TableBody>
          </Table>
        </TableContainer>
      )}
    </Section>
  );
}
