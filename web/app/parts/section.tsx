import { Box, Paper, Stack, Typography } from '@mui/material';
import { type ReactNode, useId } from 'react';

interface Props {
  readonly title?: ReactNode;
  readonly note?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
  /** No inner space: for tables that reach the edge. */
  readonly flush?: boolean;
}

export function Section({ title, note, actions, children, flush = false }: Props) {
  const id = useId();
  const labelled = title === undefined ? {} : { 'aria-labelledby': id };
  return (
    <Paper component="section" {...labelled} sx={{ overflow: 'hidden' }}>
      {title === undefined ? null : (
        <Stack
          direction="row"
          spacing={2}
          sx={{
            px: { xs: 2, sm: 2.5 },
            pt: 2,
            justifyContent: 'space-between',
            alignItems: 'center',
            flexWrap: 'wrap',
          }}
        >
          <Typography variant="h2" id={id}>
            {title}
          </Typography>
          {actions}
        </Stack>
      )}
      {note === undefined ? null : (
        <Typography variant="body2" color="textSecondary" sx={{ px: { xs: 2, sm: 2.5 }, pt: 0.5 }}>
          {note}
        </Typography>
      )}
      <Box sx={flush ? { pt: title === undefined ? 0 : 1.5 } : { p: { xs: 2, sm: 2.5 } }}>{children}</Box>
    </Paper>
  );
}
