import { type SxProps, TextField, type Theme } from '@mui/material';

interface Props {
  readonly label: string;
  readonly value: string;
  readonly options: readonly string[] | readonly (readonly [value: string, text: string])[];
  readonly onChange: (value: string) => void;
  readonly sx?: SxProps<Theme>;
  /** The text of the choice that is none. */
  readonly any?: string;
}

/** The browser's own list: it fits phones and screen readers better than any that is drawn. */
export function NativeChoice({ label, value, options, onChange, sx, any = 'Any' }: Props) {
  const pairs = options.map((option) => (typeof option === 'string' ? ([option, option] as const) : option));
  return (
    <TextField
      select
      label={label}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      slotProps={{ select: { native: true }, inputLabel: { shrink: true } }}
      {...(sx === undefined ? {} : { sx })}
    >
      <option value="">{any}</option>
      {pairs.map(([option, text]) => (
        <option key={option} value={option}>
          {text}
        </option>
      ))}
    </TextField>
  );
}
