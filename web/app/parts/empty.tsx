import { Box, Typography } from '@mui/material';
import type { ReactNode } from 'react';

export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <Box sx={{ py: 4, px: 2, textAlign: 'center' }}>
      <Typography sx={{ fontWeight: 600 }}>{title}</Typography>
      {children === undefined ? null : (
        <Typography variant="body2" color="textSecondary" sx={{ mt: 0.5, mx: 'auto', maxWidth: 520 }}>
          {children}
        </Typography>
      )}
    </Box>
  );
}
