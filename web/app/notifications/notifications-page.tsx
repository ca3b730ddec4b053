import { Alert, Button, Chip, Stack } from '@mui/material';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { AnswerOf } from '../../../src/contract/contract.ts';
import { useDeliveries, useStatus } from '../data/queries.ts';
import { Answer } from '../parts/answer.tsx';
import { DataTable } from '../parts/data-table.tsx';
import { Empty } from '../parts/empty.tsx';
import { Page } from '../parts/page.tsx';
import { errorText } from '../parts/problem.tsx';
import { Section } from '../parts/section.tsx';
import { ZonedTime } from '../parts/zoned-time.tsx';
import { useClient } from '../session/session-context.tsx';

type Deliveries = AnswerOf<'notificationDeliveries'>;

export function NotificationsPage() {
  const deliveries = useDeliveries();
  const zone = useStatus().data?.timezone ?? 'UTC';
  return (
    <Page title="Notifications" lead="What was sent, where to, and whether it arrived.">
      <Answer of={deliveries}>{(value) => <Notifications deliveries={value} zone={zone} />}</Answer>
    </Page>
  );
}

function Notifications({ deliveries, zone }: { deliveries: Deliveries; zone: string }) {
  return (
    <Stack spacing={3}>
      {deliveries.enabled ? (
        <Section title="Send a test message" note="It goes to every destination of the channel.">
          <Stack direction="row" sx={{ gap: 1.5, flexWrap: 'wrap' }}>
            <TestButton channel="email" label="Test e-mail" />
            <TestButton channel="teams" label="Test chat" />
          </Stack>
        </Section>
      ) : (
        <Alert severity="info">
          Notifications are off: <code>config.notifications.enabled</code> is <code>false</code>.
        </Alert>
      )}
      <Section title="Deliveries" flush>
        {deliveries.items.length === 0 ? (
          <Empty title="Nothing has been sent yet" />
        ) : (
          <DataTable
            label="Deliveries"
            rows={deliveries.items}
            keyOf={({ id }) => id}
            columns={[
              { name: 'At', of: ({ at }) => <ZonedTime at={at} zone={zone} /> },
              { name: 'Message', of: ({ title }) => title },
              { name: 'To', of: ({ channel, destination }) => `${channel}: ${destination}` },
              { name: 'Outcome', of: (item) => <Outcome item={item} /> },
            ]}
          />
        )}
      </Section>
    </Stack>
  );
}

const colors = { delivered: 'success', failed: 'error', suppressed: 'default', waiting: 'warning' } as const;

function Outcome({ item }: { item: Deliveries['items'][number] }) {
  const tries = item.attempts > 1 ? `, ${item.attempts} attempts` : '';
  return (
    <>
      <Chip size="small" variant="outlined" color={colors[item.outcome]} label={`${item.outcome}${tries}`} />
      {item.error === undefined ? null : ` ${item.error}`}
    </>
  );
}

function TestButton({ channel, label }: { channel: 'email' | 'teams'; label: string }) {
  const client = useClient();
  const cache = useQueryClient();
  const test = useMutation({
    mutationFn: () => client.testNotification({ body: { channel } }),
    onSettled: () => void cache.invalidateQueries({ queryKey: ['deliveries'] }),
  });
  return (
    <Stack spacing={1} sx={{ alignItems: 'flex-start' }}>
      <Button variant="outlined" onClick={() => test.mutate()} loading={test.isPending}>
        {label}
      </Button>
      {test.data === undefined ? null : (
        <Alert severity={test.data.sent ? 'success' : 'error'}>{test.data.message}</Alert>
      )}
      {test.error === null ? null : <Alert severity="error">{errorText(test.error)}</Alert>}
    </Stack>
  );
}
