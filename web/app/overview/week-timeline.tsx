import { Box, Stack, Tooltip, Typography } from '@mui/material';
import { barGround, meansByColor, meansByStripes } from '../theme/forced-colors.ts';
import type { Piece, WeekDay } from './week.ts';

const ticks = [0, 6, 12, 18, 24];
const labelWidth = { xs: 74, sm: 150 };

/** One row a day. The same is in the list, for keyboards and screen readers; the picture is one image to them. */
export function WeekTimeline({ days }: { days: readonly WeekDay[] }) {
  return (
    <Box role="img" aria-label={days.map(dayText).join('; ')}>
      <Stack spacing={0.75} aria-hidden>
        <Axis />
        {days.map((day) => (
          <DayRow key={day.date} day={day} />
        ))}
      </Stack>
    </Box>
  );
}

function dayText(day: WeekDay): string {
  return `${day.title}: ${day.pieces.map(({ text }) => text).join(', ') || 'nothing is known'}`;
}

function Axis() {
  return (
    <Box sx={{ display: 'flex' }}>
      <Box sx={{ width: labelWidth, flexShrink: 0 }} />
      <Box sx={{ position: 'relative', flex: 1, height: 18 }}>
        {ticks.map((hour) => (
          <Typography
            key={hour}
            variant="caption"
            color="textSecondary"
            sx={{
              position: 'absolute',
              left: `${(hour / 24) * 100}%`,
              transform: tickShift(hour),
              whiteSpace: 'nowrap',
            }}
          >
            {String(hour).padStart(2, '0')}
          </Typography>
        ))}
      </Box>
    </Box>
  );
}

function tickShift(hour: number): string {
  if (hour === 0) return 'none';
  return hour === 24 ? 'translateX(-100%)' : 'translateX(-50%)';
}

function DayRow({ day }: { day: WeekDay }) {
  const mark = day.source === 'schedule' ? '' : day.label;
  return (
    <Box sx={{ display: 'flex', alignItems: 'center' }}>
      <Box sx={{ width: labelWidth, flexShrink: 0, pr: 1, minWidth: 0 }}>
        <Typography variant="body2" noWrap sx={{ fontWeight: day.now === undefined ? 400 : 700 }}>
          {day.title.split(' ').slice(0, 2).join(' ')}
          <Box component="span" sx={{ display: { xs: 'none', sm: 'inline' } }}>
            {` ${day.title.split(' ')[2] ?? ''}`}
          </Box>
        </Typography>
        {mark === '' && day.clockChange === undefined ? null : (
          <Typography variant="caption" color="textSecondary" noWrap component="div">
            {[mark, day.clockChange?.text].filter(Boolean).join(' · ')}
          </Typography>
        )}
      </Box>
      <Box
        sx={{
          position: 'relative',
          flex: 1,
          height: 26,
          borderRadius: 1.5,
          overflow: 'hidden',
          bgcolor: 'action.hover',
          ...barGround,
        }}
      >
        {day.pieces.map((piece) => (
          <Band key={`${piece.kind}-${piece.start}`} piece={piece} />
        ))}
        {day.clockChange === undefined ? null : (
          <Tooltip title={day.clockChange.text}>
            <Box sx={{ ...line(day.clockChange.at), borderLeft: '3px double', borderColor: 'warning.main' }} />
          </Tooltip>
        )}
        {day.now === undefined ? null : (
          <Tooltip title="Now">
            <Box sx={{ ...line(day.now), borderLeft: '2px solid', borderColor: 'error.main' }} />
          </Tooltip>
        )}
      </Box>
    </Box>
  );
}

function line(at: number) {
  return { position: 'absolute', top: 0, bottom: 0, left: `${at * 100}%`, width: 8, ml: '-1px' } as const;
}

/** Planned bands are striped, what has been is full; awake and asleep differ in height as well as in color. */
function Band({ piece }: { piece: Piece }) {
  return (
    <Tooltip title={piece.text}>
      <Box
        data-piece={piece.kind === 'stand-down' ? piece.kind : piece.awake ? 'awake' : 'asleep'}
        sx={{
          position: 'absolute',
          left: `${piece.start * 100}%`,
          width: `${piece.width * 100}%`,
          ...heights(piece),
          bgcolor: colorOf(piece),
          opacity: piece.kind === 'planned' && piece.awake ? 0.75 : 1,
          backgroundImage:
            piece.source === 'schedule' || piece.kind !== 'planned'
              ? 'none'
              : 'repeating-linear-gradient(45deg, transparent 0 6px, rgba(255,255,255,.35) 6px 9px)',
          ...inForcedColors(piece),
        }}
      />
    </Tooltip>
  );
}

function heights({ kind, awake }: Piece) {
  if (kind === 'stand-down') return { top: 0, height: 5 };
  return awake ? { top: 0, bottom: 0 } : { bottom: 0, height: 6 };
}

function colorOf({ kind, awake, source }: Piece): string {
  if (kind === 'stand-down') return 'error.main';
  if (!awake) return source === 'holiday' ? 'warning.main' : 'info.main';
  return source === 'override' ? 'warning.main' : 'success.main';
}

/** An override or a holiday has the color of any other band there, and stripes. */
function inForcedColors(piece: Piece) {
  const special = piece.source === 'override' || piece.source === 'holiday';
  if (!special || piece.kind === 'stand-down') return meansByColor(systemColorOf(piece));
  return meansByStripes(piece.awake ? 'Highlight' : 'CanvasText');
}

/** Awake and asleep differ in height too, so that two colors are enough. */
function systemColorOf({ kind, awake }: Pick<Piece, 'kind' | 'awake'>) {
  if (kind === 'stand-down') return 'LinkText';
  return awake ? 'Highlight' : 'CanvasText';
}

export function WeekLegend({ past }: { past: boolean }) {
  const parts: readonly (readonly [string, string, object])[] = [
    ['success.main', 'Awake', meansByColor('Highlight')],
    ['info.main', 'Asleep', meansByColor('CanvasText')],
    ...(past ? [] : [['warning.main', 'Override or holiday', meansByStripes('Highlight')] as const]),
    ['error.main', 'Stand-down, now', meansByColor('LinkText')],
  ];
  return (
    <Stack direction="row" sx={{ gap: 2, flexWrap: 'wrap' }} aria-hidden>
      {parts.map(([color, text, system]) => (
        <Stack key={text} direction="row" spacing={0.75} sx={{ alignItems: 'center' }}>
          <Box data-legend sx={{ width: 12, height: 12, borderRadius: 0.5, bgcolor: color, ...system }} />
          <Typography variant="caption">{text}</Typography>
        </Stack>
      ))}
    </Stack>
  );
}
