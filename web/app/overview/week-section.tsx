import { Stack, ToggleButton, ToggleButtonGroup } from '@mui/material';
import { useState } from 'react';
import { useNow } from '../data/now.ts';
import { type Schedule, useTurns } from '../data/queries.ts';
import { Section } from '../parts/section.tsx';
import { useUser } from '../session/session-context.tsx';
import { actualStretches, pastDays, weekDays } from './week.ts';
import { WeekList } from './week-list.tsx';
import { WeekLegend, WeekTimeline } from './week-timeline.tsx';

type View = 'coming' | 'past' | 'list';

const minuteMs = 60_000;

export function WeekSection({ schedule }: { schedule: Schedule }) {
  const [view, setView] = useState<View>('coming');
  const admin = useUser()?.admin === true;
  const turns = useTurns(admin);
  const now = useNow(minuteMs);
  const { timezone } = schedule.plan;
  const actual = actualStretches(turns.data ?? [], now);
  const days = view === 'past' ? pastDays(actual, now, 7, timezone) : weekDays(schedule, actual, now);
  return (
    <Section
      title="Week"
      note={`Times by the clock of ${timezone}`}
      actions={
        <ToggleButtonGroup
          size="small"
          exclusive
          value={view}
          onChange={(_, chosen: View | null) => chosen !== null && setView(chosen)}
          aria-label="How the week is shown"
        >
          <ToggleButton value="coming">Coming</ToggleButton>
          {admin ? <ToggleButton value="past">Past</ToggleButton> : null}
          <ToggleButton value="list">List</ToggleButton>
        </ToggleButtonGroup>
      }
    >
      {view === 'list' ? (
        <WeekList days={days} zone={timezone} />
      ) : (
        <Stack spacing={2}>
          <WeekTimeline days={days} />
          <WeekLegend past={view === 'past'} />
        </Stack>
      )}
    </Section>
  );
}
