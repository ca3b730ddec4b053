import { Typography } from '@mui/material';
import { serverClock, useNow } from '../data/now.ts';
import type { Polled } from '../data/queries.ts';
import { clockSeconds, spanText } from '../parts/time-text.ts';

type Heard = Pick<Polled<unknown>, 'dataUpdatedAt' | 'freshness'>;

/** When this was last heard. Older than the poll, it says so in words and color. */
export function AsOf({ read, zone }: { read: Heard; zone: string }) {
  useNow();
  const at = clockSeconds(serverClock.at(read.dataUpdatedAt), zone);
  const ago = spanText(Date.now() - read.dataUpdatedAt);
  const late = read.freshness !== 'fresh';
  return (
    <Typography
      variant="body2"
      sx={{ mt: 0.5, color: late ? 'warning.main' : 'text.secondary', fontWeight: late ? 650 : 400 }}
      data-testid="as-of"
    >
      {late ? `Not current: no answer for ${ago}. ` : ''}As of {at} ({zone})
    </Typography>
  );
}
