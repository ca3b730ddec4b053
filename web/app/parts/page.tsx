import { Box, Stack, Typography } from '@mui/material';
import type { ReactNode } from 'react';
import { HelpLink } from './help-link.tsx';

interface Props {
  readonly title: string;
  /** One line that says what the page answers. */
  readonly lead?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

export function Page({ title, lead, actions, children }: Props) {
  return (
    <Stack spacing={3} sx={{ width: '100%', maxWidth: 1180, mx: 'auto' }}>
      <Stack
        direction="row"
        // Gaps and not `spacing`: its margin would indent what a narrow screen wraps.
        sx={{ alignItems: 'flex-start', justifyContent: 'space-between', flexWrap: 'wrap', columnGap: 2, rowGap: 1 }}
      >
        <Box sx={{ minWidth: 0 }}>
          <Stack direction="row" sx={{ alignItems: 'baseline', flexWrap: 'wrap', columnGap: 2 }}>
            <Typography variant="h1">{title}</Typography>
            <HelpLink />
          </Stack>
          {lead === undefined ? null : (
            <Typography color="textSecondary" sx={{ mt: 0.5, maxWidth: 720 }}>
              {lead}
            </Typography>
          )}
        </Box>
        {actions}
      </Stack>
      {children}
    </Stack>
  );
}
