import { Alert, Button, Dialog, DialogActions, DialogContent, DialogTitle, Stack, Typography } from '@mui/material';
import { type ReactNode, useId } from 'react';
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
  return (
    <Dialog open={open} onClose={leave} aria-labelledby={id}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          act.run();
        }}
      >
        <DialogTitle id={id}>{title}</DialogTitle>
        <DialogContent>
          <Stack spacing={2}>
            <Stack spacing={1} data-testid="what-changes">
              {says.map((line) => (
                <Typography key={line}>{line}</Typography>
              ))}
            </Stack>
            {props.children}
            {act.error === null ? null : <Alert severity="error">{errorText(act.error)}</Alert>}
          </Stack>
        </DialogContent>
        <DialogActions sx={{ px: 3, pb: 2 }}>
          <Button onClick={leave} color="inherit">
            Cancel
          </Button>
          <Button type="submit" variant="contained" color={color} disabled={act.busy || disabled} loading={act.busy}>
            {confirm}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
