import { Alert, Button, List, ListItem, ListItemText, Stack, TextField } from '@mui/material';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { AnswerOf } from '../../../src/contract/contract.ts';
import { usePasskeys, useStatus } from '../data/queries.ts';
import { useAct } from '../data/use-act.ts';
import { KeyIcon } from '../icons.tsx';
import { Answer } from '../parts/answer.tsx';
import { ConfirmDialog } from '../parts/confirm-dialog.tsx';
import { Empty } from '../parts/empty.tsx';
import { Facts } from '../parts/facts.tsx';
import { Page } from '../parts/page.tsx';
import { actErrorText } from '../parts/problem.tsx';
import { Section } from '../parts/section.tsx';
import { ZonedTime } from '../parts/zoned-time.tsx';
import { makePasskey } from '../session/passkey.ts';
import { useClient, useUser } from '../session/session-context.tsx';
import { useToast } from '../shell/toast.tsx';

type Passkeys = AnswerOf<'passkeys'>;
type Passkey = Passkeys['items'][number];

export function AccountPage() {
  const user = useUser();
  const passkeys = usePasskeys();
  const zone = useStatus().data?.timezone ?? 'UTC';
  return (
    <Page title="Account and Passkeys" lead="The mailed code always works, with or without a passkey.">
      <Section title="Account">
        <Facts
          facts={[
            ['Address', user?.email ?? ''],
            ['Shown to others as', user?.shownAs ?? ''],
            ['Role', user?.admin ? 'Admin' : 'Signed in, not an admin'],
          ]}
        />
      </Section>
      <Section title="Passkeys">
        <Answer of={passkeys}>{(value) => <PasskeyList passkeys={value} zone={zone} />}</Answer>
      </Section>
    </Page>
  );
}

function PasskeyList({ passkeys, zone }: { passkeys: Passkeys; zone: string }) {
  if (!passkeys.enabled) {
    return (
      <Alert severity="info">
        Passkeys are off: <code>config.auth.webauthn.enabled</code> is <code>false</code>.
      </Alert>
    );
  }
  return (
    <Stack spacing={2}>
      {passkeys.items.length === 0 ? (
        <Empty title="You have no passkey">Add one to sign in with your device instead of a mailed code.</Empty>
      ) : (
        <List disablePadding>
          {passkeys.items.map((passkey, index) => (
            <ListItem
              key={passkey.id}
              divider
              disableGutters
              secondaryAction={<RemovePasskey passkey={passkey} place={`${index + 1} of ${passkeys.items.length}`} />}
            >
              <ListItemText
                primary={passkey.name}
                secondary={
                  <>
                    Added <ZonedTime at={passkey.createdAt} zone={zone} />
                    {passkey.lastUsedAt === undefined ? null : (
                      <>
                        , last used <ZonedTime at={passkey.lastUsedAt} zone={zone} />
                      </>
                    )}
                  </>
                }
              />
            </ListItem>
          ))}
        </List>
      )}
      <AddPasskey />
    </Stack>
  );
}

function AddPasskey() {
  const client = useClient();
  const cache = useQueryClient();
  const toast = useToast();
  const [name, setName] = useState('');
  const button = useRef<HTMLButtonElement>(null);
  const add = useMutation({
    mutationFn: async () => {
      const { challengeId, options } = await client.passkeyRegistrationOptions();
      const response = await makePasskey(options);
      return client.registerPasskey({
        body: { challengeId, response, ...(name.trim() === '' ? {} : { name: name.trim() }) },
      });
    },
    onSuccess: ({ passkey }) => {
      setName('');
      void cache.invalidateQueries({ queryKey: ['passkeys'] });
      toast(`The passkey ${passkey.name} can sign you in from now on.`);
    },
    // The button that was pressed was disabled meanwhile, and lost the focus.
    onSettled: () => setTimeout(() => button.current?.focus()),
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        add.mutate();
      }}
    >
      <Stack spacing={1.5} sx={{ alignItems: 'flex-start' }}>
        <TextField
          label="Name of the device (optional)"
          value={name}
          onChange={(event) => setName(event.target.value)}
          slotProps={{ htmlInput: { maxLength: 64 } }}
          sx={{ width: '100%', maxWidth: 340 }}
        />
        <Button ref={button} type="submit" variant="contained" startIcon={<KeyIcon />} loading={add.isPending}>
          Add a passkey
        </Button>
        {add.error === null ? null : <Alert severity="error">{actErrorText(add.error)}</Alert>}
      </Stack>
    </form>
  );
}

function RemovePasskey({ passkey: { id, name }, place }: { passkey: Passkey; place: string }) {
  const client = useClient();
  const cache = useQueryClient();
  const toast = useToast();
  const [open, setOpen] = useState(false);
  const remove = useAct({
    send: (signal) => client.deletePasskey({ params: { id }, signal }),
    close: () => setOpen(false),
    done: () => {
      void cache.invalidateQueries({ queryKey: ['passkeys'] });
      toast(`The passkey ${name} is removed.`);
    },
  });
  return (
    <>
      <Button
        color="error"
        size="small"
        // Two devices may have one name.
        aria-label={`Remove ${name}, ${place}`}
        onClick={() => setOpen(true)}
      >
        Remove
      </Button>
      <ConfirmDialog
        open={open}
        title={`Remove the passkey ${name}?`}
        says={['It signs nobody in any more. The mailed code works as before.']}
        confirm="Remove"
        color="error"
        act={remove}
        onClose={() => setOpen(false)}
      />
    </>
  );
}
