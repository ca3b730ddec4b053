import { Box, Typography } from '@mui/material';
import { exceptions, type WeekDay } from './week.ts';

export function WeekList({ days, zone }: { days: readonly WeekDay[]; zone: string }) {
  return (
    <Box component="ol" sx={{ listStyle: 'none', m: 0, p: 0, display: 'grid', gap: 1.5 }}>
      {days.map((day) => (
        <Box component="li" key={day.date}>
          <Typography sx={{ fontWeight: 600 }}>
            {day.title}: {hoursText(day.hours)} ({zone})
          </Typography>
          <Typography variant="body2" color="textSecondary">
            {[sourceText(day), holidayNote(day), day.clockChange?.text].filter(Boolean).join(' · ')}
          </Typography>
          {exceptions(day).map((text) => (
            <Typography key={text} variant="body2">
              {text}
            </Typography>
          ))}
        </Box>
      ))}
    </Box>
  );
}

function hoursText(hours: string): string {
  if (hours === 'on') return 'awake all day';
  if (hours === 'off') return 'asleep all day';
  return `awake ${hours.replaceAll('-', '–').replaceAll(',', ', ')}`;
}

function holidayNote({ holiday }: WeekDay): string | undefined {
  return holiday === undefined ? undefined : `Public holiday: ${holiday}`;
}

function sourceText({ source, label }: WeekDay): string {
  if (source === 'override') return `Override: ${label}`;
  return source === 'holiday' ? `Holiday: ${label}` : label;
}
