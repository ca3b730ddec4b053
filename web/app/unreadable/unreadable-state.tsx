import { Alert, AlertTitle, Stack, Typography } from '@mui/material';
import type { ApiError } from '../../../src/contract/contract.ts';
import { pollMs } from '../data/polling.ts';
import { Command } from '../parts/command.tsx';
import { namedKey, namedNamespace, type Repair, repairOf } from './clearing-a-key.ts';

/** The managed state says nothing certain, so this says nothing about the cluster: the key, the repair, the poll. */
export function UnreadableState({ error }: { error: ApiError }) {
  const key = namedKey(error.details, error.message);
  return (
    <Alert severity="error" data-testid="unreadable-state" sx={{ '& .MuiAlert-message': { minWidth: 0, flex: 1 } }}>
      <AlertTitle>The state of the cluster cannot be read</AlertTitle>
      <Stack spacing={1.5}>
        <Typography>{error.message}</Typography>
        <Typography>
          Whether the cluster is up or down is not known, so nothing is shown in place of it, and nothing can be changed
          from here.
        </Typography>
        {key === undefined ? <NothingRead /> : <SpoiltValue repair={repairOf(key, namedNamespace(error.details))} />}
        <Typography variant="body2">
          This page asks again every {pollMs / 1000} seconds and clears itself on the first good answer.
        </Typography>
      </Stack>
    </Alert>
  );
}

function NothingRead() {
  return (
    <Typography>
      Check that the API server of the cluster answers, and that the service account of the API may read ConfigMaps in
      the release namespace. It clears itself once they do.
    </Typography>
  );
}

function SpoiltValue({ repair }: { repair: Repair }) {
  return (
    <>
      <Typography>
        The key to repair is <code>{repair.key}</code>. Edit it:
      </Typography>
      <Command text={repair.edit} />
      <Typography>Or clear it; then {repair.costs}:</Typography>
      <Command text={repair.clear} />
    </>
  );
}
