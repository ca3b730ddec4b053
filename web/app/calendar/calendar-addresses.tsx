import { Alert, Box, Button, Stack, TextField, Typography } from '@mui/material';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { AnswerOf } from '../../../src/contract/contract.ts';
import { keys } from '../data/keys.ts';
import { useCalendarFeeds, useZone } from '../data/queries.ts';
import { useAct } from '../data/use-act.ts';
import { Answer } from '../parts/answer.tsx';
import { ConfirmDialog } from '../parts/confirm-dialog.tsx';
import { DataTable } from '../parts/data-table.tsx';
import { Section } from '../parts/section.tsx';
import { ZonedTime } from '../parts/zoned-time.tsx';
import { useClient } from '../session/session-context.tsx';
import { useToast } from '../shell/toast.tsx';

type Feed = AnswerOf<'calendarFeeds'>['items'][number];

/** The address that was just made, which nothing tells again. */
interface Made {
  readonly id: string;
  readonly address: string;
}

/** The schedule in one's own calendar program, which cannot sign in: the address is the key. */
export function CalendarAddresses() {
  const feeds = useCalendarFeeds();
  const [made, setMade] = useState<Made>();
  return (
    <Section
      title="In your own calendar"
      note="A calendar program can subscribe to this schedule. It cannot sign in, so whoever has the address sees what you see here; revoke one that got about."
      actions={<MakeAddress onMade={setMade} />}
    >
      <Stack spacing={2}>
        {made === undefined ? null : <NewAddress address={made.address} />}
        <Answer of={feeds}>
          {({ items }) => (
            <Addresses feeds={items} onRevoked={(id) => setMade((one) => (one?.id === id ? undefined : one))} />
          )}
        </Answer>
      </Stack>
    </Section>
  );
}

function NewAddress({ address }: { address: string }) {
  const toast = useToast();
  const copy = async () => {
    await navigator.clipboard.writeText(address);
    toast('The address is copied.');
  };
  return (
    <Alert severity="success" sx={{ '& .MuiAlert-message': { minWidth: 0, flex: 1 } }}>
      <Stack spacing={1} sx={{ alignItems: 'flex-start' }}>
        <Typography>Subscribe to this address. It is shown this once.</Typography>
        <Box component="code" data-testid="calendar-address" sx={{ overflowWrap: 'anywhere', fontSize: 13 }}>
          {address}
        </Box>
        <Button size="small" color="inherit" variant="outlined" onClick={() => void copy()}>
          Copy the address
        </Button>
      </Stack>
    </Alert>
  );
}

type OnRevoked = (id: string) => void;

function Addresses({ feeds, onRevoked }: { feeds: readonly Feed[]; onRevoked: OnRevoked }) {
  const zone = useZone();
  if (feeds.length === 0) return <Typography color="textSecondary">You have made no address yet.</Typography>;
  const others = feeds.some(({ own }) => !own);
  return (
    <DataTable
      label="Calendar addresses"
      rows={feeds}
      keyOf={({ id }) => id}
      columns={[
        { name: 'Name', of: ({ name }) => <Box sx={{ overflowWrap: 'anywhere' }}>{name}</Box> },
        ...(others ? [{ name: 'Of', of: ({ owner }: Feed) => owner }] : []),
        { name: 'Made', of: ({ createdAt }) => <ZonedTime at={createdAt} zone={zone} /> },
        { name: 'Change', align: 'right', of: (feed) => <Revoke feed={feed} onRevoked={onRevoked} /> },
      ]}
    />
  );
}

function MakeAddress({ onMade }: { onMade: (made: Made) => void }) {
  const client = useClient();
  const cache = useQueryClient();
  const [open, setOpen] = useState(false);
  const [name, setName] = useState('');
  const make = useAct({
    close: () => setOpen(false),
    send: (signal) => client.makeCalendarFeed({ body: name.trim() === '' ? {} : { name: name.trim() }, signal }),
    done: ({ feed, token }) => {
      setName('');
      onMade({ id: feed.id, address: new URL(client.url('calendar', { params: { token } }), location.href).href });
      void cache.invalidateQueries({ queryKey: keys.calendarFeeds });
    },
  });
  return (
    <>
      <Button variant="outlined" onClick={() => setOpen(true)}>
        Make an address
      </Button>
      <ConfirmDialog
        open={open}
        title="Make an address for a calendar program?"
        says={['Whoever has the address sees the schedule without a sign-in, as long as you may see it.']}
        confirm="Make the address"
        act={make}
        onClose={() => setOpen(false)}
      >
        <TextField
          label="Name of the program or device (optional)"
          value={name}
          onChange={(event) => setName(event.target.value)}
          slotProps={{ htmlInput: { maxLength: 64 } }}
        />
      </ConfirmDialog>
    </>
  );
}

function Revoke({ feed: { id, name }, onRevoked }: { feed: Feed; onRevoked: OnRevoked }) {
  const client = useClient();
  const cache = useQueryClient();
  const toast = useToast();
  const [open, setOpen] = useState(false);
  const revoke = useAct({
    close: () => setOpen(false),
    send: (signal) => client.revokeCalendarFeed({ params: { id }, signal }),
    done: ({ message }) => {
      onRevoked(id);
      void cache.invalidateQueries({ queryKey: keys.calendarFeeds });
      toast(message);
    },
  });
  return (
    <>
      <Button size="small" color="error" onClick={() => setOpen(true)}>
        Revoke
      </Button>
      <ConfirmDialog
        open={open}
        title={`Revoke the address ${name}?`}
        says={['Programs that use it get nothing any more. It cannot be undone; another address can be made.']}
        confirm="Revoke"
        color="error"
        act={revoke}
        onClose={() => setOpen(false)}
      />
    </>
  );
}
