import { Alert, Button, Dialog, DialogActions, DialogContent, DialogTitle, Stack, Typography } from '@mui/material';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { useStatus } from '../data/queries.ts';
import type { Act } from '../data/use-act.ts';
import { errorText } from './problem.tsx';

interface Props {
  readonly open: boolean;
  readonly title: string;
  /** What will change, said before anything does. */
  readonly says: readonly string[];
  readonly confirm: string;
  readonly color?: 'primary' | 'error' | 'warning';
  readonly act: Act;
  readonly disabled?: boolean;
  readonly onClose: () => void;
  readonly children?: ReactNode;
}

export function ConfirmDialog(props: Props) {
  const { open, title, says, confirm, color = 'primary', act, disabled = false, onClose } = props;
  const leave = () => {
    act.leave();
    onClose();
  };
  const id = useId();
  const cluster = useStatus().data?.clusterName;
  const paper = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const { busy, error } = act;
  // A button that is pressed and then disabled takes the focus away with it, and Escape would reach nobody.
  useEffect(() => {
    if (busy) paper.current?.focus();
    else if (error !== null) button.current?.focus();
  }, [busy, error]);
  return (
    <Dialog open={open} onClose={leave} aria-labelledby={id} slotProps={{ paper: { ref: paper } }}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          act.run();
        }}
      >
        <DialogTitle id={id}>
          {title}
          {cluster === undefined ? null : (
            <Typography component="span" sx={{ display: 'block', fontWeight: 650, overflowWrap: 'anywhere' }}>
              Cluster {cluster}
            </Typography>
          )}
        </DialogTitle>
        <DialogContent>
          <Stack spacing={2}>
            <Stack spacing={1} data-testid="what-changes">
              {says.map((line) => (
                <Typography key={line}>{line}</Typography>
              ))}
            </Stack>
            {props.children}
            {error === null ? null : <Alert severity="error">{errorText(error)}</Alert>}
          </Stack>
        </DialogContent>
        <DialogActions sx={{ px: 3, pb: 2 }}>
          <Button onClick={leave} color="inherit">
            Cancel
          </Button>
          <Button
            ref={button}
            type="submit"
            variant="contained"
            color={color}
            disabled={busy || disabled}
            loading={busy}
          >
            {confirm}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
