import { Alert, Stack, Table, TableBody, TableCell, TableContainer, TableHead, TableRow } from '@mui/material';
import type { AnswerOf } from '../../../src/contract/contract.ts';
import { useNow } from '../data/now.ts';
import { useStatus, useWakeSessions } from '../data/queries.ts';
import { Answer } from '../parts/answer.tsx';
import { Empty } from '../parts/empty.tsx';
import { Facts } from '../parts/facts.tsx';
import { Page } from '../parts/page.tsx';
import { Section } from '../parts/section.tsx';
import { spanText } from '../parts/time-text.ts';
import { ZonedTime } from '../parts/zoned-time.tsx';

type Sessions = AnswerOf<'externalWakeSessions'>;

export function ExternalWakePage() {
  const sessions = useWakeSessions();
  const zone = useStatus().data?.timezone ?? 'UTC';
  return (
    <Page title="External Wake" lead="Clusters that depend on this one and keep it awake.">
      <Answer of={sessions}>{(value) => <ExternalWake sessions={value} zone={zone} />}</Answer>
    </Page>
  );
}

function ExternalWake({ sessions, zone }: { sessions: Sessions; zone: string }) {
  const { enabled, items, quotas } = sessions;
  return (
    <Stack spacing={3}>
      {enabled ? null : (
        <Alert severity="info">
          External wake is off: <code>config.externalWake.enabled</code> is <code>false</code>. No other cluster can
          wake this one.
        </Alert>
      )}
      <Section title="Sessions" flush>
        {items.length === 0 ? (
          <Empty title="No cluster keeps this one awake" />
        ) : (
          <TableContainer tabIndex={0}>
            <Table size="small">
              <TableHead>
                <TableRow>
                  <TableCell>Cluster</TableCell>
                  <TableCell>Needs</TableCell>
                  <TableCell>Began</TableCell>
                  <TableCell>Expires</TableCell>
                </TableRow>
              </TableHead>
              <TableBody>
                {items.map((session) => (
                  <SessionRow key={session.id} session={session} zone={zone} />
                ))}
              </TableBody>
            </Table>
          </TableContainer>
        )}
      </Section>
      <Section title="Quotas">
        <Facts
          facts={[
            ['At the same time', String(quotas.maxConcurrentWakes)],
            ['Longest', quotas.maxWakeDuration],
            ['In an hour', String(quotas.maxWakesPerHour)],
          ]}
        />
      </Section>
    </Stack>
  );
}

function SessionRow({ session, zone }: { session: Sessions['items'][number]; zone: string }) {
  const now = useNow();
  const needs = session.resources.map(({ namespace, type, name }) => [namespace, type, name].filter(Boolean).join('/'));
  return (
    <TableRow>
      <TableCell>{session.cluster}</TableCell>
      <TableCell>{needs.length === 0 ? 'the whole cluster' : needs.join(', ')}</TableCell>
      <TableCell>
        <ZonedTime at={session.startedAt} zone={zone} />
      </TableCell>
      <TableCell>
        <ZonedTime at={session.expiresAt} zone={zone} />, in {spanText(Date.parse(session.expiresAt) - now)}
      </TableCell>
    </TableRow>
  );
}
