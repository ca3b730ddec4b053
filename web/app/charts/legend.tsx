import { Box, Stack, Typography } from '@mui/material';
import { paint, type Series } from './series.ts';

export function Legend({ series }: { series: readonly Series[] }) {
  return (
    <Stack
      component="ul"
      direction="row"
      aria-label="Legend"
      sx={{ m: 0, p: 0, listStyle: 'none', columnGap: 2, rowGap: 0.5, flexWrap: 'wrap' }}
    >
      {series.map((one) => (
        <Stack component="li" key={one.name} direction="row" spacing={1} sx={{ alignItems: 'center' }}>
          <Box aria-hidden sx={{ ...paint(one), width: 16, height: 12, borderRadius: '3px', flexShrink: 0 }} />
          <Typography variant="body2">{one.name}</Typography>
        </Stack>
      ))}
    </Stack>
  );
}
