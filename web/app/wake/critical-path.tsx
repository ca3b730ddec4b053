import { Box, Stack, Typography } from '@mui/material';
import type { WakeProgress } from '../data/transition.ts';
import { Section } from '../parts/section.tsx';
import { spanText } from '../parts/time-text.ts';
import { criticalPath } from './ranking.ts';

export function CriticalPath({ progress, now }: { progress: WakeProgress; now: number }) {
  const spans = criticalPath(progress, now);
  const total = spans.reduce((sum, { ms }) => sum + ms, 0);
  if (spans.length === 0 || total === 0) return null;
  return (
    <Section title="Critical path" note="Where the time of the wake went; the longest tier is what to shorten first.">
      <Stack spacing={1}>
        {spans.map(({ name, ms, longest }) => (
          <Box key={name}>
            <Stack direction="row" sx={{ justifyContent: 'space-between', gap: 2 }}>
              <Typography variant="body2" sx={{ fontWeight: longest ? 700 : 400 }}>
                {name}
                {longest ? ' (longest)' : ''}
              </Typography>
              <Typography variant="body2">{spanText(ms)}</Typography>
            </Stack>
            <Box sx={{ height: 8, borderRadius: 4, bgcolor: 'action.hover' }} aria-hidden>
              <Box
                sx={{
                  height: '100%',
                  width: `${(ms / total) * 100}%`,
                  borderRadius: 4,
                  bgcolor: longest ? 'primary.main' : 'text.secondary',
                }}
              />
            </Box>
          </Box>
        ))}
      </Stack>
    </Section>
  );
}
