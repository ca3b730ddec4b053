import { Button, Stack, Typography } from '@mui/material';
import { useState } from 'react';
import { ActDialog } from '../control/act-dialog.tsx';
import { availability } from '../control/acts.ts';
import { useStatus } from '../data/queries.ts';
import { useUser } from '../session/session-context.tsx';

/** Wakes the cluster, for visitors who are signed in as an admin. */
export function VisitorWake() {
  const status = useStatus();
  const user = useUser();
  const [asked, setAsked] = useState(false);
  const known = status.error === null ? status.data : undefined;
  if (known === undefined || !(known.state === 'hibernated' || known.state === 'hibernating')) return null;
  const can = availability('wake', { status: known, admin: user?.admin === true });
  return (
    <Stack spacing={1} sx={{ alignItems: 'flex-start' }}>
      <Button variant="contained" disabled={!can.enabled} onClick={() => setAsked(true)}>
        Wake Up Resources
      </Button>
      {can.enabled ? null : (
        <Typography variant="body2" color="textSecondary">
          {can.why}
        </Typography>
      )}
      {asked ? <ActDialog act="wake" status={known} availability={can} onClose={() => setAsked(false)} /> : null}
    </Stack>
  );
}
