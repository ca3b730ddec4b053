import { Button, Stack } from '@mui/material';
import { type ReactNode, useState } from 'react';

interface Props {
  readonly picture: ReactNode;
  readonly table: ReactNode;
}

/** A picture, and the same figures as a table one click away. */
export function Picture({ picture, table }: Props) {
  const [asTable, setAsTable] = useState(false);
  return (
    <Stack spacing={1.5}>
      {asTable ? table : picture}
      <Button size="small" onClick={() => setAsTable(!asTable)} aria-pressed={asTable} sx={{ alignSelf: 'flex-start' }}>
        Show as {asTable ? 'a picture' : 'a table'}
      </Button>
    </Stack>
  );
}
