import { Button, Stack, TextField } from '@mui/material';
import { useEffect, useRef, useState } from 'react';
import { NativeChoice } from '../parts/native-choice.tsx';
import { type Filters, readFilters, states } from './filters.ts';

interface Props {
  readonly filters: Filters;
  readonly namespaces: readonly string[];
  readonly kinds: readonly string[];
  readonly onChange: (filters: Filters) => void;
}

export function FilterBar({ filters, namespaces, kinds, onChange }: Props) {
  const narrow = { minWidth: { xs: '100%', sm: 150 } };
  return (
    <Stack direction="row" sx={{ gap: 1.5, flexWrap: 'wrap', alignItems: 'center' }} role="search" aria-label="Filters">
      <SearchField value={filters.q} onChange={(q) => onChange({ ...filters, q })} />
      <NativeChoice
        label="Namespace"
        value={filters.namespace}
        options={namespaces}
        onChange={(namespace) => onChange({ ...filters, namespace })}
        sx={narrow}
      />
      <NativeChoice
        label="Kind"
        value={filters.kind}
        options={kinds}
        onChange={(kind) => onChange({ ...filters, kind })}
        sx={narrow}
      />
      <NativeChoice
        label="State"
        value={filters.state}
        options={states.map((state) => [state, state.replace('-', ' ')] as const)}
        onChange={(state) => onChange({ ...filters, state })}
        sx={narrow}
      />
      <Button variant="outlined" onClick={() => onChange(readFilters(''))}>
        Clear
      </Button>
    </Stack>
  );
}

const pauseMs = 120;

/** Keeps what is typed to itself for a moment, so that the address changes once a word and not once a letter. */
function SearchField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const [text, setText] = useState(value);
  const latest = useRef(onChange);
  latest.current = onChange;
  useEffect(() => setText(value), [value]);
  useEffect(() => {
    if (text === value) return undefined;
    const timer = setTimeout(() => latest.current(text), pauseMs);
    return () => clearTimeout(timer);
  }, [text, value]);
  return (
    <TextField
      label="Name or namespace"
      type="search"
      value={text}
      onChange={(event) => setText(event.target.value)}
      sx={{ flex: 1, minWidth: { xs: '100%', sm: 220 } }}
    />
  );
}
