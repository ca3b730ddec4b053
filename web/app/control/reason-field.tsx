import { TextField } from '@mui/material';
import { checkReason, longestReason } from '../../../src/domain/stops/reason.ts';

export function reasonProblem(reason: string): string | undefined {
  const checked = checkReason(reason);
  return checked.ok ? undefined : checked.message;
}

interface Props {
  readonly value: string;
  readonly problem: string | undefined;
  readonly onChange: (value: string) => void;
}

/** Checked by the same code as the API's, while it is typed. */
export function ReasonField({ value, problem, onChange }: Props) {
  return (
    <TextField
      label="Reason (optional)"
      value={value}
      onChange={(event) => onChange(event.target.value)}
      error={problem !== undefined}
      helperText={problem ?? `${[...value.trim()].length} of ${longestReason} characters; no URL`}
      fullWidth
    />
  );
}
