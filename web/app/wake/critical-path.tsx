import { Box, Stack, Typography } from '@mui/material';
import type { WakeFrame } from '../data/transition.ts';
import { Section } from '../parts/section.tsx';
import { spanText } from '../parts/time-text.ts';
import { WorkloadSentence } from '../resources/workload-sentence.tsx';
import { barGround, meansByColor } from '../theme/forced-colors.ts';
import { criticalPath, type TierSpan } from './ranking.ts';

export function CriticalPath({ frame, now }: { frame: WakeFrame; now: number }) {
  const spans = criticalPath(frame, now);
  if (spans.every(({ ms }) => ms === 0)) return null;
  return (
    <Section title="Critical path" note="Where the time of the wake went; the longest tier is what to shorten first.">
      <TierSpans spans={spans} />
    </Section>
  );
}

export function TierSpans({ spans }: { spans: readonly TierSpan[] }) {
  const total = Math.max(
    1,
    spans.reduce((sum, { ms }) => sum + ms, 0),
  );
  return (
    <Stack component="ol" spacing={1.5} sx={{ m: 0, p: 0, listStyle: 'none' }} data-testid="critical-path">
      {spans.map((span) => (
        <Span key={span.name} span={span} total={total} />
      ))}
    </Stack>
  );
}

function Span({ span: { name, ms, longest, heldBy }, total }: { span: TierSpan; total: number }) {
  return (
    <Box component="li">
      <Stack direction="row" sx={{ justifyContent: 'space-between', gap: 2 }}>
        <Typography variant="body2" sx={{ fontWeight: longest ? 700 : 400 }}>
          {name}
          {longest ? ' (longest)' : ''}
        </Typography>
        <Typography variant="body2">{spanText(ms)}</Typography>
      </Stack>
      <Box sx={{ height: 8, borderRadius: 4, bgcolor: 'action.hover', ...barGround }} aria-hidden>
        <Box
          sx={{
            height: '100%',
            width: `${(ms / total) * 100}%`,
            borderRadius: 4,
            bgcolor: longest ? 'primary.main' : 'text.secondary',
            ...meansByColor(longest ? 'Highlight' : 'CanvasText'),
          }}
        />
      </Box>
      {heldBy === undefined ? null : (
        <Typography variant="body2" color="textSecondary" sx={{ mt: 0.25, overflowWrap: 'anywhere' }}>
          Held longest by{' '}
          {heldBy.kind === 'database' ? `database ${heldBy.name}` : <WorkloadSentence text={heldBy.name} />},{' '}
          {spanText(heldBy.ms)}
        </Typography>
      )}
    </Box>
  );
}
