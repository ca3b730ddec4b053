import { Box, Stack, Typography } from '@mui/material';
import type { AuditEntry } from '../data/queries.ts';
import { NavLink } from '../parts/nav-link.tsx';
import { spanText } from '../parts/time-text.ts';
import { ZonedTime } from '../parts/zoned-time.tsx';
import { WorkloadSentence } from '../resources/workload-sentence.tsx';
import { EntrySign } from './entry-sign.tsx';
import { workloadLines } from './workload-lines.ts';

export function EntryRow({ entry, zone }: { entry: AuditEntry; zone: string }) {
  const { id, title, actor, at, reason, durationMs } = entry;
  return (
    <Stack direction="row" spacing={1.5} sx={{ px: 2, py: 1.25, borderBottom: 1, borderColor: 'divider' }}>
      <EntrySign entry={entry} />
      <Box sx={{ minWidth: 0, flex: 1 }}>
        <NavLink to={`/activity/${encodeURIComponent(id)}`} sx={{ fontWeight: 600 }}>
          {title}
        </NavLink>
        <Typography variant="body2" color="textSecondary">
          {actor}, <ZonedTime at={at} zone={zone} />
          {durationMs === undefined ? '' : `, took ${spanText(durationMs)}`}
        </Typography>
        {reason === undefined ? null : <Typography variant="body2">{reason}</Typography>}
        <WorkloadLines entry={entry} />
      </Box>
    </Stack>
  );
}

/** Casualties are never cut; a recovery stands in green where its casualty was. */
export function WorkloadLines({ entry }: { entry: AuditEntry }) {
  const lines = workloadLines(entry);
  if (lines.length === 0) return null;
  return (
    <Box component="ul" sx={{ m: 0, mt: 0.5, pl: 2.5, fontSize: 14 }}>
      {lines.map(({ sentence, recovered }) => (
        <Box component="li" key={sentence} sx={{ color: recovered ? 'success.main' : 'error.main' }}>
          <WorkloadSentence text={sentence} />
        </Box>
      ))}
    </Box>
  );
}
