import { Box, Button, Typography } from '@mui/material';
import { useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useWorkload, type WorkloadAnswer } from '../data/queries.ts';
import { useAct } from '../data/use-act.ts';
import { RefreshIcon } from '../icons.tsx';
import { ConfirmDialog } from '../parts/confirm-dialog.tsx';
import { errorText } from '../parts/problem.tsx';
import { useClient } from '../session/session-context.tsx';
import { useToast } from '../shell/toast.tsx';
import type { WorkloadName } from './workload-name.ts';

/** A wake of this workload alone; a button that cannot be pressed says why beside it. */
export function RetryWorkload({ workload }: { workload: WorkloadAnswer }) {
  const [open, setOpen] = useState(false);
  const why = useId();
  const { possible, text } = workload.retry;
  return (
    <Box sx={{ maxWidth: 360 }}>
      <Button
        variant="contained"
        startIcon={<RefreshIcon />}
        disabled={!possible}
        aria-describedby={possible ? undefined : why}
        onClick={() => setOpen(true)}
      >
        Try again
      </Button>
      {possible ? null : (
        <Typography id={why} variant="body2" color="textSecondary" sx={{ mt: 0.5 }}>
          {text}
        </Typography>
      )}
      {open ? <RetryDialog workload={workload} onClose={() => setOpen(false)} /> : null}
    </Box>
  );
}

/** The same beside a line about a workload, of which nothing more is known until somebody asks. */
export function RetryInPlace({ workload }: { workload: WorkloadName }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button
        size="small"
        color="inherit"
        startIcon={<RefreshIcon />}
        aria-label={`Try again: ${workload.kind} ${workload.namespace}/${workload.name}`}
        onClick={() => setOpen(true)}
      >
        Try again
      </Button>
      {open ? <AskedDialog workload={workload} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

function AskedDialog({ workload, onClose }: { workload: WorkloadName; onClose: () => void }) {
  const { data, error } = useWorkload(workload);
  // Until it is known what it would do, the API decides whether it may be done.
  const retry = error === null ? { possible: true, text: '' } : { possible: false, text: errorText(error) };
  return <RetryDialog workload={data ?? { ...workload, retry }} onClose={onClose} />;
}

/** What the dialog says, and whether it may be confirmed. */
export function offerOf({ possible, text }: WorkloadAnswer['retry']) {
  if (!possible) return { says: [text], disabled: true };
  return {
    says: [
      `A wake of this workload alone begins. ${text}`.trim(),
      'Nothing else is touched, and the audit log says who asked.',
    ],
    disabled: false,
  };
}

type Retried = WorkloadName & Pick<WorkloadAnswer, 'retry'>;

function RetryDialog({ workload, onClose }: { workload: Retried; onClose: () => void }) {
  const { kind, namespace, name, retry } = workload;
  const client = useClient();
  const cache = useQueryClient();
  const toast = useToast();
  const act = useAct({
    close: onClose,
    send: (signal) => client.retryWorkload({ params: { kind, namespace, name }, signal }),
    done: () => {
      toast(`${kind} ${namespace}/${name} is woken again.`);
      for (const key of ['status', 'audit', 'resources', 'workload', 'transition'])
        void cache.invalidateQueries({ queryKey: [key] });
    },
  });
  return (
    <ConfirmDialog
      open
      title={`Try ${kind} ${namespace}/${name} again?`}
      confirm="Try again"
      {...offerOf(retry)}
      act={act}
      onClose={onClose}
    />
  );
}
