import { Alert, Button, Dialog, DialogActions, DialogContent, DialogTitle, Stack, Typography } from '@mui/material';
import { type ReactNode, useId } from 'react';
import { errorText } from './problem.tsx';

interface Props {
  readonly open: boolean;
  readonly title: string;
  /** What will change, said before anything does. */
  readonly says: readonly string[];
  readonly confirm: string;
  readonly color?: 'primary' | 'error' | 'warning';
  readonly busy: boolean;
  readonly error: Error | null;
  readonly disabled?: boolean;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
  readonly children?: ReactNode;
}

export function ConfirmDialog(props: Props) {
  const { open, title, says, confirm, color = 'primary', busy, error, disabled = false, onConfirm, onClose } = props;
  const id = useId();
  return (
    <Dialog open={open} onClose={busy ? undefined : onClose} aria-labelledby={id}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onConfirm();
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
            {error === null ? null : <Alert severity="error">{errorText(error)}</Alert>}
          </Stack>
        </DialogContent>
        <DialogActions sx={{ px: 3, pb: 2 }}>
          <Button onClick={onClose} disabled={busy} color="inherit">
            Cancel
          </Button>
          <Button type="submit" variant="contained" color={color} disabled={busy || disabled} loading={busy}>
            {confirm}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
