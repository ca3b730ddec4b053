import { Box } from '@mui/material';
import { Fragment, type ReactNode } from 'react';

export type Fact = readonly [name: string, value: ReactNode];

/** Names and values side by side; one below the other on a phone. */
export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <Box
      component="dl"
      sx={{
        m: 0,
        display: 'grid',
        gridTemplateColumns: { xs: '1fr', sm: 'minmax(120px, max-content) 1fr' },
        columnGap: 3,
        rowGap: { xs: 0.25, sm: 1 },
        '& dt': { color: 'text.secondary', fontSize: '0.875rem', pt: { sm: '2px' } },
        '& dd': { m: 0, mb: { xs: 1, sm: 0 }, minWidth: 0 },
      }}
    >
      {facts.map(([name, value]) => (
        <Fragment key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </Fragment>
      ))}
    </Box>
  );
}
