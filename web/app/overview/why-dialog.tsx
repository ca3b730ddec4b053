import { Button, Dialog, DialogActions, DialogContent, DialogTitle } from '@mui/material';
import { useId } from 'react';
import type { Status } from '../data/queries.ts';
import { Facts } from '../parts/facts.tsx';
import { ZonedTime } from '../parts/zoned-time.tsx';
import { whyLines } from './why.ts';

interface Props {
  readonly status: Status;
  readonly open: boolean;
  readonly onClose: () => void;
}

export function WhyDialog({ status, open, onClose }: Props) {
  const id = useId();
  const facts = whyLines(status).map(
    ({ name, text, at }) =>
      [name, at === undefined ? text : <ZonedTime key={name} at={at} zone={status.timezone} />] as const,
  );
  return (
    <Dialog open={open} onClose={onClose} aria-labelledby={id}>
      <DialogTitle id={id}>Why?</DialogTitle>
      <DialogContent>
        <Facts facts={facts} />
      </DialogContent>
      <DialogActions>
        <Button href="#/calendar" onClick={onClose}>
          Calendar
        </Button>
        <Button onClick={onClose}>Close</Button>
      </DialogActions>
    </Dialog>
  );
}
