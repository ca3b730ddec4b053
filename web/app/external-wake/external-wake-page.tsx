import { Alert, Stack } from '@mui/material';
import type { AnswerOf } from '../../../src/contract/contract.ts';
import { useNow } from '../data/now.ts';
import { useStatus, useWakeSessions } from '../data/queries.ts';
import { Answer } from '../parts/answer.tsx';
import { DataTable } from '../parts/data-table.tsx';
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
          <DataTable
            label="Sessions"
            rows={items}
            keyOf={({ id }) => id}
            columns={[
              { name: 'Cluster', of: ({ cluster }) => cluster },
              { name: 'Needs', of: needsOf },
              { name: 'Began', of: ({ startedAt }) => <ZonedTime at={startedAt} zone={zone} /> },
              { name: 'Expires', of: ({ expiresAt }) => <Expiry at={expiresAt} zone={zone} /> },
            ]}
          />
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

function needsOf({ resources }: Sessions['items'][number]): string {
  const needs = resources.map(({ namespace, type, name }) => [namespace, type, name].filter(Boolean).join('/'));
  return needs.length === 0 ? 'the whole cluster' : needs.join(', ');
}

function Expiry({ at, zone }: { at: string; zone: string }) {
  const now = useNow();
  return (
    <>
      <ZonedTime at={at} zone={zone} />, in {spanText(Date.parse(at) - now)}
    </>
  );
}
