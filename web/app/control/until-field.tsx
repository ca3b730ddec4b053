import { TextField } from '@mui/material';
import { instantOf, localField } from '../parts/time-text.ts';

/** By the server's time, as far as its answers have told it; the API has the last word. */
export function untilProblem(local: string, zone: string, now: number): string | undefined {
  const until = instantOf(local, zone);
  if (until === undefined) return 'Give a date and a time.';
  return until <= now
    ? `Give a time that is still to come: it is ${localField(now, zone).replace('T', ' ')} now.`
    : undefined;
}

interface Props {
  readonly value: string;
  readonly zone: string;
  readonly problem: string | undefined;
  readonly onChange: (value: string) => void;
}

export function UntilField({ value, zone, problem, onChange }: Props) {
  return (
    <TextField
      label={`Awake until (${zone})`}
      type="datetime-local"
      value={value}
      onChange={(event) => onChange(event.target.value)}
      error={problem !== undefined}
      helperText={problem ?? `By the clock of ${zone}`}
      slotProps={{ inputLabel: { shrink: true } }}
      fullWidth
    />
  );
}
