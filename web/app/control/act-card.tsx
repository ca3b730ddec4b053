import { Button, Paper, Stack, Typography } from '@mui/material';
import { useId } from 'react';
import type { Availability } from './acts.ts';

interface Props {
  readonly title: string;
  readonly text: string;
  readonly button: string;
  readonly availability: Availability;
  readonly onAsk: () => void;
}

export function ActCard({ title, text, button, availability, onAsk }: Props) {
  const id = useId();
  return (
    <Paper sx={{ p: 2.5 }}>
      <Stack spacing={1.5} sx={{ alignItems: 'flex-start' }}>
        <Typography variant="h2">{title}</Typography>
        <Typography color="textSecondary">{text}</Typography>
        <Button
          variant="outlined"
          disabled={!availability.enabled}
          onClick={onAsk}
          aria-describedby={availability.enabled ? undefined : id}
        >
          {button}
        </Button>
        {availability.enabled ? null : (
          <Typography variant="body2" color="textSecondary" id={id}>
            {availability.why}
          </Typography>
        )}
      </Stack>
    </Paper>
  );
}
