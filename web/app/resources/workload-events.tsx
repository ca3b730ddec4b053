import { Box, Stack, Typography } from '@mui/material';
import type { WorkloadAnswer } from '../data/queries.ts';
import { Empty } from '../parts/empty.tsx';
import { ZonedTime } from '../parts/zoned-time.tsx';

type Events = WorkloadAnswer['events'];

export function EventList({ events, zone }: { events: Events; zone: string }) {
  if (events.items.length === 0) return <Empty title="The cluster tells of no events" />;
  return (
    <Stack component="ul" spacing={1} sx={{ m: 0, p: 0, listStyle: 'none' }} data-testid="events">
      {events.items.map(({ about, type, reason, message, count, at }) => (
        <Box component="li" key={`${about} ${reason} ${at} ${message}`} sx={{ overflowWrap: 'anywhere' }}>
          <Typography variant="body2">
            <Box component="span" sx={{ fontWeight: 600, color: type === 'Warning' ? 'error.main' : 'text.primary' }}>
              {type === 'Warning' ? 'Warning: ' : ''}
              {reason}
            </Box>{' '}
            {message}
            {count > 1 ? ` (${count} times)` : ''}
          </Typography>
          <Typography variant="body2" color="textSecondary">
            {about}, <ZonedTime at={at} zone={zone} />
          </Typography>
        </Box>
      ))}
      {events.more ? (
        <Typography component="li" variant="body2" color="textSecondary">
          There are older ones.
        </Typography>
      ) : null}
    </Stack>
  );
}
