import { TextField } from '@mui/material';
import { instantOf } from '../parts/time-text.ts';

const longestMs = 7 * 24 * 3_600_000;

export function untilProblem(local: string, zone: string, now: number): string | undefined {
  const at = instantOf(local, zone);
  if (at === undefined) return 'Give a date and a time.';
  if (at <= now) return 'This time has passed.';
  return at - now > longestMs ? 'This is more than seven days away; change the schedule instead.' : undefined;
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
