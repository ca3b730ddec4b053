import { Box, ButtonBase, Stack, Typography } from '@mui/material';
import { shownHoliday } from '../../../src/domain/holiday/wording.ts';
import type { Schedule } from '../data/queries.ts';
import { months, shortHours, weekdayHeads } from './month.ts';

type Day = Schedule['plan']['days'][number];

interface Props {
  readonly days: readonly Day[];
  readonly onChoose: ((date: string) => void) | undefined;
}

export function MonthGrid({ days, onChoose }: Props) {
  return (
    <Stack spacing={3}>
      {months(days).map(({ title, cells }) => (
        <Box key={title}>
          <Typography variant="h3" sx={{ mb: 1 }}>
            {title}
          </Typography>
          <Box sx={{ display: 'grid', gridTemplateColumns: 'repeat(7, minmax(0, 1fr))', gap: { xs: 0.5, sm: 1 } }}>
            {weekdayHeads.map((head) => (
              <Typography key={head} variant="caption" color="textSecondary" sx={{ textAlign: 'center' }} aria-hidden>
                {head}
              </Typography>
            ))}
            {cells.map(({ day, column }) => (
              <DayCell key={day.date} day={day} column={column} onChoose={onChoose} />
            ))}
          </Box>
        </Box>
      ))}
    </Stack>
  );
}

function DayCell({ day, column, onChoose }: { day: Day; column: number; onChoose: Props['onChoose'] }) {
  const marked = day.source !== 'schedule';
  const mark = marked ? day.label : (shownHoliday(day) ?? day.clockChange?.text);
  const look = {
    gridColumnStart: column,
    position: 'relative',
    display: 'flex',
    flexDirection: 'column',
    alignItems: 'stretch',
    justifyContent: 'flex-start',
    textAlign: 'left',
    border: 1,
    borderColor: marked ? 'warning.main' : 'divider',
    borderRadius: 1.5,
    p: { xs: 0.5, sm: 1 },
    minHeight: 64,
    minWidth: 0,
    font: 'inherit',
  } as const;
  const content = (
    <>
      <Box component="span" sx={onlyHeard}>
        {onChoose === undefined ? '' : 'Change '}
        {day.weekday} {day.date}:
      </Box>
      <Typography component="span" variant="caption" color="textSecondary" aria-hidden>
        {Number(day.date.slice(8))}
      </Typography>
      {/* On a phone the two hours stand below one another: cut off they say nothing. */}
      <Typography
        component="span"
        sx={{ fontSize: { xs: 11, sm: 14 }, fontWeight: 600, lineHeight: 1.2, overflowWrap: 'anywhere' }}
      >
        {shortHours(day.hours)}
      </Typography>
      {mark === undefined ? null : (
        <Typography component="span" variant="caption" noWrap sx={{ color: 'warning.main' }}>
          {mark}
        </Typography>
      )}
    </>
  );
  if (onChoose === undefined) return <Box sx={look}>{content}</Box>;
  return (
    <ButtonBase onClick={() => onChoose(day.date)} sx={look}>
      {content}
    </ButtonBase>
  );
}

/** For screen readers, who do not see the column and the number. */
const onlyHeard = {
  position: 'absolute',
  width: '1px',
  height: '1px',
  overflow: 'hidden',
  clip: 'rect(0 0 0 0)',
} as const;
