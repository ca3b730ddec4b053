import { TextField } from '@mui/material';
import { instantOf } from '../parts/time-text.ts';

/** Whether it is too early or too late is for the API to say: its clock is the one that counts. */
export function untilProblem(local: string, zone: string): string | undefined {
  return instantOf(local, zone) === undefined ? 'Give a date and a time.' : undefined;
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
