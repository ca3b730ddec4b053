import { Typography } from '@mui/material';
import { serverClock, useNow } from '../data/now.ts';
import { oldestLate } from '../data/polling.ts';
import { type Polled, useZone } from '../data/queries.ts';
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

/** For a page that need not say when it is current: how old the oldest answer on it is, once it should be newer. */
export function NotCurrent({ reads }: { reads: readonly Polled<unknown>[] }) {
  const zone = useZone();
  const late = oldestLate(reads);
  return late === undefined ? null : <AsOf read={late} zone={zone} />;
}
